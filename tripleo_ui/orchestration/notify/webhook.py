"""The channel ``webhook``: posts each notice as signed JSON to WEBHOOK_URL."""

import json

from tripleo_ui.config import settings
from tripleo_ui.orchestration.notify import NotDelivered, Notice
from tripleo_ui.services import webhook
from tripleo_ui.services.errors import ServiceError

#: Longest wait for the receiver's answer, in seconds: conductors stop only between two deliveries.
ANSWER_SECONDS = 10.0


class Webhook:
    """Posts to one address."""

    name = "webhook"

    def problems(self) -> list[str]:
        """What is wrong with the settings, in sentences."""
        found = [] if webhook.may_post_to(settings.webhook_url) else ["WEBHOOK_URL must be https, or http on loopback."]
        return found if settings.webhook_secret else [*found, "WEBHOOK_SECRET is not set."]

    def send(self, notice: Notice) -> None:
        """Post the notice.

        Raises:
            NotDelivered: it was not accepted with a status of 2xx.
        """
        if problems := self.problems():
            raise NotDelivered(" ".join(problems))
        body = json.dumps(notice.as_dict(), ensure_ascii=False).encode()
        try:
            webhook.post(
                settings.webhook_url,
                settings.webhook_secret,
                body,
                notice.id,
                timeouts=(settings.connect_timeout, min(settings.read_timeout, ANSWER_SECONDS)),
                verify=settings.ca_cert or True,
            )
        except ServiceError as error:
            raise NotDelivered(str(error)) from error

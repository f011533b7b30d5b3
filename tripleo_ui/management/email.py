"""The channel ``email``: mails each notice through Django's mail settings."""

from smtplib import SMTPException

from django.conf import settings as django_settings
from django.core.mail import BadHeaderError, EmailMessage, get_connection

from tripleo_ui.config import settings
from tripleo_ui.orchestration.notify import NotDelivered, Notice

_TEXT = """\
{title}: {state}

{message}

Request    {request_id}
Workflow   {workflow}
Asked by   {user_name}
Project    {project_name}
Region     {region}
At         {at}
"""


class Email:
    """Mails to the addresses of NOTIFY_EMAIL_TO."""

    name = "email"

    def problems(self) -> list[str]:
        """What is wrong with the settings, in sentences."""
        return [] if _addresses() else ["NOTIFY_EMAIL_TO has no address."]

    def send(self, notice: Notice) -> None:
        """Mail the notice.

        Raises:
            NotDelivered: the mail server did not take it.
        """
        if problems := self.problems():
            raise NotDelivered(" ".join(problems))
        state = notice.state.lower().replace("_", " ")
        shown = {**notice.as_dict(), "state": state}
        timeout = django_settings.EMAIL_TIMEOUT or settings.read_timeout
        message = EmailMessage(
            # A title is what a person typed, and a header is one line.
            subject=" ".join(f"{notice.title}: {state}".split()),
            body=_TEXT.format(**shown),
            to=_addresses(),
            headers={"Message-ID": f"<{notice.id.replace(':', '.')}@tripleo-ui>"},
            connection=get_connection(timeout=timeout),
        )
        try:
            message.send()
        except (SMTPException, OSError, BadHeaderError) as error:
            raise NotDelivered(f"the mail server did not take it ({type(error).__name__})") from error


def _addresses() -> list[str]:
    return [address.strip() for address in settings.notify_email_to.split(",") if address.strip()]

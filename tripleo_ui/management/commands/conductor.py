"""``manage.py conductor``: carries out requests."""

import logging
import os
import signal
import socket
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tripleo_ui.config import settings
from tripleo_ui.orchestration import chores
from tripleo_ui.orchestration.conductor import Conductor
from tripleo_ui.orchestration.records import Request
from tripleo_ui.orchestration.store import schema
from tripleo_ui.services.breaker import Breakers
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.rest import TimeoutSession

#: What this process knows of services that are away.
BREAKERS = Breakers()


class Command(BaseCommand):
    """Run a conductor until it is told to stop."""

    help = "Carry out requests until stopped; any number of conductors may run, on any number of machines."

    def add_arguments(self, parser: Any) -> None:
        """Take a name and when to end."""
        parser.add_argument("--name", default="", help="what the timeline calls it; default: host and process id")
        parser.add_argument("--once", action="store_true", help="end when nothing is left to do")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Work."""
        logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s %(message)s")
        logging.getLogger("tripleo_ui").setLevel(logging.INFO)
        try:
            schema.check()
        except schema.SchemaError as error:
            raise CommandError(str(error)) from error
        if not settings.auth_url or not settings.service_password:
            raise CommandError("set AUTH_URL and SERVICE_PASSWORD: a conductor signs in as the trusts' user")
        name = options["name"] or f"{socket.gethostname()}:{os.getpid()}"
        conductor = Conductor(name, cloud_of, chores.standard(cloud_of))
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_signal: conductor.stop())
        self.stdout.write(f"conductor {name} is ready")
        self.stdout.flush()
        conductor.run(once=options["once"])


def cloud_of(request: Request) -> Cloud:
    """The services as the requester's trust may use them."""
    return Cloud.from_trust(
        settings.auth_url,
        settings.service_username,
        settings.service_password,
        settings.service_user_domain,
        request.trust_id,
        request.requester.region or settings.region,
        http=TimeoutSession(settings.connect_timeout, settings.read_timeout),
        verify=settings.ca_cert or True,
        interface=settings.interface,
        plan_prefix=settings.plan_container_prefix,
        breakers=BREAKERS,
    )

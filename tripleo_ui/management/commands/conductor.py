"""``manage.py conductor``: carries out requests."""

import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from prometheus_client import ProcessCollector, start_http_server

from tripleo_ui.config import settings
from tripleo_ui.orchestration import chores, health, logs, metrics
from tripleo_ui.orchestration.boards import BoardError
from tripleo_ui.orchestration.conductor import Conductor
from tripleo_ui.orchestration.notify import chosen
from tripleo_ui.orchestration.records import Request
from tripleo_ui.orchestration.store import schema
from tripleo_ui.services.breaker import Breakers
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.rest import TimeoutSession

LOG = logging.getLogger(__name__)
#: What this process knows of services that are away.
BREAKERS = Breakers()


class Command(BaseCommand):
    """Run a conductor until it is told to stop."""

    help = "Carry out requests until stopped; any number of conductors may run, on any number of machines."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: Any) -> None:
        """Take a name, when to end, and what to tell of itself."""
        parser.add_argument("--name", default="", help="what the timeline calls it; default: host and process id")
        parser.add_argument("--once", action="store_true", help="end when nothing is left to do")
        parser.add_argument("--check", action="store_true", help="only say whether requests are carried out; 1 if not")
        parser.add_argument("--log-format", choices=logs.FORMATS, default="text", help="lines of text or of JSON")
        parser.add_argument(
            "--metrics-port", type=int, default=0, metavar="N", help="serve metrics for Prometheus here"
        )
        parser.add_argument("--metrics-address", default="127.0.0.1", metavar="IP", help="on this address only")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Work."""
        if options["check"]:
            self._check()
            return
        logs.configure(options["log_format"], logging.DEBUG if options["verbosity"] > 1 else logging.INFO)
        try:
            schema.check()
        except schema.SchemaError as error:
            raise CommandError(str(error)) from error
        if not settings.auth_url or not settings.service_password:
            raise CommandError("set AUTH_URL and SERVICE_PASSWORD: a conductor signs in as the trusts' user")
        name = options["name"] or f"{socket.gethostname()}:{os.getpid()}"
        try:
            conductor = Conductor(name, cloud_of, chores.standard(cloud_of))
        except BoardError as error:
            raise CommandError(str(error)) from error
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_signal: conductor.stop())
        for problem in chosen.problems():
            LOG.warning(problem)
        with serving(options["metrics_address"], options["metrics_port"]):
            self.stdout.write(f"conductor {name} is ready")
            self.stdout.flush()
            conductor.run(once=options["once"])

    def _check(self) -> None:
        """Say in one line that all is well, or end with 1 and a reason on each line."""
        reasons = health.check()
        self.stdout.write("\n".join(reasons) or "healthy")
        if reasons:
            self.stdout.flush()
            raise SystemExit(1)


@contextmanager
def serving(address: str, port: int) -> Iterator[None]:
    """Answer Prometheus, with figures of this process too, while the block runs; port 0 answers nobody.

    Raises:
        CommandError: the address cannot be had.
    """
    if not port:
        yield
        return
    registry = metrics.registry()
    ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, address, registry)
    except OSError as error:
        raise CommandError(f"metrics cannot be served at {address}:{port}: {error.strerror}") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def cloud_of(request: Request) -> Cloud:
    """The services as the requester's trust may use them."""
    return Cloud.from_trust(
        settings.auth_url,
        settings.service_username,
        settings.service_password,
        settings.service_user_domain,
        request.trust_id,
        request.requester.region or settings.region,
        service_project=settings.service_project,
        service_project_domain=settings.service_project_domain,
        http=TimeoutSession(settings.connect_timeout, settings.read_timeout),
        verify=settings.ca_cert or True,
        interface=settings.interface,
        plan_prefix=settings.plan_container_prefix,
        breakers=BREAKERS,
    )

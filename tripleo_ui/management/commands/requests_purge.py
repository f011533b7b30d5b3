"""``manage.py requests_purge``: forgets requests that ended long ago."""

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tripleo_ui.config import settings
from tripleo_ui.orchestration import retention
from tripleo_ui.orchestration.store import schema

_DAY = 86400.0


class Command(BaseCommand):
    """Delete old requests."""

    help = "Delete requests that ended long ago, with their events. Conductors do so every hour by RETENTION_DAYS."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: Any) -> None:
        """Take how old."""
        parser.add_argument(
            "--older-than", type=_days, metavar="DAYS", help="that ended before so many days; default: RETENTION_DAYS"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Delete them, and say how many."""
        days = settings.retention_days if options["older_than"] is None else options["older_than"]
        if options["older_than"] is None and not days:
            raise CommandError("RETENTION_DAYS keeps everything: say how old with --older-than")
        try:
            schema.check()
        except schema.SchemaError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{retention.purge(days * _DAY)} requests deleted")


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < 1e6:
        raise ArgumentTypeError(f"{text!r} is no number of days")
    return days

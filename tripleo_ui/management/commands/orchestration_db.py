"""``manage.py orchestration_db``: the orchestrator's tables."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tripleo_ui.orchestration.store import schema


class Command(BaseCommand):
    """Make, upgrade or show the tables."""

    help = "Make or upgrade the orchestrator's tables, or show which revision they are at."

    def add_arguments(self, parser: Any) -> None:
        """Take what to do."""
        parser.add_argument("action", choices=("upgrade", "current", "check"))

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it."""
        if options["action"] == "upgrade":
            self.stdout.write(schema.upgrade())
        elif options["action"] == "current":
            self.stdout.write(schema.current() or "none")
        else:
            try:
                schema.check()
            except schema.SchemaError as error:
                raise CommandError(str(error)) from error

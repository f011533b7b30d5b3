"""``manage.py requests_export``: the audit log as lines of JSON."""

import json
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError

from tripleo_ui.orchestration import audit
from tripleo_ui.orchestration.store import schema


class Command(BaseCommand):
    """Write events, one on a line."""

    help = "Write the requests' events as lines of JSON, in their order."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: Any) -> None:
        """Take which events, and where to."""
        parser.add_argument("--since", type=_time, metavar="TIME", help="from this time on: 2027-01-31T12:00, in UTC")
        parser.add_argument("--until", type=_time, metavar="TIME", help="before this time")
        parser.add_argument("--project", default="", metavar="ID", help="of this project's requests only")
        parser.add_argument("--request", default="", metavar="ID", help="of this request only")
        parser.add_argument("--after", type=int, default=0, metavar="SEQ", help="those after this event only")
        parser.add_argument("-o", "--output", default="", metavar="FILE", help="append to this file")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write them, and say on standard error where the next export can go on."""
        try:
            schema.check()
        except schema.SchemaError as error:
            raise CommandError(str(error)) from error
        number, last = 0, options["after"]
        with self._target(options["output"]) as target:
            for line in audit.export(
                since=options["since"],
                until=options["until"],
                project_id=options["project"],
                request_id=options["request"],
                after=options["after"],
            ):
                target.write(json.dumps(line, ensure_ascii=False) + "\n")
                number, last = number + 1, line["seq"]
        self.stderr.write(f"{number} events; go on with --after {last}")

    @contextmanager
    def _target(self, path: str) -> Iterator[TextIO]:
        if not path:
            yield getattr(self.stdout, "_out", sys.stdout)
            return
        try:
            # A new file is its owner's alone.
            with open(path, "a", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                yield file
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}") from error


def _time(text: str) -> datetime:
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is no time such as 2027-01-31 or 2027-01-31T12:00:00+01:00") from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)

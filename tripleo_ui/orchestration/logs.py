"""Log records that say which request, phase and conductor they are about, as text or as lines of JSON."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from tripleo_ui.orchestration.redaction import redact

FORMATS = ("text", "json")
#: What a record can be bound to, in the order in which a line shows it.
NAMES = ("request_id", "phase", "conductor")
#: What every record has; anything else on one was given with ``extra``.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "about", *NAMES}

_bound: ContextVar[dict[str, str]] = ContextVar("tripleo_ui_log", default={})  # noqa: B039 - never changed in place


@contextmanager
def bound(**names: str) -> Iterator[None]:
    """Put ``request_id``, ``phase`` or ``conductor`` on every record of the block, beside what is bound already.

    A thread that works for the block has to run in a copy of its context: ``pool.submit(copy_context().run, work)``.
    """
    before = _bound.set({**_bound.get(), **names})
    try:
        yield
    finally:
        _bound.reset(before)


class Bound(logging.Filter):
    """Gives every record what is bound in its thread; a name that is not bound is an empty text."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, with its names."""
        known = _bound.get()
        for name in NAMES:
            if not hasattr(record, name):
                setattr(record, name, known.get(name, ""))
        return True


class _Redacting(logging.Formatter):
    """Times are in UTC, and whatever a message or a traceback quotes is without its secrets."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802, ARG002
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextFormatter(_Redacting):
    """One record as a person reads it: time, level, logger, what it is about, message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(about)s] %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The record's line, and its traceback below."""
        record.about = " ".join(getattr(record, name, "") or "-" for name in NAMES)
        return str(redact(super().format(record)))


class JsonFormatter(_Redacting):
    """One record as one line of JSON: time, level, logger, request_id, phase, conductor, message; traceback, extras."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            **{name: getattr(record, name, "") for name in NAMES},
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _STANDARD},
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(redact(line), ensure_ascii=False, default=str)


def configure(form: str = "text", level: int = logging.INFO, stream: TextIO | None = None) -> logging.Handler:
    """Send the process's log to a stream, standard error by default; answers the handler.

    ``level`` is for our own loggers; those of libraries keep theirs.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(Bound())
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.getLogger().addHandler(handler)
    logging.getLogger("tripleo_ui").setLevel(level)
    return handler

"""What passed the proxy, and the rules that say what happens to it. Safe to use from any thread."""

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(eq=False)
class Call:
    """One request. It is logged when it has arrived, before anything is done with it; bodies are not kept."""

    method: str
    url: str
    action: str = ""  # what a rule did with it, "" where it was passed on as it is
    served: int | None = None  # the service's status, None until it answered
    status: int | None = None  # the status that the caller was given, None until then
    time: float = field(default_factory=time.time)  # seconds since the epoch


@dataclass(frozen=True)
class Match:
    """Which calls: each thing that is given must agree. ``path`` is searched in the URL's path without its query."""

    port: int | None = None
    netloc: str = ""  # host:port
    method: str = ""
    path: str = ""

    def __call__(self, call):
        url = urlsplit(call.url)
        return (
            self.port in (None, url.port or 80)
            and self.netloc in ("", url.netloc)
            and self.method in ("", call.method)
            and re.search(self.path, url.path) is not None
        )


@dataclass(eq=False)
class Rule:
    """What happens to calls that match, ``times`` times or until it is removed. ``calls`` are those it met."""

    match: Match
    body: re.Pattern
    action: Callable
    times: int | None
    log: "Log"
    calls: list[Call] = field(default_factory=list)
    removed: threading.Event = field(default_factory=threading.Event)

    def takes(self, call, body):
        """Whether this call is the rule's; ``body`` is searched as it was sent."""
        exhausted = self.times is not None and len(self.calls) >= self.times
        return not exhausted and self.match(call) and self.body.search(body) is not None

    def wait(self, timeout=10.0, count=1, served=False):
        """The ``count``-th call that the rule met: see FaultProxy.wait_for."""
        return self.log.wait(self.calls.__contains__, timeout, count, served)


class Log:
    """Calls in the order of their arrival; of several rules that match, the newest takes the call."""

    def __init__(self):
        self._calls: list[Call] = []
        self._rules: list[Rule] = []
        self._changed = threading.Condition()

    def add(self, rule):
        with self._changed:
            self._rules.insert(0, rule)

    def remove(self, rule):
        with self._changed:
            self._rules.remove(rule)
        rule.removed.set()

    def arrived(self, call, body):
        """Write the call down; returns the rule that takes it, or None."""
        with self._changed:
            rule = next((rule for rule in self._rules if rule.takes(call, body)), None)
            if rule:
                call.action = rule.action.name
                rule.calls.append(call)
            self._calls.append(call)
            self._changed.notify_all()
            return rule

    def note(self, call, **statuses):
        with self._changed:
            vars(call).update(statuses)
            self._changed.notify_all()

    def calls(self, match):
        with self._changed:
            return [call for call in self._calls if match(call)]

    def wait(self, match, timeout, count, served):
        """See FaultProxy.wait_for; ``match`` says of a call whether it counts."""

        def seen():
            return [call for call in self._calls if match(call) and (call.served or not served)]

        with self._changed:
            if not self._changed.wait_for(lambda: len(seen()) >= count, timeout):
                raise TimeoutError(f"{len(seen())} of {count} calls came within {timeout} s; all: {self._calls}")
            return seen()[count - 1]

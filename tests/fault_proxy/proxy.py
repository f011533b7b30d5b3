"""The proxy: an event loop in a thread, a task for each connection."""

import asyncio
import re
import socket
import threading
from contextlib import contextmanager

from tests.fault_proxy import messages
from tests.fault_proxy.exchange import Exchange
from tests.fault_proxy.log import Call, Log, Match, Rule

# Longer than any caller waits: what fails is what a rule says, never the proxy's own patience.
EXCHANGE_SECONDS = 600
STOP_SECONDS = 10


class FaultProxy:
    """A forward proxy on loopback for plain HTTP/1.1. ``with`` starts it; at the end no thread and no socket is left.

    ``url`` is its address. Without a rule it changes nothing but the headers that concern one connection; a service
    that cannot be reached, or that breaks off, looks as it does without a proxy: the connection closes.
    """

    def __init__(self):
        self._log = Log()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="fault proxy", daemon=True)
        self._started = threading.Event()

    def __enter__(self):
        self._thread.start()
        if not self._started.wait(STOP_SECONDS):
            raise TimeoutError("the proxy did not start")
        return self

    def __exit__(self, *_error):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(STOP_SECONDS)
        if self._thread.is_alive():
            raise TimeoutError("the proxy did not stop")

    def environment(self):
        """Environment variables that send a process's calls through the proxy, those to 127.0.0.1 too."""
        return {"HTTP_PROXY": self.url, "http_proxy": self.url, "NO_PROXY": "", "no_proxy": ""}

    @contextmanager
    def fault(self, action, *, body="", times=None, **match):
        """Do ``action`` to calls that match, ``times`` times or until the end of the ``with``; gives the Rule.

        Args:
            action: see tests.fault_proxy.actions.
            body: a regular expression searched in the request's body.
            times: after so many calls the rule takes no more.
            match: see Match. Of several rules that match, the newest takes the call.
        """
        rule = Rule(Match(**match), re.compile(body.encode()), action, times, self._log)
        self._log.add(rule)
        try:
            yield rule
        finally:
            self._log.remove(rule)

    def calls(self, **match):
        """The calls so far that match, in the order of their arrival."""
        return self._log.calls(Match(**match))

    def wait_for(self, timeout=10.0, count=1, served=False, **match):
        """The ``count``-th call that matches, as soon as it arrived; with ``served``, as soon as the service answered.

        Calls from before count too. Raises TimeoutError after ``timeout`` seconds.
        """
        return self._log.wait(Match(**match), timeout, count, served)

    async def _serve(self):
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, sock=self._socket, limit=messages.LIMIT)
        self._started.set()
        await self._stop.wait()
        server.close()
        # A connection that was accepted just now gets its task, which asyncio.run cancels with the others.
        await asyncio.sleep(0.01)

    async def _connection(self, reader, writer):
        try:
            while await self._exchange(reader, writer):
                pass
        except (OSError, EOFError):
            pass  # One side broke off, or a rule did; the other learns it as it would without a proxy.
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()

    async def _exchange(self, reader, writer):
        """One call; returns whether the caller's connection stays open."""
        async with asyncio.timeout(EXCHANGE_SECONDS):
            head = await messages.read_head(reader)
            if head.get("expect"):
                writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            body = b"".join([piece async for piece in messages.body(reader, head)])
            method, url, _version = head.start.split(" ")
            call = Call(method, url)
            rule = self._log.arrived(call, body)
            exchange = Exchange(call, head, body, rule, self._log, reader, writer)
            await (rule.action(exchange) if rule else exchange.pass_on())
            return exchange.keep

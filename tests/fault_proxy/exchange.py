"""One call on its way: from the caller's connection to the service and back."""

import asyncio
from contextlib import aclosing, asynccontextmanager
from urllib.parse import urlsplit

from tests.fault_proxy import messages

CONNECT_SECONDS = 10
# Headers that concern one connection, of which a proxied call has two.
HOP = {"connection", "expect", "keep-alive", "proxy-authorization", "proxy-connection"}
CLOSE = (("Connection", "close"),)


class Exchange:
    """A call with its body, which an action passes on, answers or leaves. Losing either side raises OSError/EOFError.

    Args:
        call: as it is in the log.
        head: the request's.
        body: bytes, with the framing that the head says.
        rule: the rule that took the call, or None.
        log: told the statuses.
        reader, writer: the caller's connection.
    """

    def __init__(self, call, head, body, rule, log, reader, writer):
        self.call = call
        self._head, self._body, self._rule, self._log = head, body, rule, log
        self._reader, self._writer = reader, writer
        self.keep = "close" not in head.get("connection").lower() and head.start.endswith("/1.1")

    async def pass_on(self):
        """Send the call to the service, and its answer to the caller."""
        async with self.answer() as (head, pieces):
            await self.relay(head, pieces)

    @asynccontextmanager
    async def answer(self):
        """Send the call to the service; gives the answer's head and its body's pieces. A connection of its own."""
        url = urlsplit(self.call.url)
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(url.hostname, url.port or 80, limit=messages.LIMIT)
        try:
            target = self.call.url.removeprefix(f"{url.scheme}://{url.netloc}") or "/"
            request = self._head.rewritten(f"{self.call.method} {target} HTTP/1.1", HOP, CLOSE)
            writer.write(request.encode() + self._body)
            await writer.drain()
            head = await messages.read_head(reader)
            while head.status < 200:
                head = await messages.read_head(reader)
            self._log.note(self.call, served=head.status)
            async with aclosing(messages.body(reader, head, answers=self.call.method)) as pieces:
                yield head, pieces
        finally:
            writer.transport.abort()

    async def relay(self, head, pieces):
        """Send the service's answer to the caller as it comes."""
        ends = head.bodiless(self.call.method) or head.get("content-length") or head.get("transfer-encoding")
        self.keep = self.keep and bool(ends)
        self._start(head)
        async for piece in pieces:
            self._writer.write(piece)
            await self._writer.drain()

    async def give(self, head, content):
        """Send the caller an answer that no service gave."""
        self._start(head)
        self._writer.write(b"" if head.bodiless(self.call.method) else content)
        await self._writer.drain()

    def released(self, event):
        """Whether what holds the call is over."""
        return event.is_set() or self._rule.removed.is_set()

    def left(self):
        """Whether the caller has closed its connection."""
        return self._reader.at_eof() or self._writer.transport.is_closing()

    def _start(self, head):
        self._log.note(self.call, status=head.status)
        self._writer.write(head.rewritten(head.start, HOP, () if self.keep else CLOSE).encode())

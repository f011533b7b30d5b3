"""HTTP/1.1 messages as they are on the wire: a head is parsed, a body passes in pieces with its framing untouched."""

import asyncio
from dataclasses import dataclass

PIECE = 1 << 16
LIMIT = 1 << 20  # bytes of a head


@dataclass(frozen=True)
class Head:
    """A start line and the header fields in their order, names as they were written."""

    start: str
    fields: tuple[tuple[str, str], ...]

    def get(self, name):
        """The first field of this name (any case), or an empty string."""
        return next((value for key, value in self.fields if key.lower() == name), "")

    @property
    def status(self):
        """An answer's status."""
        return int(self.start.split()[1])

    def bodiless(self, method):
        """Whether no body follows this head of an answer to ``method``, whatever length it states."""
        return method == "HEAD" or self.status in (204, 304)

    def encode(self):
        lines = [self.start, *(f"{key}: {value}" for key, value in self.fields), "", ""]
        return "\r\n".join(lines).encode("latin-1")

    def rewritten(self, start, without, extra=()):
        """The same head with another start line, without some fields (lower case), with more at the end."""
        kept = (field for field in self.fields if field[0].lower() not in without)
        return Head(start, (*kept, *extra))


async def read_head(reader):
    """The next message's head; raises EOFError where the connection ends first."""
    start, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].decode("latin-1").split("\r\n")
    fields = (line.partition(":") for line in lines)
    return Head(start, tuple((key, value.strip()) for key, _, value in fields))


async def body(reader, head, answers=""):
    """The message's body in pieces; raises EOFError where the connection ends first.

    Args:
        reader: where the head was read from.
        head: says how long the body is.
        answers: the method that the message answers; "" for a request.
    """
    if answers and head.bodiless(answers):
        return
    if "chunked" in head.get("transfer-encoding").lower():
        async for piece in _chunks(reader):
            yield piece
    elif length := head.get("content-length"):
        async for piece in _exactly(reader, int(length)):
            yield piece
    elif answers:
        while piece := await reader.read(PIECE):
            yield piece


async def _chunks(reader):
    size = -1
    while size:
        line = await reader.readuntil(b"\n")
        size = int(line.partition(b";")[0], 16)
        yield line
        if size:
            async for piece in _exactly(reader, size + 2):
                yield piece
    while line.strip():
        line = await reader.readuntil(b"\n")
        yield line


async def _exactly(reader, size):
    while size:
        piece = await reader.read(min(size, PIECE))
        if not piece:
            raise asyncio.IncompleteReadError(b"", size)
        yield piece
        size -= len(piece)

"""What a rule does with a call: an action is a coroutine function of the exchange, with a name for the log."""

import asyncio
import functools
import json
import threading
from http import HTTPStatus

from tests.fault_proxy.messages import Head

POLL_SECONDS = 0.02


def action(make):
    """Name what ``make`` returns after it."""

    @functools.wraps(make)
    def made(*args, **kwargs):
        act = make(*args, **kwargs)
        act.name = make.__name__
        return act

    return made


@action
def delay(seconds):
    """Pass on after a while, also where the caller has given up by then."""

    async def act(exchange):
        await asyncio.sleep(seconds)
        await exchange.pass_on()

    return act


@action
def cut():
    """Close the caller's connection; the service never hears of the call."""

    async def act(_exchange):
        raise ConnectionAbortedError

    return act


@action
def status(code, body="", after=False):
    """Answer with this status and body (text, or what becomes JSON); with ``after``, when the service has done it."""
    content = (body if isinstance(body, str) else json.dumps(body)).encode()
    kind = "text/plain" if isinstance(body, str) else "application/json"
    fields = (("Content-Type", kind), ("Content-Length", str(len(content))))
    head = Head(f"HTTP/1.1 {code} {HTTPStatus(code).phrase}", fields)

    async def act(exchange):
        if after:
            async with exchange.answer() as (_head, pieces):
                await _drained(pieces)
        await exchange.give(head, content)

    return act


@action
def drop():
    """Pass on, take the service's answer, close the caller's connection: it is done and the caller does not know."""

    async def act(exchange):
        async with exchange.answer() as (_head, pieces):
            await _drained(pieces)
        raise ConnectionAbortedError

    return act


@action
def hang(release=None):
    """Never answer, never pass on; closes when the caller goes, or when ``release`` ends it as it does a ``hold``."""
    release = release or threading.Event()

    async def act(exchange):
        while not (exchange.released(release) or exchange.left()):
            await asyncio.sleep(POLL_SECONDS)
        raise ConnectionAbortedError

    return act


@action
def hold(release=None, after=False):
    """Freeze the call until ``release`` (a threading.Event) is set or the rule is removed, then pass it on.

    It is passed on also where the caller was killed meanwhile: such calls come late, but they come. With ``after``
    it is passed on at once, and what is held is the service's answer.
    """
    release = release or threading.Event()

    async def act(exchange):
        if after:
            async with exchange.answer() as (head, pieces):
                await _freed(exchange, release)
                await exchange.relay(head, pieces)
        else:
            await _freed(exchange, release)
            await exchange.pass_on()

    return act


async def _freed(exchange, release):
    while not exchange.released(release):
        await asyncio.sleep(POLL_SECONDS)


async def _drained(pieces):
    async for _ in pieces:
        pass

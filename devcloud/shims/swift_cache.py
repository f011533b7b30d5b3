"""Stands in for memcached: Swift's proxy, account server and tokens share one process anyway."""

import time
import typing

_LIMIT = 10_000


class LocalCache:
    """The part of ``MemcacheRing`` that the proxy and its filters call."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[typing.Any, float]] = {}

    def get(self, key: str, raise_on_error: bool = False, **_kw: typing.Any) -> typing.Any:
        """Return a value that has not expired, else None."""
        value, expires = self._entries.get(key, (None, 0.0))
        if expires and expires < time.time():
            self._entries.pop(key, None)
            return None
        return value

    def set(self, key: str, value: typing.Any, time: int = 0, **_kw: typing.Any) -> None:
        """Keep a value for ``time`` seconds, or without an end."""
        if len(self._entries) >= _LIMIT:
            self._entries.clear()
        self._entries[key] = (value, _now() + time if time else 0.0)

    def incr(self, key: str, delta: int = 1, time: int = 0, **_kw: typing.Any) -> int:
        """Add to a number and return it."""
        number = int(self.get(key) or 0) + int(delta)
        self.set(key, number, time=time)
        return number

    def decr(self, key: str, delta: int = 1, time: int = 0, **_kw: typing.Any) -> int:
        """Take from a number and return it."""
        return self.incr(key, -delta, time)

    def delete(self, key: str, server_key: str | None = None) -> None:
        """Forget a value."""
        self._entries.pop(key, None)

    def set_multi(self, mapping: dict, server_key: str, time: int = 0, **_kw: typing.Any) -> None:
        """Keep several values."""
        for key, value in mapping.items():
            self.set(key, value, time=time)

    def get_multi(self, keys: list[str], server_key: str) -> list:
        """Return several values in the order of their keys."""
        return [self.get(key) for key in keys]


def _now() -> float:
    return time.time()


_cache = LocalCache()


def filter_factory(global_conf: dict, **_local: str) -> typing.Callable:
    """Make the WSGI filter that hands the cache to what follows in the pipeline."""

    def factory(app: typing.Callable) -> typing.Callable:
        def call(environ: dict, start_response: typing.Callable) -> typing.Any:
            environ["swift.cache"] = _cache
            return app(environ, start_response)

        return call

    return factory

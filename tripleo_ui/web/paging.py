"""Pages of a list, with everything that the list depends on in the URL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

PAGE_SIZE = 20


@dataclass(frozen=True)
class Page:
    """Some of the items; ``first`` and ``last`` count from 1, the URLs are empty where there is no such page."""

    items: Sequence[Any]
    total: int
    first: int
    last: int
    previous_url: str = ""
    next_url: str = ""

    @property
    def several(self) -> bool:
        """Whether there are other pages."""
        return bool(self.previous_url or self.next_url)


def numbered(items: Sequence[Any], query: Mapping[str, str], size: int = PAGE_SIZE) -> Page:
    """The page that the query's ``page`` asks for; a page that is not there becomes the nearest one."""
    pages = max(1, -(-len(items) // size))
    asked = query.get("page", "1")
    number = min(max(int(asked), 1), pages) if asked.isascii() and asked.isdecimal() and len(asked) < 9 else 1
    start = (number - 1) * size
    shown = items[start : start + size]
    return Page(
        items=shown,
        total=len(items),
        first=start + 1 if shown else 0,
        last=start + len(shown),
        previous_url=with_query(query, page=str(number - 1) if number > 2 else "") if number > 1 else "",
        next_url=with_query(query, page=str(number + 1)) if number < pages else "",
    )


def with_query(query: Mapping[str, str], **changes: str) -> str:
    """The same page with other parameters; an empty one is dropped."""
    merged = {**{name: query[name] for name in query}, **changes}
    return "?" + urlencode({name: value for name, value in merged.items() if value})

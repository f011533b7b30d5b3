"""Images in Glance."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import UUID

from tripleo_ui.services.rest import Rest

# More images than a person would choose from; a list that is longer is cut, and the page says so.
LIMIT = 500


@dataclass(frozen=True)
class Image:
    """An image; ``min_disk`` in GiB, ``min_ram`` in MiB, ``size`` and ``virtual_size`` in bytes.

    ``traits`` are those that a host must have.
    """

    id: str
    name: str
    size: int
    min_disk: int = 0
    min_ram: int = 0
    virtual_size: int = 0
    status: str = "active"
    disk_format: str = ""
    traits: frozenset[str] = frozenset()


class Glance:
    """Calls to Glance."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def images(self, limit: int = LIMIT) -> tuple[Image, ...]:
        """Active images by name, in one call."""
        query = f"/v2/images?status=active&sort_key=name&sort_dir=asc&limit={limit}"
        found = self._rest.call("list images", "GET", query).json()["images"]
        return tuple(map(_image, found))

    def find(self, name_or_id: str) -> tuple[Image, ...]:
        """The images of that id or name, whatever their status: none, one, or many of one name."""
        if _is_id(name_or_id):
            answer = self._rest.call("show image", "GET", f"/v2/images/{name_or_id}", expect=(404,))
            if answer.ok:
                return (_image(answer.json()),)
        query = f"/v2/images?name=in:{quote(_quoted(name_or_id), safe='')}&limit={LIMIT}"
        return tuple(map(_image, self._rest.call("find image", "GET", query).json()["images"]))


def _quoted(name: str) -> str:
    """As Glance's "in:" operator wants names: a comma would separate two."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def _image(item: Mapping[str, Any]) -> Image:
    return Image(
        id=item["id"],
        name=item["name"] or item["id"],
        size=item["size"] or 0,
        min_disk=item["min_disk"],
        min_ram=item["min_ram"],
        virtual_size=item.get("virtual_size") or 0,
        status=item["status"],
        disk_format=item.get("disk_format") or "",
        traits=frozenset(
            name.removeprefix("trait:")
            for name, value in item.items()
            if name.startswith("trait:") and value == "required"
        ),
    )

"""Images in Glance."""

from dataclasses import dataclass

from tripleo_ui.services.rest import Rest

# More images than a person would choose from; a list that is longer is cut, and the page says so.
LIMIT = 500


@dataclass(frozen=True)
class Image:
    """An image that is ready to use; sizes in GiB and MiB, ``size`` in bytes."""

    id: str
    name: str
    size: int
    min_disk: int = 0
    min_ram: int = 0


class Glance:
    """Calls to Glance."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def images(self, limit: int = LIMIT) -> tuple[Image, ...]:
        """Active images by name, in one call."""
        query = f"/v2/images?status=active&sort_key=name&sort_dir=asc&limit={limit}"
        found = self._rest.call("list images", "GET", query).json()["images"]
        return tuple(
            Image(item["id"], item["name"] or item["id"], item["size"] or 0, item["min_disk"], item["min_ram"])
            for item in found
        )

"""What a person typed into the form of an instance, and the params that it means.

Each value has the path that problems name: "name", "volumes.0.size". Texts stay as they were typed; what is no number
stays a text, about which the check has its own words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.orchestration.instances.request import MOST_NETWORKS, MOST_VOLUMES

IMAGE, VOLUME = "image", "volume"
#: The fields of each kind of row, with how many rows there may be.
ROWS = {"networks": (("network", "fixed_ip"), MOST_NETWORKS), "volumes": (("size", "type", "delete"), MOST_VOLUMES)}
TEXTS = (
    "name",
    "count",
    "min_count",
    "flavor",
    "source",
    "image",
    "boot_volume.size",
    "boot_volume.type",
    "boot_volume.delete",
    "key_name",
    "server_group",
    "availability_zone",
    "metadata",
    "user_data",
    "config_drive",
)
Row = Mapping[str, str]


@dataclass(frozen=True)
class Typed:
    """The form's values: ``texts`` by path, ``groups`` of security, ``rows`` by their kind. A ticked box is "on"."""

    texts: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)

    def text(self, path: str) -> str:
        """What was typed, or an empty text."""
        return self.texts.get(path, "")

    @property
    def boots_from_volume(self) -> bool:
        """Whether the image is written to a volume first."""
        return self.text("source") == VOLUME

    def with_row(self, kind: str) -> "Typed":
        """One more row, as far as there may be more."""
        rows = self.rows.get(kind, ())
        return self._with(kind, (*rows, {})[: ROWS[kind][1]])

    def without_row(self, kind: str, index: int) -> "Typed":
        """Without one of the rows."""
        return self._with(kind, tuple(row for place, row in enumerate(self.rows.get(kind, ())) if place != index))

    def _with(self, kind, rows):
        return Typed(self.texts, self.groups, {**self.rows, kind: rows})


def empty(network: str) -> Typed:
    """A new form: one instance from an image on a network, the one that is named where there is no other."""
    rows = {"networks": ({"network": network},), "volumes": ()}
    return Typed({"count": "1", "source": IMAGE, "boot_volume.delete": "on"}, (), rows)


def read(post: Any) -> Typed:
    """What was posted, a ``QueryDict``."""
    return Typed(
        texts={path: post.get(path, "") for path in TEXTS},
        groups=tuple(group for each in post.getlist("security_groups") for group in each.split(",") if group.strip()),
        rows={kind: tuple(_rows(post, kind, *shape)) for kind, shape in ROWS.items()},
    )


def _rows(post, kind, names, most):
    """The rows that the form had; a browser does not send a box without a tick, but always the first field."""
    for index in range(most):
        if f"{kind}.{index}.{names[0]}" not in post:
            return
        yield {name: post.get(f"{kind}.{index}.{name}", "") for name in names}


def params(typed: Typed, user_data_ref: str = "") -> dict[str, Any]:
    """The params of ``instance.create``; without a least number all instances are needed."""
    least = typed.text("min_count")
    return ({"min_count": _number(least)} if least.strip() else {}) | {
        "name": typed.text("name").strip(),
        "count": _number(typed.text("count")),
        "flavor": typed.text("flavor").strip(),
        "image": typed.text("image").strip(),
        "boot_volume": _boot_volume(typed) if typed.boots_from_volume else None,
        "volumes": [_volume(row) for row in typed.rows["volumes"]],
        "networks": [
            {"network": row.get("network", "").strip(), "fixed_ip": row.get("fixed_ip", "").strip()}
            for row in typed.rows["networks"]
        ],
        "security_groups": [group.strip() for group in typed.groups],
        "key_name": typed.text("key_name").strip(),
        "server_group": typed.text("server_group").strip(),
        "availability_zone": typed.text("availability_zone").strip(),
        "metadata": metadata(typed.text("metadata")),
        "user_data_ref": user_data_ref,
        "config_drive": typed.text("config_drive") == "on",
    }


def _boot_volume(typed):
    return _volume({name: typed.text(f"boot_volume.{name}") for name in ("size", "type", "delete")})


def _volume(row):
    return {
        "size": _number(row.get("size", "")),
        "type": row.get("type", "").strip(),
        "delete": row.get("delete", "") == "on",
    }


def _number(text: str) -> int | str | None:
    """The number that was typed; None where nothing was, and the text where it is none."""
    text = text.strip()
    if not text:
        return None
    return int(text) if text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 10 else text


def metadata(text: str) -> dict[str, str]:
    """Lines of "key = value"; a line without "=" is a key without a value."""
    pairs = (line.partition("=") for line in text.splitlines() if line.strip())
    return {key.strip(): value.strip() for key, _equals, value in pairs}

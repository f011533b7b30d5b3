"""Volumes and what bounds them, in Cinder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.services.errors import NotFound
from tripleo_ui.services.nova import Limit
from tripleo_ui.services.rest import Rest

#: Metadata of volumes that requests of ours made: the request's id, and whether they go with their instance.
MARK = "tripleo_ui_request"
DELETE = "tripleo_ui_delete"
LIMIT = 1000


@dataclass(frozen=True)
class Volume:
    """A volume; ``size`` in GiB, ``servers`` are ids of the servers that have it."""

    id: str
    name: str
    status: str
    size: int
    type: str = ""
    bootable: bool = False
    servers: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def request(self) -> str:
        """The id of the request that made it, or empty."""
        return self.metadata.get(MARK, "")

    @property
    def goes_along(self) -> bool:
        """Whether it is deleted with its instance."""
        return bool(self.request) and self.metadata.get(DELETE) == "true"


class Cinder:
    """Calls to Cinder."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def limits(self) -> dict[str, Limit]:
        """The project's quotas: volumes, gigabytes."""
        found = self._rest.call("show limits", "GET", "/limits").json()["limits"]["absolute"]
        return {
            "volumes": Limit(found["totalVolumesUsed"], found["maxTotalVolumes"]),
            "gigabytes": Limit(found["totalGigabytesUsed"], found["maxTotalVolumeGigabytes"]),
        }

    def types(self) -> dict[str, str]:
        """The ids and names of the volume types that the project may use."""
        found = self._rest.call("list volume types", "GET", f"/types?limit={LIMIT}").json()["volume_types"]
        return {item["id"]: item["name"] for item in found}

    def zones(self) -> tuple[str, ...]:
        """The names of availability zones that can be used now."""
        answer = self._rest.call("list availability zones", "GET", "/os-availability-zone")
        found = answer.json()["availabilityZoneInfo"]
        return tuple(sorted(item["zoneName"] for item in found if item["zoneState"]["available"]))

    def marked(self, request_id: str) -> tuple[Volume, ...]:
        """The project's volumes that a request made."""
        found: list[Volume] = []
        query = {"metadata": json.dumps({MARK: request_id}), "limit": str(LIMIT)}
        while True:
            answer = self._rest.call("list volumes", "GET", "/volumes/detail", params=query).json()
            page = list(map(_volume, answer["volumes"]))
            # An operator may have closed that filter; then Cinder answers all volumes.
            found += [volume for volume in page if volume.request == request_id]
            if not page or not answer.get("volumes_links"):
                return tuple(found)
            query["marker"] = page[-1].id

    def volume(self, volume_id: str) -> Volume | None:
        """A volume, or None where it is gone."""
        try:
            return _volume(self._rest.call("show volume", "GET", f"/volumes/{volume_id}").json()["volume"])
        except NotFound:
            return None

    def create(self, request_id: str, body: Mapping[str, Any], *, delete: bool) -> str:
        """Begin to make a volume with a request's mark; ``body`` is Cinder's. Answers its id."""
        marks = {MARK: request_id, DELETE: str(delete).lower()}
        volume = {**body, "metadata": marks}
        answer = self._rest.call("create volume", "POST", "/volumes", json={"volume": volume})
        return str(answer.json()["volume"]["id"])

    def delete(self, volume_id: str) -> None:
        """Begin to delete a volume; one that is gone is no error."""
        self._rest.call("delete volume", "DELETE", f"/volumes/{volume_id}", expect=(404,))


def _volume(item: Mapping[str, Any]) -> Volume:
    return Volume(
        id=item["id"],
        name=item["name"] or "",
        status=item["status"],
        size=item["size"],
        type=item.get("volume_type") or "",
        bootable=str(item.get("bootable")).lower() == "true",
        servers=tuple(each["server_id"] for each in item.get("attachments") or () if each.get("server_id")),
        metadata=item.get("metadata") or {},
    )

"""Containers and objects in Swift, as far as plans need them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tripleo_ui.services.rest import Rest

PAGE = 1000


@dataclass(frozen=True)
class Version:
    """One version of an object: its content never changes. ``size`` in bytes."""

    id: str
    etag: str
    size: int

    def as_dict(self) -> dict[str, Any]:
        """The version as a manifest keeps it."""
        return {"version_id": self.id, "etag": self.etag, "size": self.size}

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> "Version":
        """The version that ``as_dict`` wrote."""
        return cls(item["version_id"], item["etag"], item["size"])


class Container:
    """One container; it may not exist yet."""

    def __init__(self, rest: Rest, name: str) -> None:
        self._rest = rest
        self.name = name
        self._path = f"/{quote(name, safe='')}"

    def _object(self, name: str, version: str = "") -> str:
        return f"{self._path}/{quote(name)}" + (f"?version-id={version}" if version else "")

    def create(self, metadata: Mapping[str, str]) -> None:
        """Make it with versioned objects, or make sure that it is so."""
        headers = {"X-Versions-Enabled": "true"} | _meta(metadata)
        self._rest.call("create container", "PUT", self._path, headers=headers)

    def mark(self, metadata: Mapping[str, str]) -> None:
        """Set metadata of a container that is there."""
        self._rest.call("mark container", "POST", self._path, headers=_meta(metadata))

    def remove(self) -> None:
        """Delete it; one that is gone already is no error."""
        self._rest.call("delete container", "DELETE", self._path, expect=(404,))

    def last(self, prefix: str) -> tuple[dict[str, str], str | None]:
        """The container's metadata, and the last object's name under a prefix, in one call.

        Raises:
            NotFound: there is no such container.
        """
        query = f"{self._path}?format=json&reverse=true&limit=1&prefix={quote(prefix, safe='')}"
        response = self._rest.call("list objects", "GET", query)
        names = [item["name"] for item in response.json()]
        start = "x-container-meta-"
        metadata = {
            key.lower().removeprefix(start): value
            for key, value in response.headers.items()
            if key.lower().startswith(start)
        }
        return metadata, names[0] if names else None

    def names(self, prefix: str, limit: int = PAGE) -> list[str]:
        """Names of objects under a prefix, last first."""
        query = f"{self._path}?format=json&reverse=true&limit={limit}&prefix={quote(prefix, safe='')}"
        return [item["name"] for item in self._rest.call("list objects", "GET", query).json()]

    def versions(self) -> list[tuple[str, str]]:
        """A page of names with version ids, delete markers among them; objects without versions have "null"."""
        query = f"{self._path}?format=json&versions=&limit={PAGE}"
        response = self._rest.call("list versions", "GET", query, expect=(404,))
        return [] if response.status_code == 404 else [(i["name"], i["version_id"]) for i in response.json()]

    def read(self, name: str, version: str = "") -> tuple[bytes, str]:
        """An object's content and ETag.

        Raises:
            NotFound: there is no such object, or no such version.
        """
        response = self._rest.call(f"read {name}", "GET", self._object(name, version))
        return response.content, response.headers["Etag"].strip('"')

    def write(self, name: str, content: bytes) -> Version:
        """Write a new version of an object."""
        response = self._rest.call(f"write {name}", "PUT", self._object(name), data=content)
        etag = response.headers["Etag"].strip('"')
        return Version(response.headers["X-Object-Version-Id"], etag, len(content))

    def write_once(self, name: str, content: bytes) -> str | None:
        """Write an object that must not exist; answers its ETag, or None where somebody else was first."""
        headers = {"If-None-Match": "*"}
        response = self._rest.call(
            f"write {name}", "PUT", self._object(name), headers=headers, data=content, expect=(412,)
        )
        return None if response.status_code == 412 else response.headers["Etag"].strip('"')

    def promote(self, name: str, version: str) -> None:
        """Make a version the one that is seen at the object's name."""
        self._rest.call(f"restore {name}", "PUT", self._object(name, version), data=b"", expect=(404,))

    def delete(self, name: str, version: str = "") -> None:
        """Delete an object or a version of it; one that is gone already is no error."""
        self._rest.call(f"delete {name}", "DELETE", self._object(name, version), expect=(404,))


def containers(rest: Rest, prefix: str, limit: int, marker: str = "") -> list[str]:
    """Names of containers under a prefix, after ``marker``, in one call."""
    after = f"&marker={quote(marker, safe='')}" if marker else ""
    query = f"?format=json&limit={limit}&prefix={quote(prefix, safe='')}{after}"
    response = rest.call("list containers", "GET", query, expect=(404,))
    return [] if response.status_code in {204, 404} else [item["name"] for item in response.json()]


def _meta(metadata: Mapping[str, str]) -> dict[str, str]:
    return {f"X-Container-Meta-{key}": value for key, value in metadata.items()}

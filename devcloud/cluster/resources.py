"""The kinds that an API serves, built in or brought by a CustomResourceDefinition."""

import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

ALL_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")


@dataclass(frozen=True)
class Resource:
    """A kind with its place in the API.

    Attributes:
        group: its group; empty for the core.
        version: its version.
        plural: its name in paths.
        kind: its name in objects.
        namespaced: whether its objects live in namespaces.
        short: short names for kubectl.
        subresources: what objects have below them, such as ``status``.
        verbs: what one may do.
        storage: under which name objects are kept; views of the same objects share it.
        singular: its singular name.
        custom: whether a CustomResourceDefinition brought it.
    """

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool = True
    short: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ALL_VERBS
    storage: str = ""
    singular: str = ""
    custom: bool = False

    @property
    def api_version(self) -> str:
        """Group and version as objects have them."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def title(self) -> str:
        """Its name in messages: ``deployments.apps``."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def stored(self) -> str:
        """Under which name its objects are kept."""
        return self.storage or self.title

    @property
    def path(self) -> str:
        """The path of its group and version."""
        return f"/apis/{self.api_version}" if self.group else f"/api/{self.version}"


class Registry:
    """What one cluster serves now."""

    def __init__(self, resources: Iterable[Resource]):
        self._resources: dict[tuple[str, str, str], Resource] = {}
        for resource in resources:
            self.add(resource)

    def __iter__(self) -> Iterator[Resource]:
        return iter(list(self._resources.values()))

    def add(self, resource: Resource) -> None:
        """Serve a resource, or serve it differently from now on."""
        self._resources[resource.group, resource.version, resource.plural] = resource

    def remove(self, group: str, plural: str) -> None:
        """Serve a resource no longer, in no version."""
        for key in [key for key in self._resources if (key[0], key[2]) == (group, plural)]:
            del self._resources[key]

    def get(self, group: str, version: str, plural: str) -> Resource | None:
        """Return a resource by its place."""
        return self._resources.get((group, version, plural))

    def named(self, title: str) -> Resource:
        """Return a resource by its title, such as ``deployments.apps``.

        Raises:
            KeyError: there is none.
        """
        return next(self._titled(title), None) or _unknown(title)

    def serves(self, title: str) -> bool:
        """Whether there is a resource of that title."""
        return next(self._titled(title), None) is not None

    def _titled(self, title: str) -> Iterator[Resource]:
        return (resource for resource in self._resources.values() if resource.title == title)

    def groups(self) -> dict[str, list[str]]:
        """Return versions by group, the preferred one first."""
        found: dict[str, list[str]] = {}
        for group, version, _plural in self._resources:
            versions = found.setdefault(group, [])
            if version not in versions:
                versions.append(version)
        return found

    def of(self, group: str, version: str) -> list[Resource]:
        """Return the resources of a group's version."""
        return [r for r in self._resources.values() if (r.group, r.version) == (group, version)]


def _unknown(title: str) -> typing.NoReturn:
    raise KeyError(title)

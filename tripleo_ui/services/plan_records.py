"""A stored plan's records: what a manifest says, and what a conflict is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.services.errors import Conflict
from tripleo_ui.services.swift import Version


@dataclass(frozen=True)
class PlanInfo:
    """A revision of a plan, without the content of its files; ``updated_at`` is UTC in ISO 8601."""

    name: str
    revision: int
    etag: str
    description: str = ""
    author: str = ""
    updated_at: str = ""
    save_id: str = ""
    files: Mapping[str, Version] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredPlan:
    """A revision of a plan with its files: ``{file name: text}``."""

    info: PlanInfo
    files: Mapping[str, str]


@dataclass(frozen=True)
class Page:
    """Some of the plans; ``marker`` asks for the next page and is empty on the last one."""

    items: tuple[PlanInfo, ...]
    marker: str = ""


class PlanConflict(Conflict):
    """Somebody else saved or deleted the plan meanwhile.

    ``current`` is what is stored now, or None where it is deleted. ``changes`` says for each file that differs from
    what the caller had read whether it was added, removed or changed.
    """

    def __init__(self, name: str, current: PlanInfo | None, changes: Mapping[str, str]) -> None:
        who = f"{current.author or 'somebody'} saved revision {current.revision}" if current else "it was deleted"
        super().__init__(
            "swift",
            "save plan",
            f"the plan {name} has changed: {who}",
            status=412,
            next_step="Look at what changed, then save on top of it or take it over.",
        )
        self.current = current
        self.changes = changes


def changes(old: Mapping[str, Version], new: Mapping[str, Version]) -> dict[str, str]:
    """Which files differ between two revisions: added, removed or changed, by name."""
    found = dict.fromkeys(new.keys() - old.keys(), "added")
    found |= dict.fromkeys(old.keys() - new.keys(), "removed")
    found |= {file: "changed" for file in new.keys() & old.keys() if new[file].etag != old[file].etag}
    return dict(sorted(found.items()))


def info_of(name: str, manifest: Mapping[str, Any], etag: str) -> PlanInfo:
    """The revision that a manifest describes; ``etag`` is the manifest's own."""
    return PlanInfo(
        name=name,
        revision=manifest["revision"],
        etag=f"{manifest['revision']}-{etag}",
        description=manifest["description"],
        author=manifest["author"],
        updated_at=manifest["updated_at"],
        save_id=manifest["save_id"],
        files={file: Version.of(item) for file, item in manifest["files"].items()},
    )

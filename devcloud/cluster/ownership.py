"""Who manages which fields: what server-side apply decides by, kept in ``metadata.managedFields``.

A field is a path of elements as FieldsV1 writes them: ``f:spec``, ``k:{"name":"a"}``, ``v:"x"``.
"""

import json
import typing
from dataclasses import dataclass

from devcloud.cluster import errors
from devcloud.cluster.lists import is_set, key_of

Object = dict[str, typing.Any]
Path = tuple[str, ...]
Paths = dict[Path, typing.Any]

_SYSTEM = {
    *("name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "generateName"),
}


@dataclass
class Manager:
    """A manager with the fields that it has set."""

    name: str
    operation: str
    paths: set[Path]
    time: str
    api_version: str

    def written(self) -> Object:
        """Return its entry of ``managedFields``."""
        return {
            "manager": self.name,
            "operation": self.operation,
            "apiVersion": self.api_version,
            "time": self.time,
            "fieldsType": "FieldsV1",
            "fieldsV1": _nested(self.paths),
        }


def read(content: Object) -> list[Manager]:
    """Return the managers of an object."""
    return [
        Manager(
            entry.get("manager", ""),
            entry.get("operation", "Update"),
            set(_flat(entry.get("fieldsV1") or {}, ())),
            entry.get("time", ""),
            entry.get("apiVersion", ""),
        )
        for entry in content["metadata"].get("managedFields") or []
    ]


def write(content: Object, managers: list[Manager]) -> None:
    """Put managers into an object, those with no fields left out."""
    found = [manager.written() for manager in managers if manager.paths]
    if found:
        content["metadata"]["managedFields"] = found
    else:
        content["metadata"].pop("managedFields", None)


def paths(content: Object) -> Paths:
    """Return the fields of an object that somebody may manage, with their values."""
    found: Paths = {}
    for name, value in content.items():
        if name == "metadata":
            kept = {key: inner for key, inner in value.items() if key not in _SYSTEM}
            _collect(kept, ("f:metadata",), found)
        elif name not in {"apiVersion", "kind", "status"}:
            _collect_field(name, value, (f"f:{name}",), found)
    return found


def _collect(content: Object, path: Path, found: Paths) -> None:
    for name, value in content.items():
        _collect_field(name, value, (*path, f"f:{name}"), found)


def _collect_field(name: str, value: typing.Any, path: Path, found: Paths) -> None:
    if isinstance(value, dict) and value:
        _collect(value, path, found)
    elif isinstance(value, list) and (key := key_of(name, value)):
        for item in value:
            place = (*path, f"k:{json.dumps({key: item[key]}, separators=(',', ':'))}")
            found[(*place, ".")] = None
            _collect(item, place, found)
    elif isinstance(value, list) and is_set(name):
        found.update({(*path, f"v:{json.dumps(item)}"): None for item in value})
    else:
        found[path] = value


def note_update(old: Object | None, new: Object, manager: str, api_version: str, time: str) -> None:
    """Record in a new object who changed what of the old one by other means than apply."""
    before = paths(old) if old else {}
    after = paths(new)
    changed = {path for path, value in after.items() if path not in before or before[path] != value}
    gone = before.keys() - after.keys()
    managers = read(new if old is None else {"metadata": old["metadata"]})
    if not changed and not gone:
        write(new, managers)
        return
    for other in managers:
        other.paths -= gone | changed
    mine = next((m for m in managers if (m.name, m.operation) == (manager, "Update")), None)
    if mine is None:
        mine = Manager(manager, "Update", set(), time, api_version)
        managers.append(mine)
    mine.paths |= changed
    mine.time = time
    write(new, managers)


def apply(live: Object, wanted: Object, manager: str, force: bool, time: str) -> Object:
    """Return a live object with what a manager wants, and without what it no longer wants.

    Raises:
        ApiError: 409, other managers have other values of some fields.
    """
    applied, current = paths(wanted), paths(live)
    managers = read(live)
    others = [m for m in managers if (m.name, m.operation) != (manager, "Apply")]
    mine = next((m for m in managers if (m.name, m.operation) == (manager, "Apply")), None)
    contested = {p for p, value in applied.items() if p in current and current[p] != value}
    conflicts = [(other, path) for other in others for path in sorted(other.paths & contested)]
    if conflicts and not force:
        raise errors.field_conflict([_cause(other, path) for other, path in conflicts])
    for other in others:
        other.paths -= contested
    abandoned = (mine.paths if mine else set()) - applied.keys()
    abandoned -= {path for other in others for path in other.paths}
    result = _merge(live, {key: value for key, value in wanted.items() if key != "status"}, "")
    # Items go before what is in them: an item that nobody lists any more is gone as a whole.
    for path in sorted(abandoned, key=lambda path: (path[-1] != ".", path)):
        _remove(result, path[:-1] if path[-1] == "." else path)
    if mine is None:
        mine = Manager(manager, "Apply", set(), time, wanted.get("apiVersion", ""))
        managers.append(mine)
    if mine.paths != set(applied):
        mine.paths, mine.time = set(applied), time
    write(result, managers)
    return result


def _cause(other: Manager, path: Path) -> errors.Cause:
    operation = f" using {other.api_version}" if other.operation == "Update" else ""
    message = f'conflict with "{other.name}"{operation}'
    return {"reason": "FieldManagerConflict", "message": message, "field": _shown(path)}


def _shown(path: Path) -> str:
    text = ""
    for element in path:
        kind, _, rest = element.partition(":")
        if kind == "f":
            text += f".{rest}"
        elif kind == "k":
            ((name, value),) = json.loads(rest).items()
            text += f"[{name}={json.dumps(value)}]"
        elif kind == "v":
            text += f"[={rest}]"
    return text


def _merge(live: typing.Any, wanted: typing.Any, name: str) -> typing.Any:
    if isinstance(wanted, dict):
        result = dict(live) if isinstance(live, dict) else {}
        result.update({key: _merge(result.get(key), value, key) for key, value in wanted.items()})
        return result
    if isinstance(wanted, list) and isinstance(live, list):
        if is_set(name):
            return [*live, *(item for item in wanted if item not in live)]
        if key := key_of(name, live, wanted):
            merged = {item[key]: item for item in live}
            for item in wanted:
                merged[item[key]] = _merge(merged.get(item[key]), item, "")
            return list(merged.values())
    return wanted


def _remove(content: typing.Any, path: Path) -> None:
    """Remove a field, and the maps that are empty without it."""
    element, rest = path[0], path[1:]
    kind, _, text = element.partition(":")
    if kind == "f" and isinstance(content, dict) and text in content:
        if rest:
            _remove(content[text], rest)
        if not rest or content[text] in ({}, []):
            del content[text]
    elif kind == "k" and isinstance(content, list):
        ((name, value),) = json.loads(text).items()
        for item in [item for item in content if item.get(name) == value]:
            if rest:
                _remove(item, rest)
            else:
                content.remove(item)
    elif kind == "v" and isinstance(content, list) and json.loads(text) in content:
        content.remove(json.loads(text))


def _nested(flat: set[Path]) -> Object:
    tree: Object = {}
    for path in sorted(flat):
        place = tree
        for element in path:
            place = place.setdefault(element, {})
    return tree


def _flat(tree: Object, path: Path) -> typing.Iterator[Path]:
    for element, below in tree.items():
        if below:
            yield from _flat(below, (*path, element))
        else:
            yield (*path, element)

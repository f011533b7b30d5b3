"""Edits of YAML texts that leave every other byte as it is: comments, order, quotes.

An edit works on the text's node graph. What comes out is parsed and compared with what was meant; where text and
meaning cannot be brought together (aliases, merged keys), the file is written anew from its data.
"""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.yamlio import Document

Path = Sequence[Any]


@dataclass(frozen=True)
class _Change:
    start: int
    end: int
    text: str


class Editor:
    r"""Collects the edits of one file.

    >>> editor = Editor(yamlio.load("count: '1'  # few\n", "x.yaml"))
    >>> editor.set(("count",), 2)
    >>> editor.text()
    'count: 2  # few\n'
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._data = copy.deepcopy(document.data)
        self._changes: list[_Change] = []
        self._added: dict[int, list[str]] = {}
        self._filled: dict[tuple[Any, ...], yaml.Node] = {}
        self._patchable = document.root is not None
        self._touched = False

    def has(self, path: Path) -> bool:
        """Whether the file, edited so far, has something at a path."""
        return _find(self._data, path) is not _NOTHING

    def get(self, path: Path) -> Any:
        """The data at a path, edited so far; None where there is nothing."""
        found = _find(self._data, path)
        return None if found is _NOTHING else found

    def set(self, path: Path, value: Any) -> None:
        """Put a value at a path; mappings on the way are made where they are missing or null."""
        self._touched = True
        fresh = self._put(path, value)
        if not self._patchable:
            return
        if fresh:
            self._insert(path, value)
            return
        node = self._document.node(path)
        if node is None:
            self._patchable = False
        else:
            self._changes.append(_Change(node.start_mark.index, _end(node), _inline(value, node) + self._break(node)))

    def remove(self, path: Path) -> None:
        """Take a key with its value out of its mapping, or an item out of its list; fine when it is not there."""
        *outer, last = path
        parent = _find(self._data, outer)
        if isinstance(parent, dict):
            if last not in parent:
                return
        elif not (isinstance(parent, list) and isinstance(last, int) and last < len(parent)):
            return
        self._touched = True
        if isinstance(parent, list):
            self._patchable = False
        del parent[last]
        if not parent and isinstance(parent, dict):
            self._patchable = self._patchable and self._emptied(outer)
            return
        self._cut(outer, last)

    def text(self) -> str:
        """The edited text."""
        if not self._touched:
            return self._document.text
        if self._patchable:
            text = self._patched()
            try:
                if yamlio.load(text, self._document.file).data == self._data:
                    return text
            except PlanningError:
                pass
        return yamlio.dump(self._data)

    def _put(self, path: Path, value: Any) -> bool:
        """Put into the data; answers whether the key is new."""
        if not isinstance(self._data, dict):
            self._data, self._patchable = {}, False
        target = self._data
        for step in path[:-1]:
            below = target[step] if isinstance(target, list) else target.get(step)
            if below is None:
                below = target[step] = {}
            target = below
        fresh = isinstance(target, dict) and path[-1] not in target
        target[path[-1]] = copy.deepcopy(value)
        return fresh

    def _insert(self, path: Path, value: Any) -> None:
        """Add an entry at the end of the deepest mapping that exists, with whatever is missing in between."""
        depth = len(path) - 1
        node = self._document.node(path[:depth])
        while depth and (not isinstance(node, yaml.MappingNode) or _is_empty(node)):
            depth -= 1
            node = self._document.node(path[:depth])
        below = self._document.node(path[: depth + 1])
        if below is not None and depth + 1 < len(path) and _is_empty(below):
            self._filled[tuple(path[: depth + 1])] = below
            return
        if below is not None or not isinstance(node, yaml.MappingNode) or node.flow_style or not node.value:
            self._patchable = False
            return
        for step in reversed(path[depth + 1 :]):
            value = {step: value}
        entry = yamlio.dump({path[depth]: value})
        indent = " " * node.value[0][0].start_mark.column
        lines = [indent + line if line.strip() else line for line in entry.splitlines(keepends=True)]
        self._added.setdefault(self._after(node), []).append("".join(lines))

    def _after(self, node: yaml.Node) -> int:
        """Where an entry after the last one of a block mapping begins: the start of the next line."""
        text, at = self._document.text, _end(node)
        if at and text[at - 1] == "\n":
            return at
        end = text.find("\n", at)
        return len(text) if end < 0 else end + 1

    def _cut(self, outer: Path, last: Any) -> None:
        node = self._document.node(outer)
        entries = node.value if isinstance(node, yaml.MappingNode) and not node.flow_style else []
        for index, (key, value) in enumerate(entries):
            if isinstance(key, yaml.ScalarNode) and key.value == str(last):
                start = self._line_start(key.start_mark.index)
                next_key = entries[index + 1][0].start_mark.index if index + 1 < len(entries) else None
                end = self._after(value) if next_key is None else self._line_start(next_key)
                self._changes.append(_Change(start, end, ""))
                return
        self._patchable = False

    def _emptied(self, path: Path) -> bool:
        """Write an empty mapping; a null would be one more thing for a reader to care about."""
        node = self._document.node(path)
        if node is None or not path:
            return False
        start, end = self._colon(path), _end(node)
        self._changes = [each for each in self._changes if not start <= each.start < end]
        self._changes.append(_Change(start, end, " {}" + self._break(node)))
        return True

    def _break(self, node: yaml.Node) -> str:
        """The line break that a block of text takes with it."""
        end = _end(node)
        return "\n" if end > node.start_mark.index and self._document.text[end - 1] == "\n" else ""

    def _colon(self, path: Path) -> int:
        """Where a mapping's value may begin: behind the colon of its key."""
        found = yamlio.entry(self._document.node(path[:-1]), path[-1])
        return self._document.text.find(":", _end(found[0])) + 1 if found else 0

    def _line_start(self, index: int) -> int:
        return self._document.text.rfind("\n", 0, index) + 1

    def _fill(self, path: Path, node: yaml.Node) -> _Change:
        """Write a mapping that was empty as a block below its key."""
        found = yamlio.entry(self._document.node(path[:-1]), path[-1])
        indent = " " * (found[0].start_mark.column + 2 if found else 2)
        block = yamlio.dump(_find(self._data, path)).rstrip("\n")
        lines = "".join(indent + line for line in block.splitlines(keepends=True))
        colon = self._colon(path)
        return _Change(colon, max(_end(node), colon), "\n" + lines)

    def _patched(self) -> str:
        text = self._document.text
        changes = list(self._changes)
        changes += [
            self._fill(path, node)
            for path, node in self._filled.items()
            if _find(self._data, path) not in (None, _NOTHING)
        ]
        for at, entries in self._added.items():
            before = "" if at == 0 or text[at - 1] == "\n" else "\n"
            changes.append(_Change(at, at, before + "".join(entries)))
        changes.sort(key=lambda change: (change.start, change.end))
        for change in reversed(changes):
            text = text[: change.start] + change.text + text[change.end :]
        return text


_NOTHING = object()


def _find(data: Any, path: Path) -> Any:
    for step in path:
        if isinstance(data, list):
            there = isinstance(step, int) and step < len(data)
        else:
            there = isinstance(data, dict) and step in data
        if not there:
            return _NOTHING
        data = data[step]
    return data


def _is_empty(node: yaml.Node) -> bool:
    """Whether it is an empty mapping, or nothing at all behind a key."""
    return (isinstance(node, yaml.MappingNode) and not node.value) or node.tag == "tag:yaml.org,2002:null"


def _end(node: yaml.Node) -> int:
    """Where a node's text ends; a block collection's own mark lies behind blank lines and comments."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _inline(value: Any, old: yaml.Node) -> str:
    """A value in place of another: in its style of quotes where that can be, as JSON otherwise."""
    return _scalar(value, old) if isinstance(old, yaml.ScalarNode) else json.dumps(value, ensure_ascii=False)


def _scalar(value: Any, old: yaml.ScalarNode) -> str:
    if isinstance(value, str) and "\n" not in value:
        if old.style == "'":
            return "'" + value.replace("'", "''") + "'"
        if not old.style and _is_plain(value):
            return value
    return json.dumps(value, ensure_ascii=False)


def _is_plain(value: str) -> bool:
    """Whether a text means itself without quotes, in a list within brackets too."""
    try:
        return bool(yamlio.load(f"[{value}]", "").data == [value]) and yamlio.dump([value]) == f"- {value}\n"
    except PlanningError:
        return False

"""Edits of YAML texts that leave every other byte as it is: comments, order, quotes.

An editor changes a file's data. For the text, old and new data are compared along the file's node graph, and only what
differs is replaced. What comes out is parsed and compared with what was meant; where text and meaning cannot be
brought together (aliases, merged keys), the file is written anew from its data.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.yamlio import Document

Path = Sequence[Any]
_NOTHING = object()


class Editor:
    r"""Changes one file.

    >>> editor = Editor(yamlio.load("count: '1'  # few\n", "x.yaml"))
    >>> editor.set(("count",), 2)
    >>> editor.text()
    'count: 2  # few\n'
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._data = _unshared(document.data)

    @property
    def data(self) -> Any:
        """What the file says, edited so far; not to be changed."""
        return self._data

    def has(self, path: Path) -> bool:
        """Whether there is something at a path, edited so far."""
        return _find(self._data, path) is not _NOTHING

    def get(self, path: Path) -> Any:
        """The data at a path, edited so far; None where there is nothing."""
        found = _find(self._data, path)
        return None if found is _NOTHING else found

    def set(self, path: Path, value: Any) -> None:
        """Put a value at a path; mappings on the way are made where they are missing or null."""
        if not isinstance(self._data, dict):
            self._data = {}
        target = self._data
        for step in path[:-1]:
            below = target[step] if isinstance(target, list) else target.get(step)
            if below is None:
                below = target[step] = {}
            target = below
        target[path[-1]] = _unshared(value)

    def remove(self, path: Path) -> None:
        """Take a key with its value out of its mapping, or an item out of its list; fine when it is not there."""
        *outer, last = path
        parent = _find(self._data, outer)
        there = isinstance(parent, dict) and last in parent
        if there or (isinstance(parent, list) and isinstance(last, int) and last < len(parent)):
            del parent[last]

    def text(self) -> str:
        """The edited text."""
        document = self._document
        if same(document.data, self._data):
            return document.text
        if document.root is not None:
            text = _patched(document, self._data)
            try:
                if same(yamlio.load(text, document.file).data, self._data):
                    return text
            except PlanningError:
                pass
        return yamlio.dump(self._data)


def same(one: Any, other: Any) -> bool:
    """Whether two pieces of data are equal in type too: 1, 1.0 and true differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def _unshared(value: Any) -> Any:
    """A copy in which what aliases repeat is repeated, so that an edit changes one place alone."""
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, list) else value


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


@dataclass(frozen=True)
class _Change:
    """Text in place of a part of the file; of several at one place, those of deeper columns come first."""

    start: int
    end: int
    text: str
    column: int = 0


def _patched(document: Document, data: Any) -> str:
    assert document.root is not None  # noqa: S101 - for the type checker; the caller looked
    text = document.text
    changes = sorted(
        _Patch(text).changes(document.root, document.data, data, None),
        key=lambda change: (change.start, change.end, -change.column),
    )
    for change in reversed(changes):
        before = "\n" if change.column >= 0 and change.start == change.end == len(text) and text[-1:] != "\n" else ""
        text = text[: change.start] + before + change.text + text[change.end :]
    return text


class _Patch:
    """Finds the changes that make a text say something else."""

    def __init__(self, text: str) -> None:
        self._text = text

    def changes(self, node: yaml.Node, old: Any, new: Any, key: yaml.Node | None) -> Iterator[_Change]:
        """The changes of one value.

        Args:
            node: the value's node.
            old: its data.
            new: its new data.
            key: its key's node, where it has one.
        """
        if same(old, new):
            return
        if isinstance(node, yaml.MappingNode) and isinstance(new, dict) and new and node.value:
            yield from self._mapping(node, old, new, key)
        elif isinstance(node, yaml.SequenceNode) and isinstance(new, list) and len(new) == len(old):
            for item, before, after in zip(node.value, old, new, strict=True):
                yield from self.changes(item, before, after, None)
        else:
            yield self._replaced(node, new, key)

    def _mapping(
        self, node: yaml.MappingNode, old: dict[Any, Any], new: dict[Any, Any], key: yaml.Node | None
    ) -> Iterator[_Change]:
        if node.flow_style and old.keys() != new.keys():
            yield self._replaced(node, new, key)
            return
        entries = [(self._name(each, old), each, value) for each, value in node.value]
        for index, (name, each, value) in enumerate(entries):
            if name is not _NOTHING and name not in new:
                start = self._line_start(each.start_mark.index)
                last = index + 1 == len(entries)
                end = self._after(value) if last else self._line_start(entries[index + 1][1].start_mark.index)
                yield _Change(start, end, "", -1)
            elif name is not _NOTHING:
                yield from self.changes(value, old[name], new[name], each)
        known = {name for name, _each, _value in entries if name is not _NOTHING}
        fresh = {
            name: value for name, value in new.items() if name not in known and not same(old.get(name, _NOTHING), value)
        }
        if fresh:
            column, at = node.value[0][0].start_mark.column, self._after(node)
            yield _Change(at, at, _indented(fresh, column), column)

    @staticmethod
    def _name(key: yaml.Node, data: dict[Any, Any]) -> Any:
        """The data's key that a key's node stands for."""
        if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            return _NOTHING
        return next((name for name in data if str(name) == key.value), _NOTHING)

    def _replaced(self, node: yaml.Node, new: Any, key: yaml.Node | None) -> _Change:
        """A value in place of another: a collection below its key, anything else in the same line."""
        start, end = node.start_mark.index, _end(node)
        tail = "\n" if end > start and self._text[end - 1] == "\n" else ""
        in_flow = isinstance(node, yaml.CollectionNode) and node.flow_style and node.value
        if key is not None and isinstance(new, dict | list) and new and not in_flow and not _short(new):
            colon = self._text.find(":", _end(key)) + 1
            block = "\n" + _indented(new, key.start_mark.column + 2).rstrip("\n")
            return _Change(colon, max(end, colon), block + tail, -1)
        if start == end or _is_block(node):
            colon = self._text.find(":", _end(key)) + 1 if key is not None else start
            return _Change(colon, max(end, colon), f" {_inline(new, node)}" + tail, -1)
        return _Change(start, end, _inline(new, node) + tail, -1)

    def _after(self, node: yaml.Node) -> int:
        """Where the line after a node begins."""
        at = _end(node)
        if at and self._text[at - 1] == "\n":
            return at
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end + 1

    def _line_start(self, index: int) -> int:
        return self._text.rfind("\n", 0, index) + 1


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _short(value: Any) -> bool:
    """Whether a collection is as easy to read in one line."""
    items = value.values() if isinstance(value, dict) else value
    return all(not isinstance(item, dict | list) for item in items) and len(json.dumps(value)) <= 60


def _indented(value: Any, column: int) -> str:
    indent = " " * column
    return "".join(indent + line if line.strip() else line for line in yamlio.dump(value).splitlines(keepends=True))


def _end(node: yaml.Node) -> int:
    """Where a node's text ends; a block collection's own mark lies behind blank lines and comments."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _inline(value: Any, old: yaml.Node) -> str:
    """A value in one line: in the old one's style of quotes where that can be, as JSON otherwise."""
    if isinstance(old, yaml.ScalarNode) and isinstance(value, str) and "\n" not in value:
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

"""YAML as Heat reads it, with lines for messages: dates stay text, a key given twice is an error.

The parser is libyaml's. A ``Document`` keeps the text and the node graph beside the data, so that a message can name
a line and an edit can replace exactly one value.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from tripleo_ui.planning.errors import PlanningError

#: Aliases may repeat a part; more nodes than this after expansion are refused (a 1 MB plan has some 100,000).
MOST_NODES = 2_000_000
_DEEPEST = 200


class _Loader(yaml.CSafeLoader):
    """Constructs what Heat would; refuses what would be lost silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Construct a mapping; the same key twice is an error instead of a lost value."""
        if isinstance(node, yaml.MappingNode):
            seen: dict[Any, int] = {}
            for key_node, _value in node.value:
                if key_node.tag == "tag:yaml.org,2002:merge":
                    continue
                key = self.construct_object(key_node, deep=True)
                if isinstance(key, Hashable):
                    line = key_node.start_mark.line + 1
                    if key in seen:
                        problem = f"the key {key!r} is given twice, first in line {seen[key]}"
                        raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
                    seen[key] = line
        return super().construct_mapping(node, deep=deep)


def _text(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _text)


@dataclass(frozen=True)
class Document:
    """A YAML text, what it says, and where it says it."""

    file: str
    text: str
    data: Any
    root: yaml.Node | None

    def node(self, path: Sequence[Any]) -> yaml.Node | None:
        """The node that a path of keys and indexes leads to, or None."""
        node = self.root
        for step in path:
            found = entry(node, step)
            if found is None:
                return None
            node = found[1]
        return node

    def line(self, path: Sequence[Any] = ()) -> int:
        """The line, from 1, of the deepest part of a path that exists."""
        node, line = self.root, 1
        for step in path:
            found = entry(node, step)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        return line

    def error(self, reason: str, path: Sequence[Any] = ()) -> PlanningError:
        """An error about a part of this text."""
        return PlanningError(reason, self.file, self.line(path))


def entry(node: yaml.Node | None, step: Any) -> tuple[yaml.Node, yaml.Node] | None:
    """The (key node, value node) of a step into a mapping or a list; a list's item is its own key."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == str(step):
                return key, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
        return node.value[step], node.value[step]
    return None


def load(text: str, file: str) -> Document:
    """Parse one YAML document.

    Args:
        text: the file's text.
        file: its name, for messages.

    Raises:
        PlanningError: no YAML, more than one document, a key given twice, aliases that expand beyond reason.
    """
    _refuse_depth(text, file)
    try:
        loader = _Loader(text)
    except yaml.YAMLError as error:
        raise _failure(error, file, text) from None
    try:
        root = loader.get_single_node()
        _refuse_bombs(root, file)
        data = None if root is None else loader.construct_document(root)
    except yaml.YAMLError as error:
        raise _failure(error, file, text) from None
    except ValueError as error:
        if isinstance(error, PlanningError):
            raise
        raise PlanningError(f"a value cannot be read: {error}", file, 1) from None
    finally:
        loader.dispose()
    return Document(file, text, data, root)


def _failure(error: yaml.YAMLError, file: str, text: str) -> PlanningError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        line = min(mark.line, text.rstrip("\n").count("\n")) + 1
        return PlanningError(getattr(error, "problem", None) or str(error), file, line)
    position = getattr(error, "position", None)
    if isinstance(position, int):
        return PlanningError("a character that YAML does not allow", file, text[:position].count("\n") + 1)
    return PlanningError(" ".join(str(error).split()) or "no YAML", file, 1)


def _refuse_depth(text: str, file: str) -> None:
    """Libyaml's binding recurses in C per level, so that depth is checked on the events first."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                depth += 1
                if depth > _DEEPEST:
                    line = event.start_mark.line + 1 if event.start_mark else 1
                    raise PlanningError(f"nested deeper than {_DEEPEST} levels", file, line)
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                depth -= 1
    except yaml.YAMLError as error:
        raise _failure(error, file, text) from None


def _refuse_bombs(root: yaml.Node | None, file: str) -> None:
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: yaml.Node) -> int:
        if isinstance(node, yaml.ScalarNode):
            return 1
        key = id(node)
        if key in sizes:
            return sizes[key]
        if key in open_nodes:
            raise PlanningError("an alias refers to a part that contains it", file, node.start_mark.line + 1)
        open_nodes.add(key)
        children = (child for pair in node.value for child in (pair if isinstance(pair, tuple) else (pair,)))
        sizes[key] = total = 1 + sum(map(size, children))
        open_nodes.discard(key)
        if total > MOST_NODES:
            raise PlanningError("aliases repeat too much of the text", file, node.start_mark.line + 1)
        return total

    if root is not None:
        size(root)


class _Dumper(yaml.CSafeDumper):
    """Writes lists indented under their key and never an alias."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Never write an alias: the same value twice is written twice."""
        return True


def _write_text(dumper: yaml.CSafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _write_text)


def dump(data: Any) -> str:
    """Write YAML: the order of keys as given, no aliases, the same bytes for the same data."""
    return str(yaml.dump(data, Dumper=_Dumper, sort_keys=False, width=110, allow_unicode=True))

"""YAML as Heat reads it, with lines for messages: dates stay text, a key given twice is an error.

The parser is libyaml's. A ``Document`` keeps the text and the node graph beside the data, so that a message can name
a line and an edit can replace exactly one value.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from tripleo_ui import yamlnodes
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.yamlnodes import entry


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


def load(text: str, file: str) -> Document:
    """Parse one YAML document.

    Args:
        text: the file's text.
        file: its name, for messages.

    Raises:
        PlanningError: no YAML, more than one document, a key given twice, aliases that expand beyond reason.
    """
    try:
        return _document(text, file)
    except yamlnodes.Unreadable as error:
        raise PlanningError(error.reason, file, error.line) from None


def _document(text: str, file: str) -> Document:
    yamlnodes.refuse_depth(text)
    try:
        loader = _Loader(text)
    except yaml.YAMLError as error:
        raise yamlnodes.failure(error, text) from None
    try:
        root = loader.get_single_node()
        yamlnodes.refuse_bombs(root)
        data = None if root is None else loader.construct_document(root)
    except yaml.YAMLError as error:
        raise yamlnodes.failure(error, text) from None
    except ValueError as error:
        if isinstance(error, yamlnodes.Unreadable):
            raise
        raise yamlnodes.Unreadable(f"a value cannot be read: {error}") from None
    finally:
        loader.dispose()
    return Document(file, text, data, root)


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

"""YAML as the platform reads it into JSON.

It differs from PyYAML: ``22:22`` and dates are text, ``1e3`` is a number, ``y`` is true, keys become text, and the
last of two keys counts.
"""

import re
from collections.abc import Hashable, Iterator
from typing import Any

import yaml

from tripleo_ui import yamlnodes
from tripleo_ui.catalog import jsontext
from tripleo_ui.catalog.problems import Path
from tripleo_ui.yamlnodes import Unreadable

_MERGE = "tag:yaml.org,2002:merge"
_BOOL = re.compile(r"y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF")
_TRUE = frozenset({"y", "yes", "true", "on"})
_INT = re.compile(r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_NULL = re.compile(r"~|null|Null|NULL|")


class _Loader(yaml.CSafeLoader):
    """Resolves plain values as the platform does; notes keys that come again."""

    yaml_implicit_resolvers: dict[str, list[Any]] = {}

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.duplicates: list[tuple[yaml.Node, int]] = []

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Construct a mapping with text for keys."""
        if not isinstance(node, yaml.MappingNode):
            return super().construct_mapping(node, deep=deep)
        own = {_key(self.construct_object(key, deep=True), key) for key, _value in node.value if key.tag != _MERGE}
        pairs = sum(key.tag != _MERGE for key, _value in node.value)
        if len(own) < pairs:
            seen: set[str] = set()
            for key, _value in node.value:
                name = _key(self.construct_object(key, deep=True), key)
                if name in seen and key.tag != _MERGE:
                    self.duplicates.append((key, key.start_mark.line + 1))
                seen.add(name)
        self.flatten_mapping(node)
        return {
            _key(self.construct_object(key, deep=True), key): self.construct_object(value, deep=deep)
            for key, value in node.value
        }


def _key(value: Any, node: yaml.Node) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    kind = "a list" if isinstance(value, list) else "a map" if isinstance(value, dict) else "null"
    raise Unreadable(f"{kind} as a key; JSON has only texts", node.start_mark.line + 1)


def _bool(loader: _Loader, node: yaml.ScalarNode) -> bool:
    return str(loader.construct_scalar(node)).lower() in _TRUE


def _int(loader: _Loader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node)).replace("_", "")
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    octal = digits.startswith("0") and digits[1:].isdigit()
    try:
        return sign * int(digits, 8 if octal else 0)
    except ValueError:
        raise Unreadable(f"no number: {text}", node.start_mark.line + 1) from None


def _float(loader: _Loader, node: yaml.ScalarNode) -> int | float:
    text = str(loader.construct_scalar(node))
    try:
        return jsontext.number(text)
    except ValueError:
        raise Unreadable(f"{text} is no number that JSON has", node.start_mark.line + 1) from None


def _text(loader: _Loader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


for _tag, _pattern, _construct in (
    ("null", _NULL, None),
    ("bool", _BOOL, _bool),
    ("int", _INT, _int),
    ("float", _FLOAT, _float),
    ("merge", re.compile("<<"), None),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern.pattern})$"), None)
    if _construct is not None:
        _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _construct)
for _tag in ("timestamp", "value", "binary"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _text)


def load_all(text: str) -> Iterator[tuple[Any, yaml.Node, list[tuple[Path, int]]]]:
    """(data, root node, (path, line) of keys that came again) of each document that is not empty.

    Raises:
        Unreadable: no YAML, or nothing that JSON could say.
    """
    try:
        loader = _Loader(text)
    except yaml.YAMLError as error:
        raise yamlnodes.failure(error, text) from None
    try:
        while loader.check_node():
            root = loader.get_node()
            if root is None:
                break
            yamlnodes.refuse_bombs(root)
            loader.duplicates.clear()
            data = loader.construct_document(root)
            if data is not None:
                yield data, root, [((str(key.value),), line) for key, line in loader.duplicates]
    except yaml.YAMLError as error:
        raise yamlnodes.failure(error, text) from None
    finally:
        loader.dispose()


def line(root: yaml.Node, path: Path) -> int:
    """The line, from 1, of the deepest part of a path that exists."""
    node, found = root, root.start_mark.line + 1
    for step in path:
        pair = yamlnodes.entry(node, step)
        if pair is None:
            break
        found, node = pair[0].start_mark.line + 1, pair[1]
    return int(found)


def source(root: yaml.Node, path: Path) -> str | None:
    """The text that stands at a path for a plain value, before it is typed; None where there is none."""
    node: yaml.Node = root
    for step in path:
        pair = yamlnodes.entry(node, step)
        if pair is None:
            return None
        node = pair[1]
    return str(node.value) if isinstance(node, yaml.ScalarNode) else None


class _Dumper(yaml.CSafeDumper):
    """Writes texts with lines as blocks, and the same value twice rather than an alias."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Never write an alias."""
        return True


def _write_text(dumper: yaml.CSafeDumper, value: str) -> yaml.ScalarNode:
    quoted = "'" if _means_something_else(value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else quoted)


def _means_something_else(value: str) -> bool:
    """Whether the platform would read it as a number or a truth value where PyYAML reads a text."""
    return any(pattern.fullmatch(value) for pattern in (_BOOL, _INT, _FLOAT))


_Dumper.add_representer(str, _write_text)


def dump(data: Any) -> str:
    """Data as JSON has it as YAML that the platform reads as the same data."""
    return str(yaml.dump(data, Dumper=_Dumper, sort_keys=False, width=110, allow_unicode=True))

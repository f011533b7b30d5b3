"""What every reader of YAML here needs: errors with lines, and guards against texts that are made to hurt.

Knows nothing of what a text means; ``planning.yamlio`` and ``catalog.documents`` build on it.
"""

from typing import Any

import yaml

#: Aliases may repeat a part; more nodes than this after expansion are refused (a 1 MB text has some 100,000).
MOST_NODES = 2_000_000
#: Levels of nesting that are read; parsers recurse per level.
DEEPEST = 200


class Unreadable(ValueError):
    """A text that cannot be read: ``reason`` is a clause without a full stop, ``line`` counts from 1."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def entry(node: yaml.Node | None, step: Any) -> tuple[yaml.Node, yaml.Node] | None:
    """The (key node, value node) of a step into a mapping or a list; a list's item is its own key."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == str(step):
                return key, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
        return node.value[step], node.value[step]
    return None


def failure(error: yaml.YAMLError, text: str) -> Unreadable:
    """What the parser said, with the line that it stumbled over."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        line = min(mark.line, text.rstrip("\n").count("\n")) + 1
        return Unreadable(getattr(error, "problem", None) or str(error), line)
    position = getattr(error, "position", None)
    if isinstance(position, int):
        return Unreadable("a character that YAML does not allow", text[:position].count("\n") + 1)
    return Unreadable(" ".join(str(error).split()) or "no YAML")


def refuse_depth(text: str) -> None:
    """Libyaml's binding recurses in C per level, so that depth is checked on the events first.

    Raises:
        Unreadable: nested too deep, or no YAML.
    """
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                depth += 1
                if depth > DEEPEST:
                    line = event.start_mark.line + 1 if event.start_mark else 1
                    raise Unreadable(f"nested deeper than {DEEPEST} levels", line)
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                depth -= 1
    except yaml.YAMLError as error:
        raise failure(error, text) from None


def refuse_bombs(root: yaml.Node | None) -> None:
    """Refuse aliases that expand beyond reason.

    Raises:
        Unreadable: more than ``MOST_NODES`` after expansion, or a part that contains itself.
    """
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: yaml.Node) -> int:
        if isinstance(node, yaml.ScalarNode):
            return 1
        key = id(node)
        if key in sizes:
            return sizes[key]
        if key in open_nodes:
            raise Unreadable("an alias refers to a part that contains it", node.start_mark.line + 1)
        open_nodes.add(key)
        children = (child for pair in node.value for child in (pair if isinstance(pair, tuple) else (pair,)))
        sizes[key] = total = 1 + sum(map(size, children))
        open_nodes.discard(key)
        if total > MOST_NODES:
            raise Unreadable("aliases repeat too much of the text", node.start_mark.line + 1)
        return total

    if root is not None:
        size(root)

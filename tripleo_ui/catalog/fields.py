"""The fields of a dialog: plain values, whatever they were made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tripleo_ui.catalog import formats, jsontext, substitution

#: What a field asks for. ``storage-class``, ``image-stream`` and ``pick`` name a thing that a form can offer to choose.
TYPES = (
    "text",
    "multi-line",
    "int",
    "number",
    "bool",
    "json",
    "list",
    "choice",
    "secret",
    "storage-class",
    "image-stream",
    "pick",
)

_NUMBER = re.compile(r"[+-]?(\d+|\d+\.\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WORDS = {
    "true": "true",
    "yes": "true",
    "on": "true",
    "1": "true",
    "false": "false",
    "no": "false",
    "off": "false",
    "0": "false",
}


@dataclass(frozen=True)
class Limit:
    """A rule for a field's value, and why it is there.

    Attributes:
        format: key of ``formats.CHECKS``; empty where it only has bounds or a pattern.
        reason: for a person, a sentence: ``The Service web listens on it.``
        before, after: what stands around the value where it is used, when the format is for the whole.
        low, high: least and greatest number, or length with ``of_length``.
        pattern: a regular expression that the whole value fits.
    """

    format: str = ""
    reason: str = ""
    before: str = ""
    after: str = ""
    low: float | None = None
    high: float | None = None
    of_length: bool = False
    pattern: str = ""

    def problem(self, value: str) -> str:
        """What is wrong with a value; empty when nothing is. Never repeats the value."""
        found = formats.CHECKS[self.format](self.before + value + self.after) if self.format else ""
        if not found and self.pattern and not re.fullmatch(self.pattern, value):
            found = f"does not fit the pattern {self.pattern}"
        return found or self._bounds(value)

    def _bounds(self, value: str) -> str:
        if self.low is None and self.high is None:
            return ""
        if not self.of_length and not _NUMBER.fullmatch(value.strip()):
            return "must be a number"
        size = len(value) if self.of_length else float(value)
        unit = " characters" if self.of_length else ""
        if self.low is not None and size < self.low:
            return f"must be at least {self.low:g}{unit}"
        return f"must be at most {self.high:g}{unit}" if self.high is not None and size > self.high else ""


@dataclass(frozen=True)
class Condition:
    """Show a field only when another has one of these values."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """One question of a dialog.

    Attributes:
        name: of the parameter.
        label, help: for a person.
        type: one of ``TYPES``.
        default: used when the answer is left empty; always empty for a secret: see ``has_default``.
        has_default: leaving the answer empty is enough because there is a default.
        own_default: the default is not the template's, so it has to be sent.
        required: an answer must be given: there is no default and nothing generates one.
        generated: expression that makes the value when the answer is left empty; empty where none does.
        choices: (value, label) pairs of a ``choice``.
        limits: rules, each with its reason.
        multiline: the value has lines; secrets may, too.
        picker: what there is to pick: ``nova.flavor``; empty for other types.
        group: key of its group.
        used_by: the objects that use it, ``Service web``.
        hidden: not asked; ``locked``: shown, not changed. Both use the default.
        when: shown only then.
    """

    name: str
    label: str = ""
    help: str = ""
    type: str = "text"
    default: str = ""
    has_default: bool = False
    own_default: bool = False
    required: bool = False
    generated: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    limits: tuple[Limit, ...] = ()
    multiline: bool = False
    picker: str = ""
    group: str = ""
    used_by: tuple[str, ...] = ()
    hidden: bool = False
    locked: bool = False
    when: Condition | None = None

    @property
    def secret(self) -> bool:
        """Whether its value is shown to nobody."""
        return self.type == "secret"

    def parse(self, answer: object) -> str:
        """An answer that is not blank as the text of a parameter.

        Args:
            answer: a text as it was typed, or a number, truth value, list or map.

        Raises:
            ValueError: it is of another type or breaks a limit; the message never repeats the answer.
        """
        text = _TYPES.get(self.type, str)(answer if isinstance(answer, str) else _written(answer))
        if self.choices and text not in {value for value, _label in self.choices}:
            raise ValueError("must be one of the choices")
        for limit in self.limits:
            problem = limit.problem(text)
            if problem:
                raise ValueError(problem)
        return text


@dataclass(frozen=True)
class Group:
    """Fields that belong together."""

    key: str
    label: str


@dataclass(frozen=True)
class Dialog:
    """Questions in their order, and the groups in theirs."""

    fields: tuple[Field, ...] = ()
    groups: tuple[Group, ...] = ()
    by_name: Mapping[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {each.name: each for each in self.fields})

    def grouped(self) -> list[tuple[Group, list[Field]]]:
        """Each group that has fields to show, with those."""
        members: dict[str, list[Field]] = {group.key: [] for group in self.groups}
        for each in self.fields:
            if not each.hidden:
                members.setdefault(each.group, []).append(each)
        labels = {group.key: group for group in self.groups}
        return [(labels.get(key, Group(key, key)), found) for key, found in members.items() if found]


def _written(answer: object) -> str:
    if isinstance(answer, bool):
        return "true" if answer else "false"
    return jsontext.dump(answer) if isinstance(answer, (list, dict)) else str(answer)


def _int(text: str) -> str:
    problem = formats.whole_number(text)
    if problem:
        raise ValueError(problem)
    return text.strip().removeprefix("+")


def _number(text: str) -> str:
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError("must be a number")
    return text.strip()


def _bool(text: str) -> str:
    if text.strip().lower() not in _WORDS:
        raise ValueError("must be true or false")
    return _WORDS[text.strip().lower()]


def _json(text: str) -> str:
    nothing = object()
    found = substitution.typed(text, nothing)
    if found is text:
        raise ValueError("must be JSON")
    return text.strip()


def _stripped(text: str) -> str:
    return text.strip()


_TYPES = {
    "int": _int,
    "number": _number,
    "bool": _bool,
    "json": _json,
    "storage-class": _stripped,
    "image-stream": _stripped,
    "pick": _stripped,
}

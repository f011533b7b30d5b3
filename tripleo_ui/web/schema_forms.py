"""Form fields made from parameters: what a template needs to draw one, and nothing that costs time per field.

A plan may have hundreds of parameters, so a field is a plain value; one template loop draws all of them.
Values stay text exactly as typed; ``planning.parameters`` turns text into typed values and back.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

#: More choices than this are a text field with suggestions, which stays quick to open and to search.
TYPEAHEAD_OVER = 200

_LONG = 120


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form.

    ``kind`` is one of text, textarea, select, typeahead, password. ``options`` are (value, label) pairs.
    ``value`` is what the person typed, or the default as text; always empty for a password.
    """

    name: str
    id: str
    label: str
    kind: str
    value: str
    help: str
    hint: str
    required: bool
    options: tuple[tuple[str, str], ...] = ()
    errors: tuple[str, ...] = ()
    changed: bool = False
    numeric: bool = False

    @property
    def search(self) -> str:
        """Lower-case words that the search box looks through."""
        return f"{self.name} {self.label} {self.help}".lower()

    @property
    def described_by(self) -> str:
        """Ids of the elements that explain the field, for ``aria-describedby``."""
        parts = [f"{self.id}-error"]
        if self.hint or self.help:
            parts.insert(0, f"{self.id}-help")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together: ``required`` ones stay in view, ``optional`` ones are folded."""

    key: str
    label: str
    required: tuple[Field, ...]
    optional: tuple[Field, ...]

    @property
    def open(self) -> bool:
        """Whether a folded field has something to look at: an error."""
        return any(field.errors for field in self.optional)

    @property
    def changed(self) -> int:
        """How many of the folded fields differ from their defaults."""
        return sum(field.changed for field in self.optional)


def element_id(name: str) -> str:
    """An HTML id for a field's name; names have characters that selectors and ids do not like.

    >>> element_id("Compute-1::NovaPassword")
    'id_Compute-1__NovaPassword'
    """
    return "id_" + re.sub(r"[^A-Za-z0-9_-]", "_", name)


def from_parameter(parameter, typed: str | None = None, errors: Iterable[str] = ()) -> Field:
    """The field of one HOT parameter.

    Args:
        parameter: a ``planning.parameters.Parameter``.
        typed: the text that the person typed, or None where nothing was typed.
        errors: what is wrong with that text.
    """
    default = default_text(parameter)
    allowed = tuple(str(value) for value in parameter.allowed_values)
    kind, options = _kind(parameter, allowed, default)
    value = _value(parameter, typed)
    if kind == "select" and value not in {option for option, _label in options}:
        options = ((value, value or _("Choose…")), *options)
    return Field(
        name=parameter.name,
        id=element_id(parameter.name),
        label=parameter.label or parameter.name.rpartition("::")[2],
        kind=kind,
        value=value,
        help=parameter.description,
        hint=_hint(parameter),
        required=parameter.required,
        options=options,
        errors=tuple(errors),
        changed=value != default,
        numeric=parameter.type == "number",
    )


def default_text(parameter) -> str:
    """A parameter's default as a form shows it; empty where there is none, or where nobody may see it."""
    if parameter.hidden or parameter.default is None:
        return ""
    return parameter.format(parameter.default)


def _value(parameter, typed):
    if parameter.hidden:
        return ""
    return parameter.text if typed is None else typed


def _kind(parameter, allowed, default):
    if parameter.hidden:
        return "password", ()
    if parameter.type == "boolean":
        return "select", (("true", _("True")), ("false", _("False")))
    if allowed:
        kind = "typeahead" if len(allowed) > TYPEAHEAD_OVER else "select"
        return kind, tuple((value, value) for value in allowed)
    if parameter.type == "json" or "\n" in default or len(default) > _LONG:
        return "textarea", ()
    return "text", ()


def _hint(parameter):
    """One line on what is accepted."""
    kinds = {
        "number": _("A number."),
        "json": _("A JSON object or list."),
        "comma_delimited_list": _("A list, separated by commas."),
    }
    parts = [kinds.get(parameter.type, "")]
    parts += [limit for limit in (_range(parameter), _length(parameter)) if limit]
    return " ".join(part for part in parts if part)


def _range(parameter):
    low, high = parameter.range
    if low is not None and high is not None:
        return _("From %(low)s to %(high)s.") % {"low": low, "high": high}
    if low is not None:
        return _("At least %(low)s.") % {"low": low}
    return _("At most %(high)s.") % {"high": high} if high is not None else ""


def _length(parameter):
    low, high = parameter.length
    if low is not None and high is not None:
        return _("%(low)s to %(high)s characters.") % {"low": low, "high": high}
    if low is not None:
        return _("At least %(low)s characters.") % {"low": low}
    return _("At most %(high)s characters.") % {"high": high} if high is not None else ""


def grouped(fields: Iterable[tuple[str, Field]], labels: Mapping[str, str]) -> tuple[Group, ...]:
    """Sort fields into groups.

    Args:
        fields: (group key, field) pairs in the order to show.
        labels: group key to heading, in the order to show.
    """
    sorted_in: dict[str, list[Field]] = {key: [] for key in labels}
    for key, field in fields:
        sorted_in.setdefault(key, []).append(field)
    return tuple(
        Group(
            key=key,
            label=labels.get(key, key),
            required=tuple(field for field in members if field.required),
            optional=tuple(field for field in members if not field.required),
        )
        for key, members in sorted_in.items()
        if members
    )


def picker(
    name: str,
    label: str,
    value: str,
    choices: Iterable[tuple[str, str]] | None,
    errors: Iterable[str] = (),
) -> Field:
    """The field that names one of many things of the cloud.

    Args:
        name: the form field's name.
        label: what a person calls it.
        value: the name that was typed or chosen.
        choices: (value, label) pairs, or None where they are not known now: any name can be typed then.
        errors: what is wrong with the value.
    """
    options = tuple(choices or ())
    kind = "text" if choices is None else ("typeahead" if len(options) > TYPEAHEAD_OVER else "select")
    if kind == "select" and value not in {option for option, _label in options}:
        shown = _("%(name)s (not there)") % {"name": value} if value else _("Choose…")
        options = ((value, shown), *options)
    return Field(
        name=name,
        id=element_id(name),
        label=label,
        kind=kind,
        value=value,
        help="",
        hint="",
        required=True,
        options=options,
        errors=tuple(errors),
    )

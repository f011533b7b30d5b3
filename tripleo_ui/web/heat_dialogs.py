"""Dialogs for Heat templates: parameters of HOT as fields of the catalog's dialogs."""

from collections.abc import Iterable, Mapping, Sequence

from tripleo_ui.catalog.fields import Dialog, Field, Group, Limit
from tripleo_ui.catalog.words import readable
from tripleo_ui.planning.parameters import Parameter

_TYPES = {"string": "text", "number": "number", "boolean": "bool", "json": "json", "comma_delimited_list": "list"}
_GENERAL = Group("general", "General")


def build(parameters: Iterable[Parameter], groups: Sequence[Mapping[str, object]] = ()) -> Dialog:
    """The dialog of a HOT template.

    Args:
        parameters: its parameters, in its order.
        groups: its ``parameter_groups``: maps with ``label`` and ``parameters``.
    """
    found = {str(index): group for index, group in enumerate(groups)}
    key_of = {str(name): key for key, group in found.items() for name in _list(group.get("parameters"))}
    fields = tuple(_field(each, key_of.get(each.name, _GENERAL.key)) for each in parameters)
    headings = (Group(key, str(group.get("label") or _GENERAL.label)) for key, group in found.items())
    return Dialog(fields, (*headings, _GENERAL))


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _field(parameter: Parameter, group: str) -> Field:
    picker = next((str(each.definition) for each in parameter.constraints if each.kind == "custom_constraint"), "")
    kind = "secret" if parameter.hidden else _kind(parameter, picker)
    shown = "" if parameter.hidden or parameter.default is None else parameter.format(parameter.default)
    return Field(
        name=parameter.name,
        label=parameter.label or readable(parameter.name),
        help=parameter.description,
        type=kind,
        default=shown,
        has_default=parameter.default is not None,
        required=parameter.required,
        choices=tuple((str(each), str(each)) for each in parameter.allowed_values),
        limits=tuple(_limits(parameter)),
        multiline="\n" in shown,
        picker=picker,
        group=group,
    )


def _kind(parameter: Parameter, picker: str) -> str:
    if parameter.allowed_values and parameter.type in {"string", "number"}:
        return "choice"
    return "pick" if picker else _TYPES[parameter.type]


def _limits(parameter: Parameter) -> Iterable[Limit]:
    for each in parameter.constraints:
        if each.kind == "allowed_pattern":
            yield Limit(pattern=str(each.definition), reason=each.description)
    for (low, high), of_length in ((parameter.range, False), (parameter.length, True)):
        if (low, high) != (None, None):
            kind = "length" if of_length else "range"
            reason = next((each.description for each in parameter.constraints if each.kind == kind), "")
            yield Limit(low=low, high=high, of_length=of_length, reason=reason)

"""The dialog that asks for a template's parameters, built from the template alone."""

from collections.abc import Sequence

from tripleo_ui.catalog import deriving, generator, grouping
from tripleo_ui.catalog.fields import Dialog, Field
from tripleo_ui.catalog.limits import limits
from tripleo_ui.catalog.template import EXPRESSION, Parameter, Template
from tripleo_ui.catalog.usage import Use, uses
from tripleo_ui.catalog.words import readable

_EXAMPLES = {"int": "1", "number": "1", "bool": "true", "json": "{}"}
_EXAMPLES_OF_FORMATS = {"port": "8080", "node-port": "30080", "port-or-name": "8080", "quantity": "1Gi"}


def build(template: Template) -> Dialog:
    """The dialog of a template."""
    found = uses(template)
    used_by = {name: list(dict.fromkeys(use.title for use in each)) for name, each in found.items()}
    keys, groups = grouping.groups(list(template.effective), used_by)
    fields = tuple(
        _field(parameter, found[name], keys[name], used_by[name]) for name, parameter in template.effective.items()
    )
    return Dialog(fields, groups)


def _field(parameter: Parameter, found: Sequence[Use], group: str, used_by: Sequence[str]) -> Field:
    rules = limits(found, parameter.value)
    kind, choices = deriving.type_and_choices(parameter, found, rules)
    generated = parameter.from_ if _generates(parameter) else ""
    return Field(
        name=parameter.name,
        label=parameter.display_name.strip() or readable(parameter.name),
        help=parameter.description.strip(),
        type=kind,
        default="" if kind == "secret" else parameter.value,
        has_default=bool(parameter.value),
        required=parameter.required and not parameter.value and not generated,
        generated=generated,
        choices=tuple((choice, choice) for choice in choices),
        limits=rules,
        multiline=kind == "multi-line" or "\n" in parameter.value.strip(),
        group=group,
        used_by=tuple(used_by),
    )


def _generates(parameter: Parameter) -> bool:
    return not parameter.value and parameter.generate == EXPRESSION and bool(parameter.from_)


def preview(field: Field) -> str:
    """A value as the generator would make it; each call makes another.

    Raises:
        ValueError: nothing generates it, or its expression is malformed.
    """
    if not field.generated:
        raise ValueError(f"nothing generates {field.name}")
    return generator.generate(field.generated)


def placeholder(field: Field) -> str:
    """A value that a field accepts, to try a template with."""
    if field.choices:
        return field.choices[0][0]
    for limit in field.limits:
        example = _EXAMPLES_OF_FORMATS.get(limit.format, "1")
        for candidate in (example, "1"):
            if limit.format in _EXAMPLES_OF_FORMATS and not limit.problem(candidate):
                return candidate
    return _EXAMPLES.get(field.type, "placeholder")

"""What commands print about templates and dialogs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tripleo_ui.catalog import dialog, reading, validation
from tripleo_ui.catalog.fields import Dialog, Field
from tripleo_ui.catalog.problems import WARNING, Problem, errors, warnings
from tripleo_ui.catalog.template import Template


@dataclass(frozen=True)
class Entry:
    """What a check says about one file.

    Attributes:
        errors: why a template in it cannot be processed.
        warnings: what else to see to before somebody orders it.
        parameters, objects: of all its templates.
    """

    file: str
    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    parameters: int = 0
    objects: int = 0

    @property
    def ok(self) -> bool:
        """Whether each template processes with its defaults and placeholders for required values."""
        return not self.errors

    def data(self) -> dict[str, Any]:
        """The entry for programs."""
        return {
            "file": self.file,
            "ok": self.ok,
            "errors": [vars(problem) for problem in self.errors],
            "warnings": [vars(problem) for problem in self.warnings],
            "parameters": self.parameters,
            "objects": self.objects,
        }


def check(files: Iterable[tuple[str, bool]], skipped: Callable[[str], object]) -> Iterator[Entry]:
    """Check files.

    Args:
        files: (path, whether it must hold a template).
        skipped: told of each file that need not hold a template and holds none.

    Raises:
        OSError: a file cannot be read.
    """
    for file, named in files:
        found = reading.read_file(file)
        if found.empty and not named:
            skipped(file)
        else:
            yield _entry(found)


def _entry(found: reading.Reading) -> Entry:
    wrong, odd = [*errors(found.problems)], [*warnings(found.problems)]
    for template in found.templates:
        verdict = validation.validate(template, placeholders(template))
        process_errors = errors(verdict.processed.problems)
        wrong += process_errors
        odd += [replace(each, level=WARNING) for each in verdict.problems if each not in process_errors]
    return Entry(
        found.file,
        tuple(wrong),
        tuple(odd),
        sum(len(template.parameters) for template in found.templates),
        sum(len(template.objects) for template in found.templates),
    )


def placeholders(template: Template) -> dict[str, str]:
    """A value for each parameter that must have one and that nothing gives one."""
    return {field.name: dialog.placeholder(field) for field in dialog.build(template).fields if field.required}


def with_labels(template: Template, labels: Mapping[str, str]) -> Template:
    """The template with more labels for its objects."""
    return replace(template, labels={**(template.labels or {}), **labels})


def described(found: Dialog) -> dict[str, Any]:
    """A dialog for programs."""
    return {
        "groups": [{"key": group.key, "label": group.label} for group, _fields in found.grouped()],
        "fields": [_field(each) for each in found.fields],
    }


def _field(field: Field) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label,
        "help": field.help,
        "type": field.type,
        "group": field.group,
        "required": field.required,
        "generated": bool(field.generated),
        "has_default": field.has_default,
        "default": field.default,
        "choices": [value for value, _label in field.choices],
        "multiline": field.multiline,
        "limits": [{"format": limit.format, "reason": limit.reason} for limit in field.limits],
        "used_by": list(field.used_by),
    }

"""Templates from files and from a cluster's answers; whatever is odd about them is said, with file, line and parameter.

What the platform refuses and a person can understand (a number as a value) is a warning; the rest is an error.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

from tripleo_ui.catalog import documents
from tripleo_ui.catalog.documents import Document
from tripleo_ui.catalog.fieldreader import FieldReader
from tripleo_ui.catalog.parameters import read_parameters
from tripleo_ui.catalog.problems import ERROR, WARNING, Path, Problem, errors, warnings
from tripleo_ui.catalog.template import Place, Template
from tripleo_ui.yamlnodes import Unreadable

_KINDS = ("Template", "ProcessedTemplate")
_FIELDS = ("apiVersion", "kind", "metadata", "message", "objects", "parameters", "labels")


@dataclass(frozen=True)
class Reading:
    """What a file holds: its templates, and what was odd about it; a template with errors is not among them."""

    file: str
    templates: tuple[Template, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it could be read and holds no template."""
        return not self.templates and all(problem.message.startswith(NO_TEMPLATE) for problem in self.problems)


#: How the message about a file without a template begins; the platform's own words.
NO_TEMPLATE = "not a valid Template but "


def read_file(path: str) -> Reading:
    """Read a file.

    Raises:
        OSError: it cannot be opened.
    """
    try:
        text = File(path).read_bytes().decode()
    except UnicodeDecodeError:
        return Reading(path, (), (Problem(ERROR, "not UTF-8 text", file=path, line=1),))
    return read(text, path)


def read(text: str, file: str = "") -> Reading:
    """Read a text: JSON or YAML, a template, several, or one inside a List or a TemplateInstance."""
    try:
        found, odd = documents.parse(text)
    except Unreadable as error:
        return Reading(file, (), (Problem(ERROR, _hinted(error.reason, text), file=file, line=error.line),))
    problems = [Problem(WARNING, odd, file=file, line=1)] if odd else []
    templates: list[Template] = []
    kinds: list[str] = []
    for document in found:
        problems += _duplicates(document, file)
        for data, path in _inside(document.data, (), kinds):
            place = Place(file, path, document.line)
            template, wrong = _template(data, FieldReader(place, document.source))
            templates += [template] if template else []
            problems += wrong
    if not templates and not errors(problems):
        what = ", ".join(dict.fromkeys(kinds)) or "an empty text"
        problems.append(Problem(ERROR, NO_TEMPLATE + what, file=file, line=1))
    return Reading(file, tuple(templates), tuple(problems))


def from_data(data: Mapping[str, Any], name: str = "") -> Reading:
    """Read a template as an API answers it; ``name`` says which in messages."""
    template, problems = _template(data, FieldReader(Place(name)))
    return Reading(name, (template,) if template else (), tuple(problems))


def _hinted(reason: str, text: str) -> str:
    return f"{reason}; it looks like a Helm chart's file, not a template" if "{{- " in text else reason


def _duplicates(document: Document, file: str) -> list[Problem]:
    return [
        Problem(WARNING, f"the key {path[-1]} is given twice; the last one counts", file=file, line=line)
        for path, line in document.duplicates
    ]


def _inside(data: Any, path: Path, kinds: list[str]) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """Each (template, its path) in a document; the kinds of what is none are collected."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind in _KINDS:
        yield data, path
    elif kind == "List" and isinstance(data.get("items"), list):
        for index, item in enumerate(data["items"]):
            yield from _inside(item, (*path, "items", index), kinds)
    elif kind == "TemplateInstance" and isinstance(data.get("spec"), dict):
        template = data["spec"].get("template")
        if isinstance(template, dict):
            yield template, (*path, "spec", "template")
    else:
        kinds.append(str(kind) if kind else "something without a kind")


def _template(data: Mapping[str, Any], read: FieldReader) -> tuple[Template | None, Sequence[Problem]]:
    """The template, or None where it has errors; its problems."""
    metadata = read.mapping(data, "metadata")
    objects = read.items(data, "objects")
    labels = data.get("labels")
    parameters = read_parameters(data, read)
    read.known_fields(data, _FIELDS)
    if not objects:
        read.warn("there are no objects to create", ("objects",))
    for index, item in enumerate(objects):
        if not isinstance(item, dict):
            read.fail("an object is a map", ("objects", index))
    template = Template(
        name=read.text(metadata, "name", ("metadata",)),
        objects=tuple(objects),
        parameters=parameters,
        message=read.text(data, "message"),
        labels=None if labels is None else read.texts(data, "labels"),
        metadata=metadata,
        warnings=warnings(read.problems),
        place=read.place,
    )
    return (None if errors(read.problems) else template), read.problems

"""All that can be known to be wrong before anything is created, in one answer."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tripleo_ui.catalog import formats, processing, references, schemas
from tripleo_ui.catalog.problems import WARNING, Path, Problem
from tripleo_ui.catalog.template import Template


@dataclass(frozen=True)
class Verdict:
    """What a template with answers comes to: the objects, where there are no errors, and every problem."""

    processed: processing.Processed
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether it can be created, as far as is known here."""
        return all(problem.level == WARNING for problem in self.problems)


def validate(
    template: Template, answers: Mapping[str, str], *, kubernetes: str = "", placeholder: str = "placeholder"
) -> Verdict:
    """Check answers and the objects that they lead to.

    Args:
        template: the template.
        answers: parameter name → value; blanks are left out.
        kubernetes: the cluster's version, ``1.29``; empty for the newest that there are schemas of.
        placeholder: stands for missing values, so that the rest can be checked all the same.
    """
    processed = processing.process(template, answers)
    problems = [*processed.problems, *undefined_references(template)]
    objects, missing = processed.objects, frozenset[str]()
    if not processed.ok:
        objects, missing = _with_placeholders(template, answers, processed, placeholder)
    version = schemas.closest(kubernetes) if kubernetes else schemas.newest()
    problems += _object_problems(template, objects, version, missing)
    return Verdict(processed, tuple(problems))


def undefined_references(template: Template) -> list[Problem]:
    """A warning for each name in the objects that no parameter has; it may be meant for a shell."""
    known = template.effective
    found: dict[str, Path] = {}
    times: Counter[str] = Counter()
    for path, text, _is_key in references.texts(list(template.objects), ("objects",)):
        for name in references.names(text):
            if name not in known:
                found.setdefault(name, path)
                times[name] += 1
    return [
        template.problem(
            f"${{{name}}} names no parameter and stays as it is"
            + (f", {times[name]} times" if times[name] > 1 else ""),
            path,
            level=WARNING,
            parameter=name,
        )
        for name, path in found.items()
    ]


def _with_placeholders(
    template: Template, answers: Mapping[str, str], processed: processing.Processed, placeholder: str
) -> tuple[tuple[dict[str, Any], ...], frozenset[str]]:
    """The objects with placeholders for values that are missing, and the names of those."""
    missing = frozenset(problem.parameter for problem in processed.problems if problem.parameter)
    known = template.effective
    filled = {name: value for name, value in answers.items() if name in known}
    filled |= dict.fromkeys(missing & known.keys(), placeholder)
    return processing.process(template, filled).objects, missing


def _object_problems(
    template: Template, objects: tuple[dict[str, Any], ...], version: str, missing: frozenset[str]
) -> list[Problem]:
    problems: list[Problem] = []
    seen: dict[tuple[str, ...], int] = {}
    for index, item in enumerate(objects):
        found = [*_identity_problems(item), *_schema_problems(template, index, item, version)]
        identity = _identity(item)
        if identity and seen.setdefault(identity, index) != index:
            text = f"is the same object as objects[{seen[identity]}]: {identity[1]} {identity[3]}"
            found.append((("metadata", "name"), text))
        problems += [
            template.problem(text, ("objects", index, *path), parameter=_parameter(template, index, path))
            for path, text in found
            if not missing.intersection(_names(template, index, path))
        ]
    return problems


def _identity(item: Mapping[str, Any]) -> tuple[str, ...]:
    """(apiVersion, kind, namespace, name); empty where the name is the cluster's to choose."""
    metadata = item.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not name:
        return ()
    return (str(item.get("apiVersion")), str(item.get("kind")), str(metadata.get("namespace") or ""), str(name))


def _identity_problems(item: Mapping[str, Any]) -> list[tuple[Path, str]]:
    metadata = item.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    found: list[tuple[Path, str]] = []
    if not isinstance(item.get("apiVersion"), str) or not item["apiVersion"]:
        found.append((("apiVersion",), "apiVersion is missing"))
    name, namespace = metadata.get("name"), metadata.get("namespace")
    if not name and not metadata.get("generateName"):
        found.append((("metadata", "name"), "Required value: name or generateName is required"))
    elif name and not isinstance(name, str):
        found.append((("metadata", "name"), "the name must be a text"))
    elif name:
        wrong = _name_problem(str(item.get("kind")), name)
        found += [(("metadata", "name"), f"the name cannot be used: {wrong}")] if wrong else []
    if isinstance(namespace, str) and namespace and formats.dns_label(namespace):
        found.append((("metadata", "namespace"), f"the namespace cannot be used: {formats.dns_label(namespace)}"))
    return found


def _name_problem(kind: str, name: str) -> str:
    form = formats.of_names(kind)
    return formats.CHECKS[form](name) if form else ""


def _schema_problems(template: Template, index: int, item: Mapping[str, Any], version: str) -> list[tuple[Path, str]]:
    found = schemas.problems(item, version) or []
    return [(path, text + _hint(template, index, path, text)) for path, text in found]


def _hint(template: Template, index: int, path: Path, text: str) -> str:
    """What to change where a text came from a reference that could give another type."""
    source = references.at(list(template.objects), (index, *path))
    name = references.IN_TEXT.fullmatch(source) if isinstance(source, str) else None
    if name is None or not text.startswith("must be") or "text" in text:
        return ""
    return f"; the template has ${{{name[1]}}}, which is a text: ${{{{{name[1]}}}}} would give its value as JSON"


def _names(template: Template, index: int, path: Path) -> list[str]:
    source = references.at(list(template.objects), (index, *path))
    return references.names(source) if isinstance(source, str) else []


def _parameter(template: Template, index: int, path: Path) -> str:
    known = template.effective
    return next((name for name in _names(template, index, path) if name in known), "")

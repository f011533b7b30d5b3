"""A template with answers to objects, as the platform's ``processedtemplates`` does it.

Two things differ from the platform's own code, on purpose: ranges of generators include their ends, and whole numbers
keep all their digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tripleo_ui.catalog import legacy, references, substitution, values
from tripleo_ui.catalog.problems import WARNING, Problem, errors
from tripleo_ui.catalog.template import Template
from tripleo_ui.catalog.values import GENERATORS, Generator


@dataclass(frozen=True)
class Processed:
    """What became of a template.

    Attributes:
        objects: as JSON has them, in the template's order; empty where there are errors.
        message: the template's, with values.
        labels: the template's, with values; each object has them. None where the template has no such field.
        values: name → value of every parameter. They may be secrets.
        generated: names of the parameters whose value was made here.
        problems: errors and warnings, all of them.
    """

    objects: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    message: str = field(default="", repr=False)
    labels: Mapping[str, str] | None = field(default=None, repr=False)
    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    generated: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there are objects to create, as far as the template goes."""
        return not errors(self.problems)


def process(
    template: Template,
    answers: Mapping[str, str],
    generators: Mapping[str, Generator] = GENERATORS,
) -> Processed:
    """Process a template.

    Args:
        template: the template.
        answers: parameter name → value. An empty one turns the parameter's generator off: leave blanks out.
        generators: name → what makes a value of a parameter's ``from``.
    """
    found, generated, problems = check_answers(template, answers, generators)
    if problems:
        return Processed(values=found, generated=generated, problems=tuple(problems))
    labels = None
    if template.labels is not None:
        labels = {
            substitution.in_text(key, found): substitution.in_text(value, found)
            for key, value in template.labels.items()
        }
    objects = []
    for index, item in enumerate(template.objects):
        made, wrong = _object(template, index, item, found, labels)
        objects += [made] if made is not None else []
        problems += wrong
    return Processed(
        objects=() if errors(problems) else tuple(objects),
        message=substitution.in_text(template.message, found),
        labels=labels,
        values=found,
        generated=generated,
        problems=tuple(problems),
    )


def check_answers(
    template: Template, answers: Mapping[str, str], generators: Mapping[str, Generator] = GENERATORS
) -> tuple[dict[str, str], tuple[str, ...], list[Problem]]:
    """The values of all parameters, the names of the generated ones, and every error in the answers."""
    known = template.effective
    problems = [
        template.problem(f'unknown parameter name "{name}"', ("parameters",), parameter=name)
        for name in answers
        if name not in known
    ]
    found, generated, refused = values.resolve(template.parameters, answers, generators)
    problems += [template.problem(str(each), ("parameters", each.index), parameter=each.parameter) for each in refused]
    return found, generated, problems


def answered(template: Template, answers: Mapping[str, str]) -> Template:
    """The template with answers for defaults, as a cluster's ``processedtemplates`` wants it.

    An empty answer turns the generator off, as ``process`` does.
    """
    counts = template.effective
    parameters = tuple(
        replace(parameter, value=answers[parameter.name], generate="") if parameter.name in answers else parameter
        for parameter in counts.values()
    )
    return replace(template, parameters=parameters)


def _object(
    template: Template, index: int, item: Any, found: Mapping[str, str], labels: Mapping[str, str] | None
) -> tuple[dict[str, Any] | None, list[Problem]]:
    """One object to create, or None with the reason."""
    path = ("objects", index)
    if not isinstance(item, dict) or not isinstance(item.get("kind"), str) or not item["kind"]:
        text = f"item[{index}].objects: Invalid value: unable to handle object: Object 'Kind' is missing"
        return None, [template.problem(text, path)]
    problems: list[Problem] = []
    stripped, odd = _without_namespace(item)
    if odd:
        problems.append(template.problem(odd, (*path, "metadata", "namespace"), level=WARNING))
    try:
        made = substitution.substitute(stripped, found)
    except substitution.NullInList as error:
        return None, [template.problem(str(error), path)]
    if isinstance(made.get("apiVersion"), str) and isinstance(made.get("kind"), str):
        made["apiVersion"] = legacy.api_version(made["apiVersion"], made["kind"])
    if labels is not None:
        odd = _add_labels(made, labels)
        if odd:
            problems.append(template.problem(odd, (*path, "metadata", "labels"), level=WARNING))
    return made, problems


def _without_namespace(item: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The object without a namespace that is written out; what was odd about that."""
    holder = item.get("metadata") if "metadata" in item else item
    if not isinstance(holder, dict) or "namespace" not in holder:
        return item, ""
    namespace = holder["namespace"]
    if isinstance(namespace, str) and references.IN_TEXT.search(namespace):
        return item, ""
    rest = {key: value for key, value in holder.items() if key != "namespace"}
    odd = "" if namespace is None or isinstance(namespace, str) else "the namespace is no text and is removed"
    if isinstance(namespace, dict) and len(namespace) == 1 and odd:
        name = next(iter(namespace))
        odd += f"; ${{{name}}} may be meant" if references.NAME.fullmatch(name) else ""
    return ({**item, "metadata": rest} if "metadata" in item else rest), odd


def _add_labels(made: dict[str, Any], labels: Mapping[str, str]) -> str:
    """Put the template's labels on an object; answers what was odd about that.

    An object's labels are all dropped where one of them is no text: the platform reads none then.
    """
    metadata = made.setdefault("metadata", {})
    if not isinstance(metadata, dict):
        return "metadata is no map, so it gets no labels"
    own = metadata.get("labels")
    own = own if isinstance(own, dict) else {}
    wrong = [key for key, value in own.items() if not isinstance(value, str)]
    metadata["labels"] = {**({} if wrong else own), **labels}
    return f"the label {wrong[0]} is no text, so all labels of the object are dropped" if wrong else ""

"""Forms of workflows: who may use them, their fields, and what is wrong with what was typed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from tripleo_ui.orchestration import api
from tripleo_ui.web import request_summary, schema_forms
from tripleo_ui.web.schema_forms import Field


def may_start(user, workflow: api.Workflow) -> bool:
    """Whether the person has a role that the workflow asks for."""
    return not workflow.roles or bool(workflow.roles & {role["name"] for role in user.roles})


def startable(user) -> list[api.Workflow]:
    """The workflows that the person can start from a form."""
    return [each for each in api.definitions() if each.form and may_start(user, each)]


@dataclass(frozen=True)
class Offer:
    """A workflow in the list of those that can be started."""

    name: str
    label: str
    phases: tuple[str, ...]


def offers(user) -> list[Offer]:
    """Those workflows in words."""
    return [
        Offer(
            each.name,
            request_summary.workflow_label(each.name),
            tuple(request_summary.phase_label(phase, each.name) for phase in each.phases),
        )
        for each in startable(user)
    ]


@dataclass(frozen=True)
class Checked:
    """The typed values, or what is wrong: sentences by field, and those that name none."""

    params: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether a request can be made of it."""
        return not self.errors and not self.problems


def check(workflow: api.Workflow, typed: Mapping[str, str]) -> Checked:
    """Read what was typed, by type and by the workflow's own rules, all problems at once."""
    checked = Checked()
    for parameter in workflow.form:
        text = _text(typed, parameter.name)
        if parameter.required and not text.strip():
            checked.errors[parameter.name] = [_("A value is needed.")]
            continue
        try:
            checked.params[parameter.name] = parameter.parse(text)
        except ValueError as error:
            checked.errors[parameter.name] = [_sentence(str(error))]
    _sort_in(checked, workflow.problems(checked.params))
    return checked


def _sort_in(checked: Checked, problems: Iterable[str]) -> None:
    """Put each problem at the field that it names; one without a value there has been told why already."""
    told = frozenset(checked.errors)
    for problem in problems:
        name, separator, sentence = problem.partition(": ")
        if separator and name in told:
            continue
        if separator and name in checked.params:
            checked.errors.setdefault(name, []).append(sentence)
        else:
            checked.problems.append(problem)


def fields(workflow: api.Workflow, typed: Mapping[str, str], errors: Mapping[str, Iterable[str]]) -> tuple[Field, ...]:
    """The form's fields with what was typed; nothing typed shows the defaults."""
    return tuple(_field(each, typed, errors.get(each.name, ())) for each in workflow.form)


def _field(parameter, typed, errors):
    text = _text(typed, parameter.name) if parameter.name in typed else None
    # That a value is not the default is news in a plan of hundreds, not here.
    return replace(schema_forms.from_parameter(_in_words(parameter), text, errors), changed=False)


def _in_words(parameter):
    """The parameter with its words as translators have them; gettext says something else about an empty text."""
    label, description = parameter.label, parameter.description
    return replace(parameter, label=label and _(label), description=description and _(description))


def _text(typed: Mapping[str, str], name: str) -> str:
    return typed.get(name, "").replace("\r\n", "\n")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")

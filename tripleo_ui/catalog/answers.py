"""Answers to a dialog as parameters of its template."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tripleo_ui.catalog.fields import Dialog, Field


@dataclass(frozen=True)
class Answered:
    """What answers come to.

    Attributes:
        parameters: parameter name → value, to process the template with. They may be secrets.
        problems: field name → what is wrong with its answer, never repeating it.
        unknown: names that were answered and that the dialog does not have, as old presets may.
    """

    parameters: Mapping[str, str] = field(default_factory=dict, repr=False)
    problems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every answer can be used."""
        return not self.problems


def parameters(dialog: Dialog, answers: Mapping[str, object]) -> Answered:
    """The parameters that answers mean.

    A blank answer is left out, so that the default counts or a generator runs. What is not shown, or locked, is not
    taken from the answers. A default that is not the template's own is sent.

    Args:
        dialog: the dialog.
        answers: field name → text as it was typed, or a number, truth value, list or map.
    """
    seen = shown(dialog, answers)
    values: dict[str, str] = {}
    problems: dict[str, tuple[str, ...]] = {}
    for each in dialog.fields:
        answer = answers.get(each.name) if each.name in seen and not each.locked else None
        if not blank(answer):
            try:
                values[each.name] = each.parse(answer)
            except ValueError as error:
                problems[each.name] = (str(error),)
        elif each.own_default:
            values[each.name] = each.default
        elif each.required and each.name in seen:
            problems[each.name] = ("needs a value",)
    return Answered(values, problems, tuple(name for name in answers if name not in dialog.by_name))


def blank(answer: object) -> bool:
    """Whether an answer says nothing."""
    return answer is None or (isinstance(answer, str) and not answer.strip())


def shown(dialog: Dialog, answers: Mapping[str, object]) -> frozenset[str]:
    """Names of the fields that a person sees with these answers."""
    known: dict[str, bool] = {}

    def is_shown(each: Field) -> bool:
        if each.name not in known:
            known[each.name] = False  # Conditions that go in a circle are met by nothing.
            known[each.name] = not each.hidden and _condition_met(each)
        return known[each.name]

    def _condition_met(each: Field) -> bool:
        if each.when is None:
            return True
        other = dialog.by_name.get(each.when.field)
        if other is None or not (other.hidden or is_shown(other)):
            return False
        return _effective(other, answers) in each.when.values

    return frozenset(each.name for each in dialog.fields if is_shown(each))


def _effective(each: Field, answers: Mapping[str, object]) -> str:
    answer = None if each.hidden or each.locked else answers.get(each.name)
    if blank(answer):
        return each.default
    try:
        return each.parse(answer)
    except ValueError:
        return ""


def without_secrets(dialog: Dialog, answers: Mapping[str, object]) -> dict[str, object]:
    """The answers that may be kept for a preset or for ordering again: of fields that are known and not secret."""
    return {
        name: answer
        for name, answer in answers.items()
        if name in dialog.by_name and not dialog.by_name[name].secret and not blank(answer)
    }

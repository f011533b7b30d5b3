"""All that is wrong with an order's form at once: its place, its answers, and the objects that they lead to."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tripleo_ui.catalog import answers, validation
from tripleo_ui.catalog.fields import Dialog
from tripleo_ui.catalog.problems import WARNING
from tripleo_ui.catalog.template import Template
from tripleo_ui.services.errors import ServiceError

from . import where
from .where import Where


@dataclass(frozen=True)
class Checked:
    """What a form comes to.

    Attributes:
        parameters: parameter name → value, secrets too.
        errors: parameter name → what is wrong with its answer.
        place: name of a field of ``where`` → what is wrong with it.
        others: what is wrong and has no field that the person sees.
        warnings: what only has to be seen.
    """

    parameters: Mapping[str, str] = field(default_factory=dict, repr=False)
    errors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    place: Mapping[str, Sequence[str]] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether it can be ordered, as far as is known here."""
        return not (self.errors or self.place or self.others)


def typed_only(dialog: Dialog, given: Mapping[str, str]) -> Checked:
    """What is wrong with the answers that were typed; what is missing is left for later."""
    answered = answers.parameters(dialog, given)
    return Checked(
        errors={name: texts for name, texts in answered.problems.items() if not answers.blank(given.get(name))}
    )


def check(template: Template | None, dialog: Dialog, given: Mapping[str, str], place: Where) -> Checked:
    """Check a form.

    Args:
        template: that of a cluster; None for Heat's, which Heat checks.
        dialog: the item's dialog.
        given: parameter name → text as typed.
        place: where it goes.
    """
    answered = answers.parameters(dialog, given)
    errors = defaultdict(list, {name: list(texts) for name, texts in answered.problems.items()})
    others: list[str] = []
    warnings: list[str] = []
    if template is not None:
        verdict = validation.validate(template, answered.parameters, kubernetes=_version(place))
        seen = answers.shown(dialog, given)
        for problem in verdict.problems:
            if problem.level == WARNING:
                warnings.append(_words(problem))
            elif problem.parameter not in seen:
                others.append(_words(problem))
            elif problem.parameter not in answered.problems:
                errors[problem.parameter].append(problem.message)
    unique = {name: list(dict.fromkeys(texts)) for name, texts in errors.items()}
    return Checked(
        answered.parameters, unique, where.problems(place), tuple(dict.fromkeys(others)), tuple(dict.fromkeys(warnings))
    )


def _version(place):
    """The cluster's version; empty, which is the newest, where it does not say."""
    if place.cluster is None:
        return ""
    try:
        return place.cluster.version()
    except ServiceError:
        return ""


def _words(problem):
    return f"{problem.path}: {problem.message}" if problem.path else problem.message

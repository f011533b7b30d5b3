"""The form of a catalog item's dialog: its fields as widgets, plain values that one template loop draws.

What a person typed stays text exactly as typed; ``catalog.answers`` turns it into parameters. A secret is never shown
again, nor kept: ``kept`` leaves it out.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tripleo_ui.catalog import fields as catalog
from tripleo_ui.catalog.answers import shown, without_secrets
from tripleo_ui.catalog.fields import Dialog
from tripleo_ui.catalog.limits import NUMBERS
from tripleo_ui.web import schema_forms
from tripleo_ui.web.schema_forms import TYPEAHEAD_OVER, Group, element_id, grouped

#: What the form calls a parameter's field begins so: parameters have any name, the form's own fields have theirs.
PREFIX = "p."
#: Types whose choices a cluster or the cloud knows.
PICKED = ("storage-class", "image-stream", "pick")
#: So few fields with defaults are not folded.
FEW = 8

_LONG = 120
_YES_NO = (("true", "true"), ("false", "false"))

#: Value and label of each choice, or None where they are not known now, so that one is typed.
Choices = Iterable[tuple[str, str]] | None


@dataclass(frozen=True, slots=True)
class Field(schema_forms.Field):
    """A field of a dialog.

    Besides the kinds of its base there are masked (a secret of several lines) and those of ``locked`` ones, which are
    shown and not sent. ``example`` says that a value can be generated to look at; ``when`` is the JSON of the field
    and the values that it is shown for; ``unmet`` that it is not shown with these answers.
    """

    parameter: str = ""
    default: str = ""
    locked: bool = False
    example: bool = False
    when: str = ""
    unmet: bool = False


def form(
    dialog: Dialog,
    typed: Mapping[str, str],
    errors: Mapping[str, Iterable[str]],
    offered: Mapping[str, Choices],
) -> tuple[Group, ...]:
    """The groups of a dialog's form, in their order.

    Args:
        dialog: the dialog; its hidden fields are left out.
        typed: parameter name → text; a name that is missing shows the default.
        errors: parameter name → what is wrong with its answer.
        offered: parameter name → what a field of ``PICKED`` can choose from.
    """
    seen = shown(dialog, typed)
    groups = dialog.grouped()
    fields = (
        (group.key, _field(dialog, each, typed.get(each.name), errors.get(each.name, ()), offered, each.name in seen))
        for group, members in groups
        for each in members
    )
    return grouped(fields, {group.key: group.label for group, _members in groups})


def _field(dialog, each, typed, errors, offered, is_shown) -> Field:
    value = "" if each.secret else each.default if typed is None else typed
    kind, options = ("textarea" if _is_long(each, value) else "text", ()) if each.locked else _kind(each, offered)
    if kind == "select" and value not in {option for option, _label in options}:
        options = ((value, value or (_("Choose…") if each.required else _("Not set"))), *options)
    name = PREFIX + each.name
    return Field(
        name=name,
        id=element_id(name),
        label=each.label or each.name,
        kind=kind,
        value=value,
        help=each.help,
        hint=_hint(dialog, each, kind),
        required=each.required,
        options=tuple(options),
        errors=tuple(errors),
        changed=not each.secret and value != each.default,
        numeric=_is_number(each),
        parameter=each.name,
        default=each.default,
        locked=each.locked,
        example=bool(each.generated) and not each.locked,
        when=_when(each),
        unmet=not is_shown,
    )


def _kind(each: catalog.Field, offered: Mapping[str, Choices]):
    if each.secret:
        return ("masked" if each.multiline else "password"), ()
    if each.type == "bool":
        return "select", _YES_NO
    choices = offered.get(each.name) if each.type in PICKED else each.choices
    if choices:
        options = tuple(choices)
        return ("typeahead" if _is_searched(each, options) else "select"), options
    return ("textarea" if _is_long(each, each.default) else "text"), ()


def _is_searched(each, options):
    """Whether any name can be typed, with suggestions: of what is too much to list, or lies elsewhere, too."""
    return each.type == "image-stream" or (each.type in PICKED and len(options) > TYPEAHEAD_OVER)


def _is_long(each, value):
    return not each.secret and (each.multiline or each.type == "json" or "\n" in value or len(value) > _LONG)


def _is_number(each):
    return each.type in {"int", "number"} or any(limit.format in NUMBERS for limit in each.limits)


def _when(each):
    return json.dumps({"field": PREFIX + each.when.field, "values": each.when.values}) if each.when else ""


def _hint(dialog, each, kind):
    """What is accepted and why, what an empty answer means, and when it is asked for; one sentence each."""
    types = {
        "json": _("JSON."),
        "list": _("A list, separated by commas."),
        "int": "" if each.limits else _("A whole number."),
        "number": "" if each.limits else _("A number."),
    }
    parts = [types.get(each.type, ""), *(_limit(limit) for limit in each.limits)]
    if each.type in PICKED and kind == "text" and not each.locked:
        parts.append(_("What there is to choose from is not known now: type a name."))
    return " ".join(part for part in (*parts, _empty(each), _asked(dialog, each)) if part)


def _limit(limit: catalog.Limit):
    words = limit.reason if not limit.reason or limit.reason.endswith(".") else f"{limit.reason}."
    if limit.format:
        return words
    if limit.pattern:
        return " ".join(filter(None, (words, _("It fits the pattern %(pattern)s.") % {"pattern": limit.pattern})))
    return " ".join(filter(None, (words, _bounds(limit))))


def _bounds(limit):
    low, high = (f"{limit.low:g}" if limit.low is not None else "", f"{limit.high:g}" if limit.high is not None else "")
    if limit.of_length:
        words = (_("%(low)s to %(high)s characters."), _("At least %(low)s characters."))
        most = _("At most %(high)s characters.")
    else:
        words, most = (_("From %(low)s to %(high)s."), _("At least %(low)s.")), _("At most %(high)s.")
    chosen = words[0] if low and high else words[1] if low else most
    return chosen % {"low": low, "high": high}


def _empty(each):
    if each.locked:
        return _("Set by an administrator.")
    if each.generated:
        return _("Leave it empty to have it generated.")
    return _("Leave it empty for the template's own value.") if each.secret and each.has_default else ""


def _asked(dialog, each):
    if each.when is None:
        return ""
    other = dialog.by_name.get(each.when.field)
    label = (other.label or other.name) if other else each.when.field
    return _("Asked for where “%(field)s” is %(values)s.") % {
        "field": label,
        "values": _(" or ").join(value or _("empty") for value in each.when.values),
    }


def typed(dialog: Dialog, post: Mapping[str, str]) -> dict[str, str]:
    """What a form posted: parameter name → text, secrets too; line ends are of one kind."""
    names = ((each.name, PREFIX + each.name) for each in dialog.fields)
    return {name: post[field].replace("\r\n", "\n") for name, field in names if field in post}


def kept(dialog: Dialog, answers: Mapping[str, str]) -> dict[str, str]:
    """The answers that a draft may hold: those that are no secret and differ from what the form shows untouched."""
    open_fields = {each.name: each for each in dialog.fields if not each.secret}
    return {name: text for name, text in answers.items() if name in open_fields and text != open_fields[name].default}


def preset(dialog: Dialog, answers: Mapping[str, str]) -> dict[str, object]:
    """The answers to keep for another order: what was answered and is no secret; a default is no answer."""
    return without_secrets(dialog, kept(dialog, answers))

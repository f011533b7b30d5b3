"""What Heat says it will make of the plan: all created for a new overcloud, a difference for a deployed one."""

from collections import Counter
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tripleo_ui.planning import hot
from tripleo_ui.planning.plan import Plan
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.web.failures import Failure, explain

from . import completion
from .state import State

#: What happens to a resource, in the order to show; the list of what is kept stays closed.
KINDS = ("replaced", "deleted", "created", "updated", "kept")

#: Types that hold nothing of their own: what replaces them is made from the same plan.
_DATALESS = frozenset(
    {
        "OS::Heat::SoftwareConfig",
        "OS::Heat::SoftwareDeployment",
        "OS::Heat::StructuredConfig",
        "OS::Heat::StructuredDeployment",
    }
)
_OURS = {"added": "created", "unchanged": "kept"}


def preview(state: State) -> dict:
    """Ask Heat, which takes seconds for a large plan, and sum up what it says by role and type."""
    try:
        files = hot.compose(completion.complete(state, {}))
    except (ServiceError, ValueError) as error:
        return {"failure": _failure(error)}
    return of_files(state.cloud.heat, state.plan, files)


def of_files(heat, plan: Plan, files: Mapping[str, str]) -> dict:
    """The same for the files of a plan as they are stored."""
    try:
        stack = heat.find(plan.name)
        found = _changes(heat, stack, plan.name, hot.for_heat(files))
    except (ServiceError, ValueError) as error:
        return {"failure": _failure(error)}
    counted: dict[str, Counter] = {kind: Counter() for kind in KINDS}
    roles = {item.role.name: item.role.title for item in plan.roles}
    for kind, nested, type_ in found:
        counted[kind][roles.get(role_in(nested, plan.name, roles), ""), type_] += 1
    sections = [_section(kind, rows) for kind, rows in counted.items() if rows]
    return {
        "totals": [
            {"kind": section["kind"], "count": section["count"], "word": _word(section["kind"])} for section in sections
        ],
        "sections": sections,
        "note": _note(counted, stack),
    }


def _failure(error):
    if isinstance(error, ServiceError):
        return explain(error)
    return Failure(_("Plan"), _("compose the templates"), str(error))


def _changes(heat, stack, name, files) -> Iterable[tuple[str, str, str]]:
    """(what happens, name of the stack that it is in, type) of each resource."""
    if stack is None:
        return [("created", item.stack, item.type) for item in heat.preview(name, files)]
    changes = heat.preview_update(stack, files)
    return [(_OURS.get(change.action, change.action), change.stack, change.type) for change in changes]


def role_in(stack: str, root: str, roles: Iterable[str]) -> str:
    """The role whose group a nested stack belongs to, or none.

    Heat names nested stacks after the resource that holds them: ``mycloud-Compute-0`` in a preview,
    ``mycloud-Compute-5xk2-0-9fw3`` later.

    Args:
        stack: the nested stack's name.
        root: the overcloud's name.
        roles: names of roles.
    """
    inside = stack.removeprefix(f"{root}-") if stack != root else ""
    held = [role for role in roles if inside == role or inside.startswith(f"{role}-")]
    return max(held, key=len, default="")


def _section(kind, rows):
    total = sum(rows.values())
    return {
        "kind": kind,
        "count": total,
        "title": ngettext("%(n)s resource %(word)s", "%(n)s resources %(word)s", total)
        % {"n": total, "word": _word(kind)},
        "open": kind != "kept",
        "rows": [
            {"role": role or _("Whole overcloud"), "type": type_, "label": label(type_), "count": count}
            for (role, type_), count in sorted(rows.items())
        ],
    }


def _word(kind):
    return {
        "created": _("created"),
        "replaced": _("replaced"),
        "updated": _("updated"),
        "deleted": _("deleted"),
        "kept": _("kept"),
    }[kind]


def _note(counted, stack):
    if stack is None:
        return ""
    if not any(counted[kind] for kind in KINDS if kind != "kept"):
        return _("Nothing changes in the deployed overcloud.")
    if any(type_ not in _DATALESS for kind in ("replaced", "deleted") for _role, type_ in counted[kind]):
        return _("What is replaced or deleted loses its data.")
    return ""


def label(type_: str) -> str:
    """A resource type in a person's words; the last part of its name where we have none."""
    known = {
        "OS::Nova::Server": _("Server"),
        "OS::Neutron::Port": _("Network port"),
        "OS::Heat::ResourceGroup": _("Group of nodes"),
        "OS::Heat::SoftwareConfig": _("Software configuration"),
        "OS::Heat::StructuredConfig": _("Software configuration"),
        "OS::Heat::SoftwareDeployment": _("Software deployment"),
        "OS::Heat::StructuredDeployment": _("Software deployment"),
        "OS::Heat::RandomString": _("Generated value"),
    }
    return known.get(type_) or type_.rpartition("::")[2]

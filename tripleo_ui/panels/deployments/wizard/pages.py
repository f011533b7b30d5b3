"""What each step shows beside the parts that all steps share."""

from django.utils.translation import gettext as _

from tripleo_ui.web import schema_forms
from tripleo_ui.web.failures import explain

from . import numbers, plans, supplies
from .catalogue import services
from .state import State

#: The two fields that name something of the cloud, in the order of their columns.
PICKERS = ("flavor", "image")


def name(state: State) -> dict:
    """Name and description."""
    base = state.base
    values = {"name": base.name if base else "", "description": base.description if base else ""}
    return {"values": {**values, **state.sections["name"]}}


def roles(state: State) -> dict:
    """Every role with all services: those that run on it, and the others to add."""
    errors, section = state.errors("roles"), state.sections["roles"]
    chosen = {each.role.namespace for each in state.plan.roles}
    return {
        "roles": [
            _role(offered.role, space in chosen, section, errors) for space, offered in plans.roles(state.base).items()
        ]
    }


def _role(role, chosen, section, errors):
    on = {choice.service for choice in plans.role_services(role, section)}
    own = {choice.service for choice in role.services}
    rows = [_service(role, service, service.key in on, section, errors) for service in services()]
    return {
        "key": role.namespace,
        "id": schema_forms.element_id(role.namespace),
        "label": role.title,
        "description": role.description,
        "chosen": chosen,
        "service_count": len(on),
        "errors": errors.get(role.namespace, ()),
        "services": [row for row in rows if row["chosen"] or row["key"] in own],
        "others": [row for row in rows if not row["chosen"] and row["key"] not in own],
    }


def _service(role, service, chosen, section, errors):
    field = f"{role.namespace}.service.{service.key}"
    return {
        "key": service.key,
        "field": field,
        "id": schema_forms.element_id(field),
        "label": service.label,
        "description": service.description,
        "chosen": chosen,
        "elements": service.elements,
        "element": plans.element(role, service, section),
        "errors": errors.get(field, ()),
    }


def counts(state: State) -> dict:
    """Count, flavor and image of each chosen role, with the numbers of nodes."""
    offer = supplies.ask(state.cloud, state.origin["plan"] if state.origin else "")
    owned = offer.owned(state.plan)
    errors = state.errors("counts")
    rows = [_count_row(state, plan_role, offer, errors) for plan_role in state.plan.roles]
    wants = [numbers.Want(row["key"], row["count"]["value"], row["pickers"][0].value) for row in rows]
    said = numbers.compute(wants, offer.free, owned)
    for row in rows:
        row["numbers"] = said[row["key"]]
    totals = offer.totals
    if totals:
        totals["wanted"] = sum(plan_role.count for plan_role in state.plan.roles)
    return {
        "rows": rows,
        "totals": totals,
        "nodes_data": {"free": offer.free, "owned": owned},
        "failures": [explain(error) for error in (*state.failures, *offer.failures)],
    }


def _count_row(state, plan_role, offer, errors):
    role, typed = plan_role.role, state.sections["counts"]
    field = f"{role.namespace}.count"
    flavors = None if offer.flavors is None else _flavors(offer.flavors)
    images = None if offer.images is None else [(image.name, image.name) for image in offer.images]
    offered = {"flavor": flavors, "image": images}
    labels = {"flavor": _("Flavor"), "image": _("Image")}
    values = {"flavor": plan_role.flavor, "image": plan_role.image}
    return {
        "key": role.namespace,
        "id": schema_forms.element_id(f"{role.namespace}.row"),
        "label": role.title,
        "max_count": role.max_count,
        "count": {
            "name": field,
            "id": schema_forms.element_id(field),
            "value": typed.get(field, str(plan_role.count)),
            "errors": errors.get(field, ()),
        },
        "pickers": [
            schema_forms.picker(
                f"{role.namespace}.{part}",
                labels[part],
                typed.get(f"{role.namespace}.{part}", values[part]),
                offered[part],
                errors.get(f"{role.namespace}.{part}", ()),
            )
            for part in PICKERS
        ],
    }


def _flavors(flavors):
    """Those of bare metal first: the others lead to virtual machines."""
    sizes = _("%(name)s (%(cpus)s CPUs, %(ram)s GiB)")
    virtual = _("%(name)s (virtual)")
    return [
        (
            flavor.name,
            (sizes if flavor.bare_metal else virtual)
            % {"name": flavor.name, "cpus": flavor.vcpus, "ram": round(flavor.ram / 1024)},
        )
        for flavor in sorted(flavors, key=lambda flavor: not flavor.bare_metal)
    ]


def form(state: State) -> dict:
    """The parameters, grouped by role, required ones first."""
    errors, typed = state.errors("parameters"), state.sections["parameters"]
    shown = [parameter for parameter in state.built.parameters if not parameter.hidden]
    fields = (
        (
            parameter.role,
            schema_forms.from_parameter(parameter, typed.get(parameter.name), errors.get(parameter.name, ())),
        )
        for parameter in shown
    )
    labels = {"": _("Whole overcloud")}
    labels.update({each.role.namespace: each.role.title for each in state.plan.roles})
    return {
        "groups": schema_forms.grouped(fields, labels),
        "secrets_count": len(state.built.parameters) - len(shown),
    }


def conflict(differences) -> dict:
    """Fields that another tab typed differently, in words."""
    return {
        "differences": [
            {"label": item.field.replace(".", " "), "theirs": item.before, "mine": item.after} for item in differences
        ]
    }


BUILDERS = {"name": name, "roles": roles, "counts": counts, "parameters": form}

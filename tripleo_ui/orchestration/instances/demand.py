"""What one instance asks of a host, in Placement's words: the flavor's resources and traits, the ports' bandwidth."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tripleo_ui.orchestration.instances.model import Model
from tripleo_ui.services.nova import Aggregate

#: Hosts that an administrator has disabled have this trait.
DISABLED = "COMPUTE_STATUS_DISABLED"
_GROUPED = re.compile(r"(resources|trait)([a-zA-Z0-9_-]{1,64}):(.+)")
_BANDWIDTH = {"egress": "NET_BW_EGR_KILOBIT_PER_SEC", "ingress": "NET_BW_IGR_KILOBIT_PER_SEC"}
_MIB_PER_GIB = 1024


@dataclass(frozen=True)
class Group:
    """Amounts by resource class that one provider must have, and traits that it must have or must not have."""

    resources: Mapping[str, int] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Demand:
    """What is asked of a host. ``groups`` by suffix, "" is what the host itself must have.

    ``inside`` are aggregates of which the host must be in one, ``outside`` those in which it must not be.
    """

    groups: Mapping[str, Group]
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    policy: str = "none"

    def query(self) -> dict[str, str | list[str]]:
        """As Placement's list of candidates wants it."""
        asked: dict[str, str | list[str]] = {}
        for suffix, group in self.groups.items():
            if group.resources:
                asked[f"resources{suffix}"] = resources_query(group.resources)
            if traits := sorted(group.required) + [f"!{trait}" for trait in sorted(group.forbidden)]:
                asked[f"required{suffix}"] = ",".join(traits)
        # The first is the host's own; how two others relate has to be said.
        if len(self.groups) > 2:
            asked["group_policy"] = self.policy
        member_of = [f"in:{','.join(self.inside)}"] if self.inside else []
        if member_of or self.outside:
            asked["member_of"] = member_of + ([f"!in:{','.join(self.outside)}"] if self.outside else [])
        return asked


def resources_query(resources: Mapping[str, int]) -> str:
    """Amounts as Placement's queries want them."""
    return ",".join(f"{kind}:{amount}" for kind, amount in sorted(resources.items()))


def demand(model: Model, aggregates: Sequence[Aggregate] = ()) -> Demand:
    """What one instance of a request asks; ``aggregates`` are all that there are, for the zone."""
    inside, outside = _zone(model.request.availability_zone, aggregates)
    groups = {"": Group(_resources(model), *_traits(model)), **_grouped(model), **_bandwidth(model)}
    return Demand(groups, inside, outside, model.flavor.extra_specs.get("group_policy", "none"))


def _zone(zone: str, aggregates: Sequence[Aggregate]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A zone is the aggregates that name it; the default zone is what is in none of them."""
    if not zone:
        return (), ()
    inside = tuple(sorted(each.id for each in aggregates if each.zone == zone))
    return inside, () if inside else tuple(sorted(each.id for each in aggregates if each.zone))


def _resources(model: Model) -> dict[str, int]:
    flavor, specs = model.flavor, model.flavor.extra_specs
    cpu = "PCPU" if specs.get("hw:cpu_policy") == "dedicated" else "VCPU"
    root = 0 if model.request.boot_volume else flavor.disk
    found = {
        cpu: flavor.vcpus,
        "MEMORY_MB": flavor.ram,
        "DISK_GB": root + flavor.ephemeral - (-flavor.swap // _MIB_PER_GIB),
    }
    found |= {
        name.removeprefix("resources:"): int(amount)
        for name, amount in specs.items()
        if name.startswith("resources:") and amount.isdigit()
    }
    return {kind: amount for kind, amount in found.items() if amount}


def _traits(model: Model) -> tuple[frozenset[str], frozenset[str]]:
    told = {
        name.removeprefix("trait:"): value
        for name, value in model.flavor.extra_specs.items()
        if name.startswith("trait:")
    }
    required = {trait for trait, value in told.items() if value == "required"} | model.image.traits
    forbidden = {trait for trait, value in told.items() if value == "forbidden"} | {DISABLED}
    return frozenset(required), frozenset(forbidden)


def _grouped(model: Model) -> dict[str, Group]:
    """Numbered groups of a flavor's extra specs: "resources1:VGPU", "trait1:CUSTOM_X"."""
    found: dict[str, Group] = {}
    for name, value in model.flavor.extra_specs.items():
        matched = _GROUPED.fullmatch(name)
        if matched is None:
            continue
        kind, suffix, what = matched.groups()
        group = found.get(suffix, Group())
        if kind == "resources" and value.isdigit() and int(value):
            group = Group({**group.resources, what: int(value)}, group.required, group.forbidden)
        elif kind == "trait":
            more = frozenset({what})
            required = group.required | more if value == "required" else group.required
            forbidden = group.forbidden | more if value == "forbidden" else group.forbidden
            group = Group(group.resources, required, forbidden)
        found[suffix] = group
    return found


def _bandwidth(model: Model) -> dict[str, Group]:
    """A group for each port whose network promises bandwidth."""
    found = {}
    for number, nic in enumerate(model.nics):
        resources = {_BANDWIDTH[each]: amount for each, amount in nic.bandwidth.items() if amount}
        if resources:
            physical = nic.network.physical_network
            traits = {"CUSTOM_VNIC_TYPE_NORMAL"}
            if physical:
                traits.add("CUSTOM_PHYSNET_" + re.sub(r"[^A-Z0-9_]", "_", physical.upper()))
            found[f"_port{number}"] = Group(resources, frozenset(traits))
    return found

"""Fills an empty cloud with what an undercloud needs; every step may run again and changes nothing then."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One part of the seed.

    Attributes:
        name: the module below this package that does it.
        of: the service it is listed with.
        after: services and steps that come first.
    """

    name: str
    of: str
    after: tuple[str, ...]


STEPS = (
    Step("identity", of="keystone", after=("keystone",)),
    Step("network", of="neutron", after=("neutron", "seed-identity")),
    Step("nodes", of="neutron", after=("ironic", "seed-network")),
    Step("images", of="glance", after=("glance", "seed-identity")),
    Step("compute", of="nova", after=("nova",)),
    Step("volumes", of="cinder", after=("cinder", "seed-identity")),
)

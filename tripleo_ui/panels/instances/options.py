"""What the form of an instance offers: read from all services at once, each of which may fail alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from django.utils.translation import gettext as _

from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.nova import Flavor, Limit
from tripleo_ui.web import failures
from tripleo_ui.web.failures import Failure, Part

#: Choices of a field: value and label of each, or None where its service failed, so that a name must be typed.
Choices = list[tuple[str, str]] | None


@dataclass
class Options:
    """Parts by name, as ``web.failures.gather`` answers them; what was not asked has no choices and no failure."""

    parts: Mapping[str, Part] = field(default_factory=dict)

    @classmethod
    def read(cls, cloud: Cloud, project_id: str) -> "Options":
        """Ask all services, each for a list whose length depends on nobody's servers."""
        return cls(
            failures.gather(
                {
                    "flavors": cloud.nova.flavors,
                    "images": cloud.glance.images,
                    "networks": cloud.neutron.networks,
                    "subnets": cloud.neutron.subnets,
                    "security_groups": partial(cloud.neutron.security_groups, project_id),
                    "volume_types": cloud.cinder.types,
                    "volume_limits": cloud.cinder.limits,
                    "key_pairs": cloud.nova.key_pairs,
                    "server_groups": cloud.nova.server_groups,
                    "zones": cloud.nova.zones,
                    "limits": cloud.nova.limits,
                }
            )
        )

    @property
    def failures(self) -> list[Failure]:
        """What failed, each once."""
        return list(dict.fromkeys(part.failure for part in self.parts.values() if part.failure))

    def _value(self, name):
        return self.parts[name].value if name in self.parts else None

    @property
    def flavors(self) -> tuple[Flavor, ...]:
        """Nova's flavors, none where they are not known."""
        return self._value("flavors") or ()

    @property
    def only_network(self) -> str:
        """The id of the one network there is, or an empty text."""
        found = self._value("networks") or ()
        return found[0].id if len(found) == 1 else ""

    @cached_property
    def choices(self) -> Mapping[str, Choices]:
        """The choices of each field that has some, by the field's name."""
        return {
            "flavor": self._made("flavors", lambda flavor: (flavor.id, _flavor(flavor))),
            "image": self._made("images", lambda image: (image.id, _image(image))),
            "network": self._made("networks", lambda network: (network.id, self._network(network))),
            "security_groups": self._pairs("security_groups"),
            "volume_type": self._pairs("volume_types"),
            "key_name": self._made("key_pairs", lambda name: (name, name)),
            "server_group": self._made("server_groups", lambda group: (group.id, f"{group.name} ({group.policy})")),
            "availability_zone": self._made("zones", lambda name: (name, name)),
        }

    def _made(self, name, choice) -> Choices:
        found = self._value(name)
        return None if found is None else [choice(each) for each in found]

    def _pairs(self, name) -> Choices:
        found = self._value(name)
        return None if found is None else sorted(found.items(), key=lambda pair: pair[1].lower())

    def _network(self, network):
        ranges = [subnet.cidr for subnet in self._value("subnets") or () if subnet.network == network.id]
        return f"{network.name} ({', '.join(ranges)})" if ranges else network.name

    @property
    def free(self) -> Mapping[str, int]:
        """What is left of each quota that has a limit: instances, cores, ram (MiB), volumes, gigabytes."""
        limits: dict[str, Limit] = {**(self._value("limits") or {}), **(self._value("volume_limits") or {})}
        return {name: limit.free for name, limit in limits.items() if limit.free is not None}


def _flavor(flavor: Flavor) -> str:
    if flavor.bare_metal:
        return _("%(name)s: a whole node") % {"name": flavor.name}
    words = _("%(name)s: %(vcpus)s VCPU, %(ram)s MiB, %(disk)s GiB")
    return words % {"name": flavor.name, "vcpus": flavor.vcpus, "ram": flavor.ram, "disk": flavor.disk}


def _image(image) -> str:
    return (
        _("%(name)s: at least %(disk)s GiB") % {"name": image.name, "disk": image.min_disk}
        if image.min_disk
        else image.name
    )

"""One model of a request for instances: every name resolved, every fact at hand that the later phases need."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tripleo_ui.orchestration.instances.request import InstanceRequest, VolumeSpec
from tripleo_ui.services.glance import Image
from tripleo_ui.services.neutron import Network
from tripleo_ui.services.nova import Flavor, ServerGroup


@dataclass(frozen=True)
class Nic:
    """A port that each instance gets; ``bandwidth`` is what its network promises, in kbit/s by direction."""

    network: Network
    subnet: str = ""
    fixed_ip: str = ""
    bandwidth: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Disk:
    """A volume that each instance gets; ``image`` is set for the one that it boots from."""

    label: str
    spec: VolumeSpec
    image: str = ""


@dataclass(frozen=True)
class Model:
    """What will be made. ``security_groups`` are ids; ``volume_zone`` is Cinder's zone of the instances' own."""

    request: InstanceRequest
    flavor: Flavor
    image: Image
    nics: tuple[Nic, ...] = ()
    security_groups: tuple[str, ...] = ()
    group: ServerGroup | None = None
    volume_zone: str = ""

    @property
    def disks(self) -> tuple[Disk, ...]:
        """The volumes of each instance, the one to boot from first."""
        boot = self.request.boot_volume
        first = (Disk("boot", boot, self.image.id),) if boot else ()
        return first + tuple(Disk(f"volume-{number}", spec) for number, spec in enumerate(self.request.volumes, 1))

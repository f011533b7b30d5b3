"""What is asked for when instances are made: the params of ``instance.create`` as values, or all that is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.orchestration.instances.shape import Problem, Shape

MOST_INSTANCES = 100
MOST_VOLUMES = 20
MOST_NETWORKS = 20
NAME_LENGTH = 255


@dataclass(frozen=True)
class VolumeSpec:
    """A volume to make; ``size`` in GiB, ``delete`` says whether it goes with its instance."""

    size: int
    type: str = ""
    delete: bool = False


@dataclass(frozen=True)
class NetworkSpec:
    """A network to be on, by name or id; an empty ``fixed_ip`` leaves the address to Neutron."""

    network: str
    fixed_ip: str = ""


@dataclass(frozen=True)
class InstanceRequest:
    """One or many instances that are alike. Texts are names or ids of the services' things; empty ones ask for none."""

    name: str
    count: int
    min_count: int
    flavor: str
    image: str
    boot_volume: VolumeSpec | None = None
    volumes: tuple[VolumeSpec, ...] = ()
    networks: tuple[NetworkSpec, ...] = ()
    security_groups: tuple[str, ...] = ()
    key_name: str = ""
    server_group: str = ""
    availability_zone: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    user_data_ref: str = ""
    config_drive: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Each instance's name: one keeps the name that was asked for, many are numbered from 1."""
        return instance_names(self.name, self.count)


def instance_names(name: str, count: int) -> tuple[str, ...]:
    """The names of so many instances."""
    return (name,) if count == 1 else tuple(f"{name}-{number}" for number in range(1, count + 1))


def parse(params: Mapping[str, Any]) -> tuple[InstanceRequest | None, tuple[Problem, ...]]:
    """The request that params are; None where their shape is wrong, with all problems at once."""
    shape = Shape(params)
    count = shape.number("count", 1, MOST_INSTANCES, default=1)
    boot = params.get("boot_volume")
    request = InstanceRequest(
        name=shape.text("name", needed="Give it a name.", longest=NAME_LENGTH - len(f"-{MOST_INSTANCES}")),
        count=count,
        min_count=shape.number("min_count", 1, count, default=count),
        flavor=shape.text("flavor", needed="Choose a flavor."),
        image=shape.text("image", needed="Choose an image."),
        boot_volume=_volume(shape.inner("boot_volume")) if boot is not None else None,
        volumes=tuple(_volume(each) for each in shape.each("volumes", MOST_VOLUMES)),
        networks=tuple(_network(each) for each in shape.each("networks", MOST_NETWORKS)),
        security_groups=shape.texts("security_groups"),
        key_name=shape.text("key_name"),
        server_group=shape.text("server_group"),
        availability_zone=shape.text("availability_zone"),
        metadata=shape.pairs("metadata"),
        user_data_ref=shape.text("user_data_ref"),
        config_drive=shape.flag("config_drive"),
    )
    if request.security_groups and not request.networks:
        shape.wrong("security_groups", "Security groups need a network.")
    return (None if shape.problems else request), tuple(shape.problems)


def _volume(shape: Shape) -> VolumeSpec:
    size = shape.number("size", 1, 1_000_000, default=None)
    return VolumeSpec(size, shape.text("type"), shape.flag("delete"))


def _network(shape: Shape) -> NetworkSpec:
    address = shape.address("fixed_ip")
    return NetworkSpec(shape.text("network", needed="Choose a network."), address)

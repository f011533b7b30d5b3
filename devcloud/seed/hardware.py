"""The four kinds of node, which nodes and flavors are made of."""

from dataclasses import dataclass

NETWORK = "ctlplane"


@dataclass(frozen=True)
class Kind:
    """Nodes of one kind: their flavor has the same name.

    Attributes:
        name: name of the flavor and first part of the nodes' names.
        count: how many there are.
        cpus: processors of each.
        memory_mb: MiB of each.
        local_gb: GiB of disk of each.
        traits: beside the one of the kind.
    """

    name: str
    count: int
    cpus: int
    memory_mb: int
    local_gb: int
    traits: tuple[str, ...] = ()

    @property
    def resource_class(self) -> str:
        """Ironic's name of it."""
        return f"baremetal.{self.name}"

    @property
    def placement_class(self) -> str:
        """Placement's name of the resource class."""
        return f"CUSTOM_BAREMETAL_{self.name.upper()}"

    @property
    def trait(self) -> str:
        """The trait that its flavor asks for."""
        return f"CUSTOM_ROLE_{self.name.upper()}"


KINDS = (
    Kind("control", 3, 16, 65536, 200, ("HW_CPU_X86_AVX2",)),
    Kind("compute", 8, 64, 262144, 480, ("HW_CPU_X86_AVX2", "HW_CPU_X86_VMX")),
    Kind("storage", 4, 16, 65536, 7680, ("CUSTOM_DISK_NVME",)),
    Kind("gpu", 1, 64, 524288, 1920, ("HW_CPU_X86_AVX512F", "CUSTOM_GPU_H200")),
)

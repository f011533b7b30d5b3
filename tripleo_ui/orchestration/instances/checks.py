"""The one place where a request for instances is held against the services: what it names, and what it may have."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.orchestration.instances import network_checks
from tripleo_ui.orchestration.instances.facts import Facts, ask
from tripleo_ui.orchestration.instances.model import Model
from tripleo_ui.orchestration.instances.request import InstanceRequest, VolumeSpec
from tripleo_ui.orchestration.instances.shape import Problem
from tripleo_ui.services.glance import Image
from tripleo_ui.services.nova import MARK, Flavor, Limit, ServerGroup

#: Nova's own bound for user data, in characters of base64.
USER_DATA_LENGTH = 65535
_METADATA_NAME = re.compile(r"[a-zA-Z0-9\-_:. ]{1,255}")
_METADATA_LENGTH = 255
_NO_DISKS = frozenset({"aki", "ari"})
_GIB = 1024**3


@dataclass(frozen=True)
class Findings:
    """All problems, by field; ``model`` is there when every name could be resolved."""

    problems: tuple[Problem, ...] = ()
    model: Model | None = None


def check(request: InstanceRequest, cloud: Any, request_id: str = "") -> Findings:
    """Hold a request against the services. With ``request_id``, what that request has made is not counted again.

    Raises:
        ServiceError: a service did not answer.
    """
    return _Check(request, ask(request, cloud, request_id)).findings()


@dataclass
class _Check:
    request: InstanceRequest
    facts: Facts
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, name: str, message: str) -> None:
        self.problems.append(Problem(name, message))

    def findings(self) -> Findings:
        flavor: Flavor | None = self._one("flavor", self.request.flavor, self.facts["flavors"], "flavor")
        image: Image | None = self._one("image", self.request.image, self.facts["images"], "image")
        nics, groups = network_checks.nics(self.request, self.facts, self.wrong), self._security_groups()
        server_group = self._server_group()
        unresolved = bool(self.problems)
        self._names()
        if image:
            self._image(image)
        if flavor and image:
            self._fits(flavor, image)
        if flavor:
            self._quota(flavor)
        self._volumes()
        self._metadata()
        self._user_data()
        if unresolved or not flavor or not image:
            return Findings(tuple(self.problems))
        model = Model(self.request, flavor, image, nics, groups, server_group, self._volume_zone())
        return Findings(tuple(self.problems), model)

    def _one(self, name: str, wanted: str, things: Iterable[Any], what: str) -> Any:
        found, problem = network_checks.pick(wanted, things, what)
        if problem:
            self.wrong(name, problem)
        return found

    def _security_groups(self) -> tuple[str, ...]:
        found = []
        known = self.facts["security groups"] if self.request.networks and self.request.security_groups else {}
        for wanted in self.request.security_groups:
            ids = [wanted] if wanted in known else [each for each, name in known.items() if name == wanted]
            if len(ids) == 1:
                found.append(ids[0])
            else:
                told = f"There are {len(ids)} security groups" if ids else "There is no security group"
                self.wrong("security_groups", f"{told} “{wanted}”.")
        return tuple(found)

    def _server_group(self) -> ServerGroup | None:
        if not self.request.server_group:
            return None
        group: ServerGroup | None = self._one(
            "server_group", self.request.server_group, self.facts["server groups"], "server group"
        )
        most = self.facts["limits"]["group_members"].most
        if group and most >= 0 and (wanted := len(group.members) + self._missing) > most:
            self.wrong("server_group", f"It would have {wanted} members, and {most} are the most.")
        return group

    @property
    def _missing(self) -> int:
        return max(0, self.request.count - self.facts.made.servers)

    def _names(self) -> None:
        if self.request.key_name and not self.facts["key pair"]:
            self.wrong("key_name", f"You have no key pair “{self.request.key_name}”.")
        zone = self.request.availability_zone
        if zone and zone not in self.facts["zones"]:
            self.wrong("availability_zone", f"There is no availability zone “{zone}” that can be used now.")

    def _image(self, image: Image) -> None:
        if image.status != "active":
            self.wrong("image", f"It is {image.status}, not active.")
        elif image.disk_format in _NO_DISKS:
            self.wrong("image", f"Its format {image.disk_format} is that of a part, not of a disk.")

    def _fits(self, flavor: Flavor, image: Image) -> None:
        if image.min_ram > flavor.ram:
            self.wrong("flavor", f"The image needs {image.min_ram} MiB of RAM, and {flavor.name} has {flavor.ram}.")
        needed = max(image.min_disk, -(-max(image.size, image.virtual_size) // _GIB))
        boot = self.request.boot_volume
        if boot and boot.size < needed:
            self.wrong("boot_volume.size", f"The image needs {needed} GiB.")
        # A flavor without a disk gives one as large as the image.
        if not boot and 0 < flavor.disk < needed:
            self.wrong("flavor", f"The image needs a disk of {needed} GiB, and {flavor.name} has {flavor.disk}.")

    def _quota(self, flavor: Flavor) -> None:
        limits, missing = self.facts["limits"], self._missing
        self._within("count", missing, limits["instances"], "instances")
        if not flavor.bare_metal:
            self._within("flavor", missing * flavor.vcpus, limits["cores"], "VCPU")
            self._within("flavor", missing * flavor.ram, limits["ram"], "MiB of RAM")
        if self.request.networks:
            wanted = self.request.count * len(self.request.networks) - len(self.facts.made.ports)
            self._within("networks", wanted, self.facts["port limit"], "ports")

    def _within(self, name: str, wanted: int, limit: Limit, what: str) -> None:
        if limit.free is not None and wanted > limit.free:
            told = f"{wanted} {what} are asked, and {limit.free} of the quota of {limit.most} are free."
            self.wrong(name, told)

    def _volumes(self) -> None:
        specs = self._specs()
        if not specs:
            return
        types = self.facts["volume types"]
        for path, spec in specs.items():
            if spec.type and spec.type not in types and spec.type not in types.values():
                self.wrong(f"{path}.type", f"There is no volume type “{spec.type}”.")
        limits, made, count = self.facts["volume limits"], self.facts.made, self.request.count
        where = "volumes" if self.request.volumes else "boot_volume"
        self._within(where, count * len(specs) - made.volumes, limits["volumes"], "volumes")
        size = count * sum(spec.size for spec in specs.values())
        self._within(where, size - made.gigabytes, limits["gigabytes"], "GiB of volumes")

    def _specs(self) -> dict[str, VolumeSpec]:
        boot = {"boot_volume": self.request.boot_volume} if self.request.boot_volume else {}
        return boot | {f"volumes.{index}": spec for index, spec in enumerate(self.request.volumes)}

    def _volume_zone(self) -> str:
        zone = self.request.availability_zone
        return zone if zone and self._specs() and zone in self.facts["volume zones"] else ""

    def _metadata(self) -> None:
        most = self.facts["limits"]["metadata"].most
        # One more marks the instance as the request's.
        if most >= 0 and len(self.request.metadata) + 1 > most:
            self.wrong("metadata", f"There are {len(self.request.metadata)}, and {most - 1} are the most.")
        for name, value in self.request.metadata.items():
            if name == MARK:
                self.wrong(f"metadata.{name}", "That name is the dashboard's own.")
            elif not _METADATA_NAME.fullmatch(name):
                self.wrong(f"metadata.{name}", "A name has up to 255 letters, digits, spaces or any of - _ : and .")
            elif len(value) > _METADATA_LENGTH:
                self.wrong(f"metadata.{name}", f"It has {len(value)} characters, and {_METADATA_LENGTH} are the most.")

    def _user_data(self) -> None:
        if not self.request.user_data_ref:
            return
        text = self.facts["user data"]
        if text is None:
            self.wrong("user_data_ref", "The user data is gone. Enter it again.")
        elif (length := 4 * -(-len(text.encode()) // 3)) > USER_DATA_LENGTH:
            told = f"It has {length} characters in base64, and {USER_DATA_LENGTH} are the most."
            self.wrong("user_data_ref", told)

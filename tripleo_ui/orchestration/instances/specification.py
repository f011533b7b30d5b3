"""The whole body that Nova gets for one instance: nothing is left for it to make or to choose."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from tripleo_ui.orchestration.instances.model import Model
from tripleo_ui.services.nova import MARK


def specification(
    model: Model, request_id: str, name: str, host: str, ports: Sequence[str], volumes: Mapping[str, str]
) -> dict[str, Any]:
    """The body without user data, which is added at the call.

    Args:
        model: what was asked for.
        request_id: the mark.
        name: the instance's.
        host: the hypervisor's name.
        ports: ids, in the order of the model's networks.
        volumes: ids by the labels of the model's disks.
    """
    request = model.request
    server: dict[str, Any] = {
        "name": name,
        "flavorRef": model.flavor.id,
        "imageRef": "" if request.boot_volume else model.image.id,
        "hypervisor_hostname": host,
        "networks": [{"port": port} for port in ports] or "none",
        "metadata": {**request.metadata, MARK: request_id},
    }
    if request.boot_volume or volumes:
        server["block_device_mapping_v2"] = _devices(model, volumes)
    if request.key_name:
        server["key_name"] = request.key_name
    if request.availability_zone:
        server["availability_zone"] = request.availability_zone
    if request.config_drive:
        server["config_drive"] = True
    body: dict[str, Any] = {"server": server}
    if model.group:
        body["os:scheduler_hints"] = {"group": model.group.id}
    return body


def with_user_data(body: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The body with user data as Nova wants it; only for the call itself, because it may hold passwords."""
    return {**body, "server": {**body["server"], "user_data": base64.b64encode(text.encode()).decode()}}


def _devices(model: Model, volumes: Mapping[str, str]) -> list[dict[str, Any]]:
    # Volumes are never deleted by Nova: a build that is tried again on another host needs them once more.
    common = {"source_type": "volume", "destination_type": "volume", "delete_on_termination": False}
    devices = [{**common, "uuid": volumes[disk.label], "boot_index": 0 if disk.image else -1} for disk in model.disks]
    if model.request.boot_volume:
        return devices
    image = {"uuid": model.image.id, "source_type": "image", "destination_type": "local"}
    return [{**image, "boot_index": 0, "delete_on_termination": True}, *devices]

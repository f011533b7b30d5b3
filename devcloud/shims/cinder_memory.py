"""A volume driver without storage: Cinder's own records are all there is."""

import typing

from cinder.volume import driver

_GIGABYTES = 100_000


class MemoryDriver(driver.VolumeDriver):
    """Accepts every operation; a volume's content is lost, its state is kept by Cinder."""

    VERSION = "1.0"
    CI_WIKI_NAME = "none"

    def do_setup(self, context: typing.Any) -> None:
        """Nothing to prepare."""

    def check_for_setup_error(self) -> None:
        """Nothing can be wrong."""

    def create_volume(self, volume: typing.Any) -> dict:
        """Accept a new volume."""
        return {}

    def delete_volume(self, volume: typing.Any) -> None:
        """Forget a volume."""

    def create_snapshot(self, snapshot: typing.Any) -> dict:
        """Accept a snapshot."""
        return {}

    def delete_snapshot(self, snapshot: typing.Any) -> None:
        """Forget a snapshot."""

    def create_cloned_volume(self, volume: typing.Any, source: typing.Any) -> dict:
        """Accept a copy of a volume."""
        return {}

    def create_volume_from_snapshot(self, volume: typing.Any, snapshot: typing.Any) -> dict:
        """Accept a volume made from a snapshot."""
        return {}

    def copy_image_to_volume(self, *_args: typing.Any, **_kw: typing.Any) -> None:
        """Accept an image's content."""

    def clone_image(self, *_args: typing.Any) -> tuple[dict, bool]:
        """Say that the image was cloned, so that Cinder does not download it."""
        return {}, True

    def extend_volume(self, volume: typing.Any, size: int) -> None:
        """Accept a new size in GiB."""

    def ensure_export(self, context: typing.Any, volume: typing.Any) -> dict:
        """Nothing to export."""
        return {}

    def create_export(self, context: typing.Any, volume: typing.Any, connector: typing.Any) -> dict:
        """Nothing to export."""
        return {}

    def remove_export(self, context: typing.Any, volume: typing.Any) -> None:
        """Nothing was exported."""

    def initialize_connection(self, volume: typing.Any, connector: typing.Any, **_kw: typing.Any) -> dict:
        """Describe an iSCSI target that nobody will ever reach; the fake hypervisor does not try."""
        target = {
            "volume_id": volume["id"],
            "target_discovered": False,
            "target_portal": "127.0.0.1:3260",
            "target_iqn": f"iqn.2010-10.devcloud:{volume['id']}",
            "target_lun": 1,
        }
        return {"driver_volume_type": "iscsi", "data": target}

    def terminate_connection(self, volume: typing.Any, connector: typing.Any, **_kw: typing.Any) -> None:
        """Nothing was connected."""

    def attach_volume(self, *_args: typing.Any, **_kw: typing.Any) -> None:
        """Cinder records the attachment."""

    def detach_volume(self, *_args: typing.Any, **_kw: typing.Any) -> None:
        """Cinder records the detachment."""

    def get_volume_stats(self, refresh: bool = False) -> dict:
        """Return a capacity that no demo will use up, in GiB."""
        self._stats = {
            "volume_backend_name": self.configuration.safe_get("volume_backend_name"),
            "vendor_name": "devcloud",
            "driver_version": self.VERSION,
            "storage_protocol": "iSCSI",
            "total_capacity_gb": _GIGABYTES,
            "free_capacity_gb": _GIGABYTES,
            "provisioned_capacity_gb": 0,
            "reserved_percentage": 0,
            "QoS_support": False,
            "thin_provisioning_support": True,
            "max_over_subscription_ratio": "20.0",
            "multiattach": True,
        }
        return self._stats

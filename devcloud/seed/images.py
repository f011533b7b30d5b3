"""Images: a kilobyte is enough for hardware that boots nothing."""

from openstack.connection import Connection

from devcloud.layout import Layout

OVERCLOUD = ("control", "compute", "block-storage", "object-storage", "network", "all-in-one")
VIRTUAL = "tiny"


def run(connection: Connection, _layout: Layout) -> None:
    """Upload an image per role, and one for virtual machines."""
    names = [*(f"overcloud-{role}" for role in OVERCLOUD), VIRTUAL]
    api = connection.image
    present = {image.name for image in api.images() if image.status == "active"}
    for name in names:
        if name not in present:
            api.create_image(
                name=name,
                data=name.encode().ljust(1024, b"\0"),
                disk_format="raw",
                container_format="bare",
                visibility="public",
                wait=True,
            )

"""Nodes, flavors, servers and images in memory."""

import re

KINDS = {"control": 3, "compute": 8, "storage": 4}


class Compute:
    """What the clients of Nova, Ironic and Glance call."""

    def __init__(self):
        self.images = []
        self.flavors = []
        self.nodes = []
        self.servers = []
        for name in ("overcloud-control", "overcloud-compute", "overcloud-block-storage"):
            self.add_image(name)
        for kind, number in KINDS.items():
            self.add_flavor(kind)
            for index in range(number):
                self.add_node(f"{kind}-{index}", kind)

    def nova_routes(self):
        return [
            ("GET", r"/flavors/detail", lambda _call: {"flavors": self.flavors}),
            ("GET", r"/servers/detail", self._servers),
        ]

    def ironic_routes(self):
        return [("GET", r"/v1/nodes", self._nodes)]

    def glance_routes(self):
        return [("GET", r"/v2/images", self._images), ("GET", r"/v2/images/(.+)", self._image)]

    def add_image(self, name):
        self.images.append(
            {"id": f"image-{name}", "name": name, "size": 1024, "min_disk": 0, "min_ram": 0, "status": "active"}
        )

    def add_flavor(self, name, bare_metal=True):
        specs = {
            f"resources:CUSTOM_BAREMETAL_{name.upper()}": "1",
            f"trait:CUSTOM_ROLE_{name.upper()}": "required",
        }
        self.flavors.append(
            {
                "id": f"flavor-{name}",
                "name": name,
                "vcpus": 16,
                "ram": 65536,
                "disk": 100,
                "extra_specs": specs if bare_metal else {},
            }
        )

    def add_node(self, name, kind, **changes):
        node = {
            "uuid": f"node-{name}",
            "name": name,
            "resource_class": f"baremetal.{kind}",
            "traits": [f"CUSTOM_ROLE_{kind.upper()}"],
            "provision_state": "available",
            "power_state": "power off",
            "maintenance": False,
            "fault": None,
            "instance_uuid": None,
            "last_error": None,
        }
        self.nodes.append(node | changes)

    def add_server(self, name, **changes):
        server = {"id": f"server-{name}", "name": name, "status": "ACTIVE", "addresses": {}}
        self.servers.append(server | changes)

    def _servers(self, call):
        """Nova says with a link that there is more, and takes a marker that is there only."""
        from tests.fakes.cloud import Answer

        wanted = [
            server
            for server in self.servers
            if re.search(call.one("name"), server["name"]) and call.one("status") in ("", server["status"])
        ]
        if call.one("marker") and not any(server["id"] == call.one("marker") for server in self.servers):
            return Answer(400, {"badRequest": {"message": "marker not found"}})
        page, more = _page(wanted, call, "id")
        return {"servers": page} | ({"servers_links": [{"rel": "next", "href": "later"}]} if more else {})

    def _images(self, call):
        name = call.one("name").removeprefix("in:").strip('"')
        status = "" if name else call.one("status", "active")
        found = [image for image in self.images if status in ("", image["status"]) and name in ("", image["name"])]
        return {"images": sorted(found, key=lambda image: image["name"])[: int(call.one("limit"))]}

    def _image(self, _call, image_id):
        from tests.fakes.cloud import Answer

        return next((image for image in self.images if image["id"] == image_id), None) or Answer(404, {})

    def _nodes(self, call):
        found = self.nodes
        if call.one("associated") == "true":
            found = [node for node in found if node["instance_uuid"]]
        page, _more = _page(found, call, "uuid")
        return {"nodes": page}


def _page(items, call, key):
    """What a service lists after a marker, and whether there is more."""
    limit, marker = int(call.one("limit")), call.one("marker")
    start = next((i + 1 for i, item in enumerate(items) if item[key] == marker), 0)
    return items[start : start + limit], len(items) > start + limit

"""What instances need besides servers: networks, volumes, quotas, key pairs. Tests change the attributes."""

NETWORK = "11111111-1111-4111-8111-111111111111"
GROUP = "22222222-2222-4222-8222-222222222222"
IMAGE = "33333333-3333-4333-8333-333333333333"
FLAVOR = "flavor-small"


class Virtual:
    """One project with one network; ``limits`` are those of Nova, -1 for none."""

    def __init__(self, compute):
        self.networks = [{"id": NETWORK, "name": "private", "admin_state_up": True, "subnets": ["s1"]}]
        self.subnets = [
            {
                "id": "s1",
                "name": "s1",
                "network_id": NETWORK,
                "cidr": "10.0.0.0/24",
                "gateway_ip": "10.0.0.1",
                "allocation_pools": [{"start": "10.0.0.10", "end": "10.0.0.250"}],
            }
        ]
        self.groups = [{"id": GROUP, "name": "default"}]
        self.ports = []
        self.key_pairs = ["laptop"]
        self.server_groups = []
        self.limits = {"maxTotalInstances": 10, "totalInstancesUsed": 2, "maxTotalCores": -1, "maxTotalRAMSize": -1}
        self.limits |= {"maxServerMeta": 128, "maxServerGroupMembers": 10}
        self._compute = compute

    def offer(self):
        """A flavor and an image for virtual machines."""
        self._compute.flavors.append(
            {"id": FLAVOR, "name": "small", "vcpus": 1, "ram": 512, "disk": 5, "extra_specs": {}}
        )
        self._compute.images.append(
            {"id": IMAGE, "name": "tiny", "size": 1024, "min_disk": 2, "min_ram": 0, "status": "active"}
        )

    def nova_routes(self):
        return [
            ("GET", r"/limits", lambda _call: {"limits": {"absolute": self.limits}}),
            ("GET", r"/os-keypairs", lambda _call: {"keypairs": [{"keypair": {"name": n}} for n in self.key_pairs]}),
            ("GET", r"/os-keypairs/(.+)", self._key_pair),
            ("GET", r"/os-server-groups", lambda _call: {"server_groups": self.server_groups}),
            ("GET", r"/os-availability-zone", lambda _call: _zones("nova")),
        ]

    def neutron_routes(self):
        port_quota = {"quota": {"port": {"used": 0, "reserved": 0, "limit": -1}}}
        return [
            ("GET", r"/v2.0/networks", lambda _call: {"networks": self.networks}),
            ("GET", r"/v2.0/subnets", lambda _call: {"subnets": self.subnets}),
            ("GET", r"/v2.0/security-groups", lambda _call: {"security_groups": self.groups}),
            ("GET", r"/v2.0/ports", lambda _call: {"ports": self.ports}),
            ("GET", r"/v2.0/quotas/.+/details.json", lambda _call: port_quota),
        ]

    def cinder_routes(self):
        names = ("VolumesUsed", "GigabytesUsed")
        absolute = {f"total{name}": 0 for name in names} | {"maxTotalVolumes": 10, "maxTotalVolumeGigabytes": 100}
        return [
            ("GET", r"/types", lambda _call: {"volume_types": [{"id": "t1", "name": "fast"}]}),
            ("GET", r"/limits", lambda _call: {"limits": {"absolute": absolute}}),
            ("GET", r"/os-availability-zone", lambda _call: _zones("nova")),
        ]

    def _key_pair(self, _call, name):
        from tests.fakes.cloud import Answer

        return {"keypair": {"name": name}} if name in self.key_pairs else Answer(404, {"message": "not found"})


def _zones(*names):
    return {"availabilityZoneInfo": [{"zoneName": name, "zoneState": {"available": True}} for name in names]}

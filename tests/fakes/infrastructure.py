"""Networks, volumes, hosts and servers in memory: what instances are made of.

Knobs: ``faults`` maps "METHOD service /path" (a prefix) to a list of what befalls the next such calls: an HTTP status
(nothing is done), "lost" (it is done and the answer is lost), "hang" (nothing is done and nothing answered), "late"
(it is done half a second after the caller has given up), or something to call before it is done. ``no_host`` are
hypervisors on which builds fail, with the reason; ``volume_status`` is what a new volume becomes.
"""

import itertools
import json
import threading
from urllib.parse import urlsplit

import requests

from tests.fakes.cloud import HOST, Answer, FakeCloud
from tests.fakes.placement import Placement
from tripleo_ui.services.cloud import Cloud

#: What the flavor "small" of the fake cloud takes.
SMALL = {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 5}


class InstanceCloud(FakeCloud):
    """A fake cloud in which instances can be made."""

    def __init__(self, hosts=3, vcpus=8):
        super().__init__()
        self.made = Infrastructure(hosts, vcpus)
        self.virtual.offer()
        self.late = threading.Event()
        self._lock = threading.Lock()
        for service, routes in self.made.routes().items():
            self._routes[service] = routes + self._routes.get(service, [])

    def catalog(self, region="RegionOne"):
        return [*super().catalog(region), *self._entry("placement", region)]

    def _entry(self, name, region):
        endpoint = {"interface": "public", "region": region, "url": f"{HOST}/{name}"}
        return [{"type": name, "name": name, "endpoints": [endpoint]}]

    def cloud(self):
        def seen(**more):
            url, token = f"{HOST}/keystone", "token"
            return Cloud.from_token(url, token, "p1", self.catalog(), "RegionOne", http=self.http(), **more)

        return seen(service=seen())

    def send(self, request, **more):
        fault = self._fault(request)
        if callable(fault):
            fault()
        elif fault == "hang":
            raise requests.ReadTimeout(request=request)
        elif fault == "late":
            threading.Timer(0.5, lambda: (super(InstanceCloud, self).send(request, **more), self.late.set())).start()
            raise requests.ReadTimeout(request=request)
        elif fault == "lost":
            super().send(request, **more)
            raise requests.ReadTimeout(request=request)
        elif fault:
            return self._response(request, Answer(fault, {"error": {"message": "It was told to fail."}}))
        return super().send(request, **more)

    def _fault(self, request):
        call = f"{request.method} {urlsplit(request.url).path[1:].replace('/', ' /', 1)}"
        with self._lock:
            for told, queue in self.made.faults.items():
                if call.startswith(told) and queue:
                    return queue.pop(0)
        return None


class Infrastructure:
    """What the clients of Nova's servers, Neutron, Cinder and Placement call."""

    def __init__(self, hosts=3, vcpus=8):
        self.faults = {}
        self.no_host = {}
        self.volume_status = "available"
        self.unlimited = {"maxTotalCores": -1, "maxTotalInstances": -1, "maxTotalRAMSize": -1}
        self.servers, self.ports, self.volumes = {}, {}, {}
        self.groups, self.keys, self.policies = [], {"laptop"}, {}
        self.port_quota, self.volume_quota, self.gigabyte_quota = -1, -1, -1
        self.networks = [_network("net-1", "blue", ["sub-1"]), _network("net-2", "red", ["sub-2"])]
        self.subnets = [_subnet("sub-1", "net-1", "10.0.0.0/24"), _subnet("sub-2", "net-2", "10.1.0.0/24")]
        self.counts = itertools.count(1)
        self.placement = Placement()
        for number in range(1, hosts + 1):
            self.placement.add_host(f"host-{number}", VCPU=vcpus, MEMORY_MB=16384, DISK_GB=100)

    def routes(self):
        return {
            "nova": [
                ("GET", r"/servers/detail", self._list_servers),
                ("GET", r"/servers/([^/]+)", lambda _call, each: {"server": self._one(self.servers, each)}),
                ("POST", r"/servers", self._create_server),
                ("DELETE", r"/servers/(.+)", self._delete_server),
                ("GET", r"/limits", self._nova_limits),
                ("GET", r"/os-keypairs/(.+)", lambda _call, name: self._key(name)),
                ("GET", r"/os-keypairs", lambda _call: {"keypairs": [{"keypair": {"name": n}} for n in self.keys]}),
                ("GET", r"/os-server-groups", lambda _call: {"server_groups": self.groups}),
                ("GET", r"/os-availability-zone", lambda _call: _ZONES),
                ("GET", r"/os-aggregates", lambda _call: {"aggregates": []}),
            ],
            "neutron": [
                ("GET", r"/v2.0/networks", lambda _call: {"networks": self.networks}),
                ("GET", r"/v2.0/subnets", lambda _call: {"subnets": self.subnets}),
                (
                    "GET",
                    r"/v2.0/security-groups",
                    lambda _call: {"security_groups": [{"id": "sg-1", "name": "default"}]},
                ),
                ("GET", r"/v2.0/quotas/p1/details.json", self._port_quota),
                ("GET", r"/v2.0/qos/policies/(.+)", lambda _call, each: {"policy": {"rules": self.policies[each]}}),
                ("GET", r"/v2.0/ports", self._list_ports),
                ("POST", r"/v2.0/ports", self._create_port),
                ("DELETE", r"/v2.0/ports/(.+)", lambda _call, each: self._delete(self.ports, each)),
            ],
            "cinder": [
                ("GET", r"/limits", self._cinder_limits),
                ("GET", r"/types", lambda _call: {"volume_types": [{"id": "type-1", "name": "fast"}]}),
                ("GET", r"/os-availability-zone", lambda _call: _ZONES),
                ("GET", r"/volumes/detail", self._list_volumes),
                ("GET", r"/volumes/(.+)", lambda _call, each: {"volume": self._one(self.volumes, each)}),
                ("POST", r"/volumes", self._create_volume),
                ("DELETE", r"/volumes/(.+)", self._delete_volume),
            ],
            "placement": self.placement.routes(),
        }

    def left(self):
        """How much there is of everything that instances are made of."""
        kinds = {
            "servers": self.servers,
            "ports": self.ports,
            "volumes": self.volumes,
            "allocations": self.placement.consumers,
        }
        return {name: len(those) for name, those in kinds.items() if those}

    def _one(self, those, each):
        if each not in those:
            raise Answer(404, {"error": {"message": f"{each} could not be found."}})
        return those[each]

    def _delete(self, those, each):
        return Answer(204 if those.pop(each, None) is not None else 404)

    # Nova

    def _list_servers(self, call):
        return {"servers": list(self.servers.values())}

    def _create_server(self, call):
        body = call.json["server"]
        ports = [each["port"] for each in body["networks"]] if body["networks"] != "none" else []
        for port in ports:
            if self._one(self.ports, port)["device_id"]:
                return Answer(409, {"conflictingRequest": {"message": f"Port {port} is still in use."}})
        each = f"server-{next(self.counts)}"
        volumes = [d["uuid"] for d in body.get("block_device_mapping_v2", ()) if d["source_type"] == "volume"]
        host = body["hypervisor_hostname"]
        provider = next(p for p, found in self.placement.providers.items() if found["name"] == host)
        refused = self.no_host.get(host) or ("" if self.placement.fits(provider, SMALL) else "No valid host was found.")
        for port in ports:
            self.ports[port]["device_id"] = each
        for volume in volumes:
            self._one(self.volumes, volume)["status"] = "in-use"
        self.servers[each] = {
            "id": each,
            "name": body["name"],
            "status": "ERROR" if refused else "ACTIVE",
            "metadata": body["metadata"],
            "fault": {"message": refused},
            "os-extended-volumes:volumes_attached": [{"id": volume} for volume in volumes],
            "ports": ports,
            "host": host,
            "body": body,
            "hints": call.json.get("os:scheduler_hints", {}),
        }
        if not refused:
            self.placement.consumers[each] = {provider: {"resources": SMALL}}
        return Answer(202, {"server": {"id": each}})

    def _delete_server(self, _call, each):
        server = self.servers.pop(each, None)
        if server is None:
            return Answer(404)
        self.placement.consumers.pop(each, None)
        for port in server["ports"]:
            if port in self.ports:
                self.ports[port]["device_id"] = ""
        for volume in server["os-extended-volumes:volumes_attached"]:
            if volume["id"] in self.volumes:
                self.volumes[volume["id"]]["status"] = "available"
        return Answer(204)

    def _nova_limits(self, _call):
        used = {"totalInstancesUsed": len(self.servers), "totalCoresUsed": len(self.servers), "totalRAMUsed": 0}
        return {"limits": {"absolute": {**self.unlimited, **used, "maxServerMeta": 4, "maxServerGroupMembers": 10}}}

    def _key(self, name):
        return {"keypair": {"name": name}} if name in self.keys else Answer(404)

    # Neutron

    def _port_quota(self, _call):
        return {"quota": {"port": {"limit": self.port_quota, "used": len(self.ports), "reserved": 0}}}

    def _list_ports(self, call):
        found = list(self.ports.values())
        for name in ("description", "device_id", "network_id"):
            if call.one(name):
                found = [port for port in found if port[name] == call.one(name)]
        if address := call.one("fixed_ips").removeprefix("ip_address="):
            found = [port for port in found if address in {each["ip_address"] for each in port["fixed_ips"]}]
        return {"ports": found}

    def _create_port(self, call):
        number = next(self.counts)
        body = call.json["port"]
        address = (body.get("fixed_ips") or [{"ip_address": f"10.0.{number // 250}.{number % 250 + 2}"}])[0]
        port = {"id": f"port-{number}", "status": "DOWN", "device_id": "", **body, "fixed_ips": [address]}
        self.ports[port["id"]] = port
        return Answer(201, {"port": port})

    # Cinder

    def _cinder_limits(self, _call):
        return {
            "limits": {
                "absolute": {
                    "totalVolumesUsed": len(self.volumes),
                    "maxTotalVolumes": self.volume_quota,
                    "totalGigabytesUsed": sum(each["size"] for each in self.volumes.values()),
                    "maxTotalVolumeGigabytes": self.gigabyte_quota,
                }
            }
        }

    def _list_volumes(self, call):
        wanted = json.loads(call.one("metadata", "{}"))
        return {"volumes": [each for each in self.volumes.values() if wanted.items() <= each["metadata"].items()]}

    def _create_volume(self, call):
        each = f"volume-{next(self.counts)}"
        self.volumes[each] = {**call.json["volume"], "id": each, "status": self.volume_status, "attachments": []}
        return Answer(202, {"volume": self.volumes[each]})

    def _delete_volume(self, _call, each):
        if self._one(self.volumes, each)["status"] == "in-use":
            return Answer(400, {"badRequest": {"message": "Volume must not be attached."}})
        return self._delete(self.volumes, each)


_ZONES = {"availabilityZoneInfo": [{"zoneName": "nova", "zoneState": {"available": True}}]}


def _network(each, name, subnets):
    return {"id": each, "name": name, "admin_state_up": True, "subnets": subnets}


def _subnet(each, network, cidr):
    base = cidr.rsplit(".", 1)[0]
    pools = [{"start": f"{base}.2", "end": f"{base}.254"}]
    return {
        "id": each,
        "name": each,
        "network_id": network,
        "cidr": cidr,
        "gateway_ip": f"{base}.1",
        "allocation_pools": pools,
    }

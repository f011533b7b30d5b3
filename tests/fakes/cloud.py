"""The fake cloud: a transport for ``requests`` that routes each call to a service in memory.

Knobs: ``latency[service]`` in seconds; ``failures[service]`` an HTTP status, "timeout" or "refuse". ``calls`` counts
the calls to each service, and ``log`` keeps method and path of each.
"""

import io
import json
import re
import threading
import time
from collections import Counter
from urllib.parse import parse_qs, unquote, urlsplit

import requests
from requests.adapters import BaseAdapter

from tests.fakes import compute, heat, swift, virtual
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.rest import TimeoutSession

HOST = "http://fake.invalid"
TYPES = {
    "heat": "orchestration",
    "swift": "object-store",
    "ironic": "baremetal",
    "nova": "compute",
    "glance": "image",
    "neutron": "network",
    "cinder": "block-storage",
}


class Answer(Exception):
    """What a service answers: raised to end a handler early, or returned."""

    def __init__(self, status=200, body=None, headers=None):
        super().__init__(status)
        self.status = status
        self.body = body
        self.headers = headers or {}


class Call:
    """A call as a handler sees it."""

    def __init__(self, method, path, query, headers, body):
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body) if self.body else None

    def one(self, name, default=""):
        return self.query.get(name, [default])[0]


class FakeCloud(BaseAdapter):
    """All services; each is a list of (method, pattern, handler)."""

    def __init__(self):
        super().__init__()
        self.latency = {}
        self.failures = {}
        self.calls = Counter()
        self.log = []
        self.trusts = {}
        self._guard = threading.RLock()
        self.swift = swift.Swift()
        self.heat = heat.Heat()
        self.compute = compute.Compute()
        self.virtual = virtual.Virtual(self.compute)
        self._routes = {
            "swift": self.swift.routes(),
            "heat": self.heat.routes(),
            "nova": self.compute.nova_routes() + self.virtual.nova_routes(),
            "neutron": self.virtual.neutron_routes(),
            "cinder": self.virtual.cinder_routes(),
            "ironic": self.compute.ironic_routes(),
            "glance": self.compute.glance_routes(),
            "keystone": self._keystone_routes(),
        }

    def http(self):
        """A session of ``requests`` that reaches this cloud and nothing else."""
        session = TimeoutSession(1.0, 1.0)
        session.mount("http://", self)
        session.mount("https://", self)
        return session

    def catalog(self, region="RegionOne"):
        """The service catalog as Keystone v3 gives it."""
        return [
            {
                "type": kind,
                "name": name,
                "endpoints": [{"interface": "public", "region": region, "url": f"{HOST}/{name}"}],
            }
            for name, kind in TYPES.items()
        ]

    def cloud(self):
        """The services' clients on this cloud."""
        return Cloud.from_token(f"{HOST}/keystone", "token", "p1", self.catalog(), "RegionOne", http=self.http())

    def forget(self):
        """Count anew."""
        self.calls.clear()
        self.log.clear()

    def send(self, request, **_more):
        parts = urlsplit(request.url)
        _, service, path = [*unquote(parts.path).split("/", 2), ""][:3]
        with self._guard:
            self.calls[service] += 1
            self.log.append(f"{request.method} {service} /{path}")
        time.sleep(self.latency.get(service, 0))
        failure = self.failures.get(service)
        if failure == "timeout":
            raise requests.ReadTimeout(request=request)
        if failure == "refuse":
            raise requests.ConnectionError(request=request)
        if failure:
            body = {"error": {"message": f"{service} was told to fail"}}
            return self._response(request, Answer(failure, body, {"x-openstack-request-id": f"req-{service}"}))
        body = request.body.encode() if isinstance(request.body, str) else request.body or b""
        call = Call(request.method, f"/{path}", parse_qs(parts.query, True), request.headers, body)
        with self._guard:
            return self._response(request, self._answer(service, call))

    def close(self):
        """Nothing is open."""

    def _answer(self, service, call):
        for method, pattern, handler in self._routes[service]:
            match = re.fullmatch(pattern, call.path)
            if method == call.method and match:
                try:
                    found = handler(call, *match.groups())
                except Answer as answer:
                    found = answer
                return found if isinstance(found, Answer) else Answer(200, found)
        return Answer(404, {"error": {"message": f"{service} has no {call.method} {call.path}"}})

    def _response(self, request, answer):
        response = requests.Response()
        response.status_code = answer.status
        response.request = request
        response.url = request.url
        response.headers.update(answer.headers)
        content = answer.body if isinstance(answer.body, bytes) else b""
        if answer.body is not None and not content and not isinstance(answer.body, bytes):
            content = json.dumps(answer.body).encode()
            response.headers["Content-Type"] = "application/json"
        response.raw = io.BytesIO(content)
        response._content = content
        return response

    def _keystone_routes(self):
        return [
            ("GET", r"/users", lambda _call: {"users": [{"id": "conductor", "domain_id": "default"}]}),
            ("GET", r"/domains", lambda _call: {"domains": [{"id": "default", "name": "Default"}]}),
            ("POST", r"/OS-TRUST/trusts", self._create_trust),
            ("DELETE", r"/OS-TRUST/trusts/(.+)", self._delete_trust),
        ]

    def _create_trust(self, call):
        trust = call.json["trust"] | {"id": f"trust-{len(self.trusts) + 1}"}
        self.trusts[trust["id"]] = trust
        return Answer(201, {"trust": trust})

    def _delete_trust(self, _call, trust_id):
        return Answer(204 if self.trusts.pop(trust_id, None) else 404)

"""Instances on the shared cloud: a tenant, a conductor in this process, and what there is of everything."""

import threading
import uuid
from contextlib import contextmanager

from devcloud.layout import PASSWORD, REGION
from devcloud.seed.connection import connect
from tests.cloud import wait_until
from tests.orchestration import wait_for
from tripleo_ui.orchestration import api, conductor
from tripleo_ui.orchestration.api import State
from tripleo_ui.services.breaker import Breakers
from tripleo_ui.services.cloud import Cloud
from tripleo_ui.services.rest import TimeoutSession

ENDED = (State.SUCCEEDED, State.PARTIAL, State.FAILED, State.CANCELLED, State.NEEDS_ATTENTION)
READ_SECONDS = 30.0


@contextmanager
def new_project(admin):
    """A project of its own, so that nobody else's instances come and go in it: the name of it and of its member."""
    name = f"instances-{uuid.uuid4().hex[:6]}"
    identity = admin.identity
    project = identity.create_project(name=name, domain_id="default")
    user = identity.create_user(name=name, password=PASSWORD, domain_id="default", default_project_id=project.id)
    for role in ("member", "swiftoperator"):
        identity.assign_project_role_to_user(project, user, identity.find_role(role))
    yield name
    for group in admin.network.security_groups(project_id=project.id):
        admin.network.delete_security_group(group)
    identity.delete_user(user)
    identity.delete_project(project)


class Tenant:
    """A member of a project as these tests use it."""

    def __init__(self, cloud, admin, name):
        session = connect(cloud.layout, project=name, user=name).session
        access = session.auth.get_access(session)
        self.auth_url = admin.session.auth.auth_url
        self.cloud = Cloud.from_token(
            self.auth_url, access.auth_token, access.project_id, access.service_catalog.catalog, REGION
        )
        self.person = api.Requester(access.user_id, name, access.project_id, name, REGION)
        self._admin = admin
        self._trustee = admin.identity.find_user("tripleo_ui").id
        self._roles = access.role_names

    def trust(self):
        """A trust as the page makes it."""
        return self.cloud.keystone.create_trust(self.person.user_id, self._trustee, self.person.project_id, self._roles)

    def submit(self, workflow, **params):
        """Ask for a workflow."""
        return api.submit(workflow, self.person, params, trust_id=self.trust())

    def create(self, name, **params):
        """Ask for instances; small ones unless told otherwise."""
        return self.submit("instance.create", **({"name": name, "flavor": "m1.small", "image": "tiny"} | params))

    def retry(self, request):
        """Try again, with a new trust."""
        return api.retry(request.id, self.person, self.trust())

    def ended(self, request, seconds=180):
        """The request at its end."""
        return wait_for(request, *ENDED, seconds=seconds)

    def under_way(self, request, proxy="", read_seconds=READ_SECONDS, breakers=None):
        """The cloud as a conductor sees it, through a proxy where there is one."""
        http = TimeoutSession(5.0, read_seconds)
        http.trust_env = False
        http.proxies = {"http": proxy} if proxy else {}
        return Cloud.from_trust(
            self.auth_url,
            "tripleo_ui",
            PASSWORD,
            "Default",
            request.trust_id,
            REGION,
            http=http,
            breakers=breakers or Breakers(),
        )

    def everything(self):
        """All there is in the project of what instances are made of, and what is claimed for it."""
        servers, _more = self.cloud.nova.page(1000)
        volumes = self._rest("cinder", "block-storage", "/volumes")["volumes"]
        ports = self._rest("neutron", "network", "/v2.0/ports")["ports"]
        query = f"/usages?project_id={self.person.project_id}"
        claimed = self._admin.placement.get(query, microversion="1.9").json()["usages"]
        return {
            "servers": {each.name for each in servers},
            "ports": {each["name"] for each in ports},
            "volumes": {each["name"] for each in volumes},
            "claimed": {kind: amount for kind, amount in claimed.items() if amount},
        }

    def clear(self):
        """Delete all of it, however it came to be there."""
        servers, _more = self.cloud.nova.page(1000)
        for server in servers:
            self.cloud.nova.delete(server.id)
        wait_until(lambda: not self.cloud.nova.page(1000)[0], "the servers are gone")
        for port in self._rest("neutron", "network", "/v2.0/ports")["ports"]:
            self.cloud.neutron.delete_port(port["id"])
        for volume in self._rest("cinder", "block-storage", "/volumes")["volumes"]:
            self.cloud.cinder.delete(volume["id"])
        wait_until(lambda: not self.everything()["volumes"], "the volumes are gone")

    def _rest(self, service, kind, path):
        return self.cloud.rest(service, kind).call("list", "GET", path).json()


@contextmanager
def conducting(cloud_of, name="conductor-1"):
    """A conductor in a thread."""
    made = conductor.Conductor(name, cloud_of)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.stop()
        thread.join(60)
        assert not thread.is_alive()

"""Users, projects, roles and the catalog."""

import functools
import typing

from openstack.connection import Connection

from devcloud.layout import PASSWORD, REGION, Layout
from devcloud.seed.making import make

ROLES = (
    "service",
    "heat_stack_user",
    "heat_stack_owner",
    "swiftoperator",
    "ResellerAdmin",
    "baremetal_admin",
)

# Type, name, port and path of each service in the catalog.
CATALOG = (
    ("orchestration", "heat", "heat", "/v1/%(tenant_id)s"),
    ("cloudformation", "heat-cfn", "heat_cfn", "/v1"),
    ("object-store", "swift", "swift", "/v1/AUTH_%(tenant_id)s"),
    ("baremetal", "ironic", "ironic", ""),
    ("metric", "gnocchi", "gnocchi", ""),
    ("image", "glance", "glance", ""),
    ("compute", "nova", "nova", "/v2.1"),
    ("placement", "placement", "placement", ""),
    ("network", "neutron", "neutron", ""),
    ("block-storage", "cinder", "cinder", "/v3/%(tenant_id)s"),
    ("volumev3", "cinderv3", "cinder", "/v3/%(tenant_id)s"),
    ("alarming", "aodh", "aodh", ""),
)

# Users of the services themselves, in the project "service".
SERVICE_USERS = (
    "heat",
    "swift",
    "ironic",
    "gnocchi",
    "glance",
    "nova",
    "placement",
    "neutron",
    "cinder",
    "aodh",
)


class _Identity:
    """Keystone with a memory of what was there already: one list call per kind."""

    def __init__(self, connection: Connection):
        self.api = connection.identity
        self.domain = self.api.find_domain("Default", ignore_missing=False)
        self.roles = {role.name: role for role in self.api.roles()}
        self.users = {user.name: user for user in self.api.users(domain_id=self.domain.id)}
        self.projects = {p.name: p for p in self.api.projects(domain_id=self.domain.id)}

    def user(self, name: str, **attributes: typing.Any) -> typing.Any:
        if name not in self.users:
            self.users[name] = make(
                lambda: self.api.create_user(name=name, password=PASSWORD, domain_id=self.domain.id, **attributes),
                lambda: self.api.find_user(name, domain_id=self.domain.id),
            )
        return self.users[name]

    def project(self, name: str) -> typing.Any:
        if name not in self.projects:
            self.projects[name] = make(
                lambda: self.api.create_project(name=name, domain_id=self.domain.id),
                lambda: self.api.find_project(name, domain_id=self.domain.id),
            )
        return self.projects[name]

    def role(self, name: str) -> typing.Any:
        if name not in self.roles:
            self.roles[name] = make(lambda: self.api.create_role(name=name), lambda: self.api.find_role(name))
        return self.roles[name]

    def grant(self, user: str, project: str, *roles: str) -> None:
        """Give roles; giving them again changes nothing."""
        for name in roles:
            self.api.assign_project_role_to_user(self.project(project), self.user(user), self.role(name))


def run(connection: Connection, layout: Layout) -> None:
    """Make everything that identity knows of the cloud."""
    identity = _Identity(connection)
    for name in ROLES:
        identity.role(name)
    for name in SERVICE_USERS:
        identity.grant(name, "service", "admin", "service")
    # The orchestrator acts through trusts; what its own user does, Placement and service tokens, takes this one role.
    identity.grant("tripleo_ui", "service", "service")
    # Members give it trusts, and may look no user up.
    layout.service_user_id.parent.mkdir(parents=True, exist_ok=True)
    layout.service_user_id.write_text(identity.user("tripleo_ui").id)
    demo = identity.project("demo")
    identity.user("demo", default_project_id=demo.id)
    identity.grant("demo", "demo", "member", "heat_stack_owner")
    for name in ("admin", "ironic"):
        identity.api.assign_system_role_to_user(identity.user(name), identity.role("admin"), "all")
    _make_heat_domain(identity)
    _make_catalog(identity, layout)


def _make_heat_domain(identity: _Identity) -> None:
    """Heat keeps the users of its signals in a domain of their own."""
    api = identity.api
    found = functools.partial(api.find_domain, "heat")
    domain = found() or make(lambda: api.create_domain(name="heat"), found)
    found = functools.partial(api.find_user, "heat_domain_admin", domain_id=domain.id)
    wanted = {"name": "heat_domain_admin", "password": PASSWORD, "domain_id": domain.id}
    user = found() or make(lambda: api.create_user(**wanted), found)
    api.assign_domain_role_to_user(domain, user, identity.role("admin"))


def _make_catalog(identity: _Identity, layout: Layout) -> None:
    api = identity.api
    services = {service.type: service for service in api.services()}
    present = {(endpoint.service_id, endpoint.interface) for endpoint in api.endpoints()}
    for kind, name, port, path in CATALOG:
        service = services.get(kind) or api.create_service(type=kind, name=name)
        for interface in ("public", "internal", "admin"):
            if (service.id, interface) not in present:
                api.create_endpoint(
                    service_id=service.id,
                    interface=interface,
                    url=layout.url(port) + path,
                    region_id=REGION,
                )

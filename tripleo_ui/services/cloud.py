"""The services of one cloud, as one person or one trust may use them."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import requests
from keystoneauth1 import plugin, service_token
from keystoneauth1 import session as keystone_session
from keystoneauth1.identity import v3

from tripleo_ui.services.breaker import Breakers
from tripleo_ui.services.cinder import Cinder
from tripleo_ui.services.glance import Glance
from tripleo_ui.services.heat import Heat
from tripleo_ui.services.keystone import Keystone
from tripleo_ui.services.neutron import Neutron
from tripleo_ui.services.nodes import Nodes
from tripleo_ui.services.nova import Nova
from tripleo_ui.services.placement import Placement
from tripleo_ui.services.plans import PlanStore
from tripleo_ui.services.rest import Rest, TimeoutSession
from tripleo_ui.services.userdata import UserData

if TYPE_CHECKING:
    from tripleo_ui.services.clusters import Clusters

PLAN_PREFIX = "overcloud-plan-"
#: Names of a type in catalogs that are older than its official one.
_ALIASES = {"block-storage": ("block-storage", "volumev3")}


class CatalogToken(plugin.BaseAuthPlugin):
    """A token and a service catalog that are known already, so that a page costs no call to Keystone.

    ``catalog`` is the list that Keystone v3 puts into a token.
    """

    def __init__(self, token: str, project_id: str, catalog: Iterable[Mapping[str, Any]], auth_url: str) -> None:
        super().__init__()
        self._token = token
        self._project_id = project_id
        self._auth_url = auth_url
        self._catalog = tuple(catalog)

    def get_token(self, _session: Any, **_more: Any) -> str:
        """The token as it was given."""
        return self._token

    def get_project_id(self, _session: Any, **_more: Any) -> str:
        """The project the token is for."""
        return self._project_id

    def get_endpoint(
        self,
        _session: Any,
        service_type: str = "",
        interface: Any = "public",
        region_name: str = "",
        **_more: Any,
    ) -> str | None:
        """The endpoint's URL, or None where the catalog has none."""
        if service_type == "identity":
            return self._auth_url
        wanted = [interface] if isinstance(interface, str) else list(interface)
        for service in self._catalog:
            if service["type"] not in _ALIASES.get(service_type, (service_type,)):
                continue
            for endpoint in service["endpoints"]:
                if endpoint.get("region") in {region_name, None, ""} and endpoint["interface"] in wanted:
                    return str(endpoint["url"])
        return None


class Cloud:
    """One client for each service, made when it is first used.

    ``session`` is a keystoneauth session. Connect and read timeouts, in seconds, are those of its ``requests``
    session (see ``TimeoutSession``). ``breakers`` are shared by all clouds of a process that works on many requests.
    ``service`` is the same cloud as a service of it sees it, for what no tenant may do; a person's cloud has none.
    """

    def __init__(
        self,
        session: Any,
        region: str = "",
        interface: str = "public",
        plan_prefix: str = PLAN_PREFIX,
        breakers: Breakers | None = None,
        service: "Cloud | None" = None,
    ) -> None:
        self.session = session
        self.region = region
        self.service = service
        self._breakers = breakers
        self._plan_prefix = plan_prefix
        self._endpoint = {"region_name": region or None, "interface": interface}

    @classmethod
    def from_token(
        cls,
        auth_url: str,
        token: str,
        project_id: str,
        catalog: Iterable[Mapping[str, Any]],
        region: str = "",
        *,
        http: requests.Session | None = None,
        verify: bool | str = True,
        **more: Any,
    ) -> "Cloud":
        """A cloud for somebody who is signed in already; no call is made."""
        auth = CatalogToken(token, project_id, catalog, auth_url)
        return cls(keystone_session.Session(auth=auth, session=http or _http(), verify=verify), region, **more)

    @classmethod
    def from_trust(
        cls,
        auth_url: str,
        username: str,
        password: str,
        user_domain: str,
        trust_id: str,
        region: str = "",
        *,
        service_project: str = "service",
        service_project_domain: str = "Default",
        http: requests.Session | None = None,
        verify: bool | str = True,
        **more: Any,
    ) -> "Cloud":
        """A cloud as the trust's giver sees it, whose ``service`` is the trusted user's own; signs in when called."""
        http = http or _http()
        user = {"username": username, "password": password, "user_domain_name": user_domain}
        given = v3.Password(auth_url, **user, trust_id=trust_id)
        own = v3.Password(auth_url, **user, project_name=service_project, project_domain_name=service_project_domain)
        service = cls(keystone_session.Session(auth=own, session=http, verify=verify), region, **more)
        return cls(keystone_session.Session(auth=given, session=http, verify=verify), region, service=service, **more)

    def rest(self, service: str, service_type: str, **more: Any) -> Rest:
        """Calls to one service by its type in the catalog."""
        breaker = self._breakers.of(self.region, service) if self._breakers else None
        return Rest(self.session, service, breaker, service_type=service_type, **self._endpoint, **more)

    @cached_property
    def heat(self) -> Heat:
        """Stacks."""
        return Heat(self.rest("heat", "orchestration"))

    @cached_property
    def plans(self) -> PlanStore:
        """Plans, which are containers in Swift."""
        return PlanStore(self.rest("swift", "object-store"), self._plan_prefix)

    @cached_property
    def nodes(self) -> Nodes:
        """Bare metal nodes."""
        return Nodes(self.rest("ironic", "baremetal"))

    @cached_property
    def nova(self) -> Nova:
        """Flavors and servers."""
        return Nova(self.rest("nova", "compute"))

    @cached_property
    def placing(self) -> Nova:
        """Nova for servers whose host is chosen already: it takes that from services only, so both are named."""
        if self.service is None:
            return self.nova
        auth = service_token.ServiceTokenAuthWrapper(
            user_auth=self.session.auth, service_auth=self.service.session.auth
        )
        return Nova(self.rest("nova", "compute", auth=auth))

    @cached_property
    def placement(self) -> Placement:
        """Resources of hosts, for services only."""
        return Placement(self.rest("placement", "placement"))

    @cached_property
    def neutron(self) -> Neutron:
        """Networks and ports."""
        return Neutron(self.rest("neutron", "network"))

    @cached_property
    def cinder(self) -> Cinder:
        """Volumes."""
        return Cinder(self.rest("cinder", "block-storage"))

    @cached_property
    def userdata(self) -> UserData:
        """User data that waits for its instances."""
        return UserData(self.rest("swift", "object-store"))

    @cached_property
    def clusters(self) -> "Clusters":
        """The clusters of the settings, which are not the cloud's own."""
        # Imported here: the client of Kubernetes takes half a second, and most processes have no clusters.
        from tripleo_ui.services.clusters import Clusters  # noqa: PLC0415

        return Clusters(breakers=self._breakers)

    @cached_property
    def glance(self) -> Glance:
        """Images."""
        return Glance(self.rest("glance", "image"))

    @cached_property
    def keystone(self) -> Keystone:
        """Trusts."""
        return Keystone(self.rest("keystone", "identity"))


def _http() -> requests.Session:
    return TimeoutSession(connect=5.0, read=30.0)

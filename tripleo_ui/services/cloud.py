"""The services of one cloud, as one person or one trust may use them."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import requests
from keystoneauth1 import plugin
from keystoneauth1 import session as keystone_session
from keystoneauth1.identity import v3

from tripleo_ui.services.breaker import Breakers
from tripleo_ui.services.glance import Glance
from tripleo_ui.services.heat import Heat
from tripleo_ui.services.keystone import Keystone
from tripleo_ui.services.nodes import Nodes
from tripleo_ui.services.nova import Nova
from tripleo_ui.services.plans import PlanStore
from tripleo_ui.services.rest import Rest, TimeoutSession

PLAN_PREFIX = "overcloud-plan-"


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
            if service["type"] != service_type:
                continue
            for endpoint in service["endpoints"]:
                if endpoint.get("region") in {region_name, None, ""} and endpoint["interface"] in wanted:
                    return str(endpoint["url"])
        return None


class Cloud:
    """One client for each service, made when it is first used.

    ``session`` is a keystoneauth session. Connect and read timeouts, in seconds, are those of its ``requests``
    session (see ``TimeoutSession``). ``breakers`` are shared by all clouds of a process that works on many requests.
    """

    def __init__(
        self,
        session: Any,
        region: str = "",
        interface: str = "public",
        plan_prefix: str = PLAN_PREFIX,
        breakers: Breakers | None = None,
    ) -> None:
        self.session = session
        self.region = region
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
        http: requests.Session | None = None,
        verify: bool | str = True,
        **more: Any,
    ) -> "Cloud":
        """A cloud as the trust's giver sees it; signs in at the first call."""
        auth = v3.Password(
            auth_url, username=username, password=password, user_domain_name=user_domain, trust_id=trust_id
        )
        return cls(keystone_session.Session(auth=auth, session=http or _http(), verify=verify), region, **more)

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
    def glance(self) -> Glance:
        """Images."""
        return Glance(self.rest("glance", "image"))

    @cached_property
    def keystone(self) -> Keystone:
        """Trusts."""
        return Keystone(self.rest("keystone", "identity"))


def _http() -> requests.Session:
    return TimeoutSession(connect=5.0, read=30.0)

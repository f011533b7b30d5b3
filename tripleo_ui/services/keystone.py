"""Trusts in Keystone: a person lets the conductor act for them, in one project, until the trust is deleted."""

from collections.abc import Iterable

from tripleo_ui.services.errors import NotFound
from tripleo_ui.services.rest import Rest

# Heat delegates once more, to its own user.
REDELEGATIONS = 1


class Keystone:
    """Calls to Keystone v3."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def user_id(self, name: str, domain: str) -> str:
        """The id of a user by the names of it and of its domain.

        Raises:
            NotFound: there is none.
        """
        found = self._rest.call("find user", "GET", "/users", params={"name": name}).json()["users"]
        domains = {item["id"]: item["name"] for item in self._domains(domain)}
        for item in found:
            if item["domain_id"] in domains:
                return str(item["id"])
        raise NotFound(
            "keystone",
            "find user",
            f"there is no user {name} in the domain {domain}",
            next_step="Create it, or set the name of the conductor's user in the settings.",
        )

    def _domains(self, name: str) -> list[dict[str, str]]:
        domains: list[dict[str, str]] = self._rest.call("find domain", "GET", "/domains", params={"name": name}).json()[
            "domains"
        ]
        return domains

    def create_trust(
        self,
        trustor_id: str,
        trustee_id: str,
        project_id: str,
        roles: Iterable[str],
        redelegations: int = REDELEGATIONS,
    ) -> str:
        """Let the trustee act as the trustor with these roles, by name, in the project; answers the trust's id."""
        trust = {
            "trustor_user_id": trustor_id,
            "trustee_user_id": trustee_id,
            "project_id": project_id,
            "impersonation": True,
            "allow_redelegation": redelegations > 0,
            "redelegation_count": redelegations,
            "roles": [{"name": name} for name in roles],
        }
        answer = self._rest.call("create trust", "POST", "/OS-TRUST/trusts", json={"trust": trust})
        return str(answer.json()["trust"]["id"])

    def delete_trust(self, trust_id: str) -> None:
        """Take it back, and what was delegated from it; one that is gone is no error."""
        self._rest.call("delete trust", "DELETE", f"/OS-TRUST/trusts/{trust_id}", expect=(404,))

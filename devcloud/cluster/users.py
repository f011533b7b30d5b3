"""The people and machines that a new cluster knows, with their tokens.

Like every password of the cloud, tokens are no secrets: a cluster listens on loopback only.
"""

from devcloud.cluster.identity import AUTHENTICATED, MASTERS, User, service_account

# Acts for others: may impersonate, and nothing else.
BROKER_NAMESPACE, BROKER = "tripleo-ui", "broker"

# Names are those of the cloud's own users where there are such.
USERS = (
    User("admin", "u-admin", (MASTERS, AUTHENTICATED)),
    User("demo", "u-demo", ("developers", AUTHENTICATED)),
    User("viewer", "u-viewer", ("auditors", AUTHENTICATED)),
)
ACCOUNT = service_account(BROKER_NAMESPACE, BROKER)


def token(name: str) -> str:
    """Return the token of a user, or of the broker."""
    return f"devcloud-{name}"


def tokens() -> dict[str, User]:
    """Return everybody by token."""
    return {**{token(user.name): user for user in USERS}, token(BROKER): ACCOUNT}

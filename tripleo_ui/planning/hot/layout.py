"""Names inside a package: those that Tuskar gave, so that its clients can read it."""

VERSION = "2021-04-16"
MASTER = "plan.yaml"
ENVIRONMENT = "environment.yaml"
ALIAS = "Tuskar::"
SERVER = "OS::Nova::Server"
GROUP = "OS::Heat::ResourceGroup"

#: Parameters of the master template that a plan holds as parts of its roles, and the one for its name.
COUNT, FLAVOR, IMAGE = "count", "Flavor", "Image"
PLAN_NAME = "PlanName"


def provider(namespace: str) -> str:
    """The file of a role's provider template."""
    return f"provider-{namespace}.yaml"


def alias(namespace: str) -> str:
    """The resource type that the registry maps to a role's provider template."""
    return ALIAS + namespace


def full(namespace: str, name: str) -> str:
    """A role's parameter as the master template names it."""
    return f"{namespace}::{name}"

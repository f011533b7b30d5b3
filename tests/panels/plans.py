"""Plans, requests and stacks for tests of pages."""

from dataclasses import replace

from tripleo_ui.orchestration import api
from tripleo_ui.planning import hot
from tripleo_ui.planning.plan import Plan, PlanRole, parameters
from tripleo_ui.planning.roles import default_roles

ALICE = api.Requester("id-of-alice", "alice", "p1", "project", "RegionOne")
SECRET = "never-in-any-page"


def plan(name="demo", description="A small cloud.", counts=None):
    """A plan of default roles; each hidden parameter has the value ``SECRET``."""
    wanted = counts or {"Controller": 1, "Compute": 2}
    roles = tuple(
        PlanRole(role, wanted[role.name], role.flavor, role.image) for role in default_roles() if role.name in wanted
    )
    made = Plan(name, description, roles)
    hidden = {item.name: SECRET for item in parameters(made) if item.hidden and item.type == "string"}
    return replace(made, parameters=hidden)


def save(fake, name="demo", **more):
    """Store such a plan; returns its ``PlanInfo``."""
    made = plan(name, **more)
    return fake.cloud().plans.save(name, hot.compose(made), description=made.description, author="alice")


def deploy(info, key="", requester=ALICE):
    """Ask the orchestrator for the plan's deployment."""
    return api.submit(
        "overcloud.deploy", requester, {"plan": info.name, "etag": info.etag}, trust_id="trust-0", key=key
    )

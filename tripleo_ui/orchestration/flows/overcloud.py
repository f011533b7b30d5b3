"""What can be asked for about overclouds. Pages import this; the steps are in modules that only conductors load."""

from collections.abc import Mapping
from typing import Any

from tripleo_ui.orchestration.records import Requester
from tripleo_ui.orchestration.workflows import Workflow
from tripleo_ui.orchestration.workflows import gettext_noop as _
from tripleo_ui.planning.names import check_plan_name

_DEPLOY = "tripleo_ui.orchestration.flows.overcloud_deploy"
_DELETE = "tripleo_ui.orchestration.flows.overcloud_delete"


def _problems(params: Mapping[str, Any]) -> list[str]:
    try:
        check_plan_name(str(params.get("plan") or ""))
    except ValueError as error:
        return [f"The plan cannot be used: {error}."]
    return []


def _target(requester: Requester, params: Mapping[str, Any]) -> str:
    return f"overcloud:{requester.project_id}:{requester.region}:{params['plan']}"


WORKFLOWS = (
    Workflow(
        name="overcloud.deploy",
        version=1,
        label=_("Deploy overcloud"),
        steps={
            "validate": f"{_DEPLOY}:Validate",
            "images": f"{_DEPLOY}:Images",
            "nodes": f"{_DEPLOY}:Nodes",
            "files": f"{_DEPLOY}:Files",
            "preview": f"{_DEPLOY}:Preview",
            "create": f"{_DEPLOY}:Create",
            "poll": f"{_DEPLOY}:Wait",
            "outputs": f"{_DEPLOY}:Outputs",
        },
        phase_labels={
            "validate": _("Check the plan"),
            "images": _("Check images"),
            "nodes": _("Check nodes"),
            "files": _("Validate the templates"),
            "preview": _("Preview the stack"),
            "create": _("Create the stack"),
            "poll": _("Deploy nodes"),
            "outputs": _("Collect outputs"),
        },
        problems=_problems,
        target=_target,
        title=lambda params: f"Deploy {params['plan']}",
    ),
    Workflow(
        name="overcloud.delete",
        version=1,
        label=_("Undeploy overcloud"),
        steps={
            "find": f"{_DELETE}:Find",
            "delete": f"{_DELETE}:Delete",
            "wait": f"{_DELETE}:Wait",
            "plan": f"{_DELETE}:DeletePlan",
            "trusts": f"{_DELETE}:Trusts",
        },
        phase_labels={
            "find": _("Find the stack"),
            "delete": _("Delete the stack"),
            "wait": _("Wait for nodes"),
            "plan": _("Delete the plan"),
            "trusts": _("Take back trusts"),
        },
        problems=_problems,
        target=_target,
        title=lambda params: f"Undeploy {params['plan']}",
    ),
)

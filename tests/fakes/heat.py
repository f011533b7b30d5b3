"""Stacks in memory: each is what a test says it is."""

import itertools

ROLE_RESOURCES = (("server", "OS::Nova::Server"), ("port", "OS::Neutron::Port"))


class Heat:
    """What ``tripleo_ui.services.heat`` calls, answered as Heat 27 does."""

    def __init__(self):
        self.stacks = {}
        self._numbers = itertools.count(1)

    def routes(self):
        return [
            ("POST", r"/validate", lambda call: {"Parameters": {}}),
            ("POST", r"/stacks/preview", self._preview),
            ("POST", r"/stacks", self._create),
            ("GET", r"/stacks", self._list),
            ("GET", r"/stacks/([^/]+)", self._show),
            ("GET", r"/stacks/([^/]+)/[^/]+", self._show),
            ("GET", r"/stacks/([^/]+)/[^/]+/resources", self._resources),
            ("GET", r"/stacks/([^/]+)/[^/]+/events", self._events),
            ("PUT", r"/stacks/([^/]+)/[^/]+/preview", self._preview_update),
            ("PUT", r"/stacks/([^/]+)/[^/]+", self._update),
            ("DELETE", r"/stacks/([^/]+)/[^/]+", self._delete),
        ]

    def add(self, name, status="CREATE_COMPLETE", roles=None, tags=("tripleo-ui",), reason="", outputs=None):
        """Put a stack there; ``roles`` maps a group to its members' (status, reason)."""
        number = next(self._numbers)
        self.stacks[name] = {
            "id": f"stack-{number}",
            "stack_name": name,
            "stack_status": status,
            "stack_status_reason": reason,
            "creation_time": "2026-11-01T10:00:00Z",
            "updated_time": None,
            "tags": list(tags),
            "outputs": [{"output_key": key, "output_value": value} for key, value in (outputs or {}).items()],
            "roles": roles or {},
        }
        return self.stacks[name]

    def _answer(self, *arguments):
        from tests.fakes.cloud import Answer

        return Answer(*arguments)

    def _found(self, name):
        by_id = {stack["id"]: stack for stack in self.stacks.values()}
        stack = self.stacks.get(name) or by_id.get(name)
        if stack is None:
            body = {"error": {"message": f"The Stack ({name}) could not be found.", "type": "EntityNotFound"}}
            raise self._answer(404, body)
        return stack

    def _list(self, call):
        wanted = set(call.query.get("name", ()))
        found = [stack for stack in self.stacks.values() if not wanted or stack["stack_name"] in wanted]
        tagged = [stack for stack in found if call.one("tags") in stack["tags"]]
        newest_first, marker = tagged[::-1], call.one("marker")
        start = next((i + 1 for i, stack in enumerate(newest_first) if stack["id"] == marker), 0)
        return {"stacks": [_shown(stack) for stack in newest_first[start : start + int(call.one("limit", "1000"))]]}

    def _show(self, call, name):
        return {"stack": _shown(self._found(name)) | {"outputs": self._found(name)["outputs"]}}

    def _create(self, call):
        body = call.json
        if body["stack_name"] in self.stacks:
            return self._answer(409, {"error": {"message": "The Stack already exists."}})
        stack = self.add(body["stack_name"], "CREATE_IN_PROGRESS", tags=body["tags"].split(","))
        return self._answer(201, {"stack": {"id": stack["id"]}})

    def _update(self, call, name):
        self._found(name).update(stack_status="UPDATE_IN_PROGRESS", tags=call.json["tags"].split(","))
        return self._answer(202)

    def _delete(self, _call, name):
        self._found(name)["stack_status"] = "DELETE_IN_PROGRESS"
        return self._answer(204)

    def _preview(self, call):
        resources = [_resource("plan", ["Controller"], "OS::Heat::ResourceGroup", "INIT_COMPLETE")]
        return {"stack": {"stack_name": call.json["stack_name"], "resources": resources}}

    def _preview_update(self, _call, name):
        self._found(name)
        change = {"resource_name": "Compute", "resource_type": "OS::Heat::ResourceGroup"}
        return {"resource_changes": {"added": [], "updated": [change], "replaced": [], "deleted": [], "unchanged": []}}

    def _resources(self, call, name):
        stack = self._found(name)
        depth = int(call.one("nested_depth", "0"))
        found = []
        for role, members in stack["roles"].items():
            found.append(_resource(stack["id"], [role], "OS::Heat::ResourceGroup", "CREATE_COMPLETE"))
            for number, (status, reason) in enumerate(members if depth else ()):
                path = [role, str(number)]
                found.append(_resource(stack["id"], path, f"Tuskar::{role}-1", status, reason))
                found += [
                    _resource(stack["id"], [*path, inner], kind, status, reason) for inner, kind in ROLE_RESOURCES
                ]
        return {"resources": found}

    def _events(self, call, name):
        stack = self._found(name)
        event = {
            "id": f"event-{stack['id']}-{stack['stack_status']}",
            "event_time": "2026-11-01T10:00:01Z",
            "resource_name": stack["stack_name"],
            "resource_status": stack["stack_status"],
            "resource_status_reason": stack["stack_status_reason"],
        }
        return {"events": [event][: int(call.one("limit", "100"))]}


def _shown(stack):
    return {key: value for key, value in stack.items() if key not in {"roles", "outputs"}}


def _resource(stack_id, path, kind, status, reason=""):
    """A resource in a nested stack: the physical id of what holds it is the id of the stack that it is in."""
    return {
        "resource_name": path[-1],
        "resource_type": kind,
        "resource_status": status,
        "resource_status_reason": reason,
        "physical_resource_id": "-".join([stack_id, *path]),
        "updated_time": "2026-11-01T10:00:01Z",
        "links": [{"rel": "stack", "href": f"http://fake.invalid/stacks/x/{'-'.join([stack_id, *path[:-1]])}"}],
    }

"""Stacks in Heat."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlencode

import requests
from heatclient.v1.events import EventManager
from heatclient.v1.resources import ResourceManager
from heatclient.v1.stacks import StackManager

from tripleo_ui.services import heat_changes, heat_secrets
from tripleo_ui.services.errors import NotFound, ServiceError
from tripleo_ui.services.heat_records import Change, Event, Resource, Stack
from tripleo_ui.services.rest import Rest

TEMPLATE = "plan.yaml"
ENVIRONMENT = "environment.yaml"
TAG = "tripleo-ui"
DEPTH = 5
TIMEOUT_MINUTES = 240
# What Heat says of resources that stopped because of another one's failure.
_CONSEQUENCES = ("aborted", "cancelled", "canceled")
# What Heat answers to a preview that its own code fails in, and to templates that are wrong.
_BROKEN = frozenset({400, 500})
_Record = TypeVar("_Record", Stack, Resource, Event)


class _Transport:
    """What heatclient's managers call, with our timeouts and errors behind it."""

    def __init__(self, rest: Rest, operation: str) -> None:
        self._rest = rest
        self._operation = operation

    def credentials_headers(self) -> dict[str, str]:
        return {}

    def _send(self, method: str, url: str, *, data: Any = None, json: Any = None, **more: Any) -> requests.Response:
        body = data if data is not None else json
        more.pop("redirect", None)
        if body is not None:
            more["json"] = body
        return self._rest.call(self._operation, method, url, **more)

    def get(self, url: str, **more: Any) -> requests.Response:
        return self._send("GET", url, **more)

    def post(self, url: str, **more: Any) -> requests.Response:
        return self._send("POST", url, **more)

    def put(self, url: str, **more: Any) -> requests.Response:
        return self._send("PUT", url, **more)

    def patch(self, url: str, **more: Any) -> requests.Response:
        return self._send("PATCH", url, **more)

    def delete(self, url: str, **more: Any) -> requests.Response:
        return self._send("DELETE", url, **more)


class Heat:
    """Calls to Heat; a plan's files go in as they are kept: ``{file name: text}``."""

    def __init__(self, rest: Rest, secrets: heat_secrets.Secrets | None = None) -> None:
        self._rest = rest
        self._secrets = secrets

    def hiding(self, secrets: heat_secrets.Secrets) -> "Heat":
        """The same calls, whose reasons of stacks, resources and events are masked: for all that people are told."""
        return Heat(self._rest, secrets)

    def _told(self, record: _Record) -> _Record:
        return replace(record, reason=self._secrets.mask(record.reason)) if self._secrets else record

    def _stacks(self, operation: str) -> StackManager:
        return StackManager(_Transport(self._rest, operation))

    def validate(self, files: Mapping[str, str]) -> dict[str, Any]:
        """Let Heat check the templates; answers their parameters by name, without hidden values."""
        with heat_secrets.kept(files):
            found = self._stacks("validate templates").validate(**_package(files))
        return heat_secrets.shown(found.get("Parameters", {}))

    def preview(self, name: str, files: Mapping[str, str]) -> tuple[Resource, ...]:
        """What creating the stack would make, nested resources too."""
        with heat_secrets.kept(files):
            stack = self._stacks("preview stack").preview(stack_name=name, disable_rollback=True, **_package(files))
        return tuple(_flatten(stack.resources))

    def preview_update(self, stack: Stack, files: Mapping[str, str]) -> tuple[Change, ...]:
        """What updating the stack would change, nested resources too.

        Heat 27 fails to describe nested stacks that do not exist yet, such as a group's new members; what changes is
        then found from what there is and what a new stack would be made of.
        """
        try:
            return self._preview_update(stack, files, nested=True)
        except ServiceError as error:
            if error.status not in _BROKEN:
                raise
        outer = self._preview_update(stack, files, nested=False)
        name = f"{stack.name}-preview"
        return heat_changes.compared(outer, self.resources(stack), self.preview(name, files), stack.name, name)

    def _preview_update(self, stack: Stack, files: Mapping[str, str], *, nested: bool) -> tuple[Change, ...]:
        options = {"show_nested": True} if nested else {}
        with heat_secrets.kept(files):
            body = self._stacks("preview update").preview_update(stack.identity, **options, **_package(files))
        return heat_changes.read(body)

    def create(
        self, name: str, files: Mapping[str, str], tags: Iterable[str] = (), timeout_mins: int = TIMEOUT_MINUTES
    ) -> str:
        """Start creating a stack that is kept when it fails; answers its id. Heat gives up after ``timeout_mins``.

        Raises:
            Conflict: there is a stack of that name.
        """
        options = _options(tags, timeout_mins)
        with heat_secrets.kept(files):
            body = self._stacks("create stack").create(stack_name=name, **options, **_package(files))
        return str(body["stack"]["id"])

    def update(
        self, stack: Stack, files: Mapping[str, str], tags: Iterable[str] = (), timeout_mins: int = TIMEOUT_MINUTES
    ) -> None:
        """Start updating a stack, also one whose last action failed, to the files."""
        options = _options(tags, timeout_mins)
        with heat_secrets.kept(files):
            self._stacks("update stack").update(stack.identity, **options, **_package(files))

    def delete(self, stack: Stack) -> None:
        """Start deleting a stack; one that is gone already is no error."""
        try:
            self._stacks("delete stack").delete(stack.identity)
        except NotFound:
            return

    def cancel(self, stack: Stack, *, rollback: bool = False) -> None:
        """Stop an update that is under way, with or without going back."""
        action = "cancel_update" if rollback else "cancel_without_rollback"
        self._rest.call("cancel update", "POST", f"/stacks/{stack.identity}/actions", json={action: None})

    def find(self, name: str) -> Stack | None:
        """The stack of that name, or None."""
        try:
            return self.get(name)
        except NotFound:
            return None

    def get(self, name_or_id: str, *, outputs: bool = False) -> Stack:
        """The stack; its outputs are resolved only when asked for, since that costs Heat more."""
        return self._told(_stack(self._stacks("show stack").get(name_or_id, resolve_outputs=outputs).to_dict()))

    def list(self, limit: int = 100, marker: str = "", names: Iterable[str] = ()) -> tuple[Stack, ...]:
        """Stacks that carry our tag, newest first; with ``names`` only those, in the same one call."""
        query = [("tags", TAG), ("limit", limit), ("sort_keys", "created_at"), ("sort_dir", "desc")]
        wanted = [*names]
        # Heat 27 answers 500 to one name together with tags; to the same name twice it answers what is meant.
        query += [("name", name) for name in (wanted * 2 if len(wanted) == 1 else wanted)]
        if marker:
            query.append(("marker", marker))
        body = self._rest.call("list stacks", "GET", f"/stacks?{urlencode(query)}").json()
        return tuple(self._told(_stack(item)) for item in body["stacks"])

    def resources(self, stack: Stack, depth: int = DEPTH) -> tuple[Resource, ...]:
        """All resources down to ``depth`` nested stacks, in one call."""
        manager = ResourceManager(_Transport(self._rest, "list resources"))
        items = [item.to_dict() for item in manager.list(stack.identity, nested_depth=depth)]
        return tuple(self._told(_resource(item, path)) for item, path in _with_paths(items))

    def events(self, stack: Stack, limit: int = 20, depth: int = DEPTH) -> tuple[Event, ...]:
        """The newest events, newest first."""
        manager = EventManager(_Transport(self._rest, "list events"))
        items = manager.list(stack.identity, limit=limit, nested_depth=depth, sort_dir="desc")
        return tuple(self._told(_event(item.to_dict())) for item in items)

    def failure(self, stack: Stack, resources: Iterable[Resource] | None = None) -> Resource | None:
        """The deepest failed resource, which holds the cause that those above it only repeat.

        Those that only stopped since something else had failed come last.
        """
        found = self.resources(stack) if resources is None else resources
        return max((item for item in found if item.failed), key=_weight, default=None)


def _weight(item: Resource) -> tuple[bool, int]:
    return not any(word in item.reason.lower() for word in _CONSEQUENCES), len(item.path)


def _options(tags: Iterable[str], timeout_mins: int) -> dict[str, Any]:
    return {"disable_rollback": True, "timeout_mins": timeout_mins, "tags": ",".join((TAG, *tags))}


def _package(files: Mapping[str, str]) -> dict[str, Any]:
    """A plan's files in the form of Heat's API, which finds registry entries and ``get_file`` by their names."""
    if TEMPLATE not in files:
        raise ServiceError("heat", "read plan", f"the plan has no {TEMPLATE}", next_step="Save the plan again.")
    rest = {name: text for name, text in files.items() if name not in {TEMPLATE, ENVIRONMENT}}
    return {"template": files[TEMPLATE], "environment": files.get(ENVIRONMENT, ""), "files": rest}


def _stack(item: Mapping[str, Any]) -> Stack:
    return Stack(
        id=item["id"],
        name=item["stack_name"],
        status=item["stack_status"],
        reason=item.get("stack_status_reason") or "",
        created_at=item.get("creation_time") or "",
        updated_at=item.get("updated_time") or "",
        tags=tuple(item.get("tags") or ()),
        outputs={output["output_key"]: output.get("output_value") for output in item.get("outputs") or ()},
    )


def _resource(item: Mapping[str, Any], path: tuple[str, ...]) -> Resource:
    return Resource(
        name=item["resource_name"],
        type=item["resource_type"],
        status=item.get("resource_status") or "",
        reason=item.get("resource_status_reason") or "",
        physical_id=item.get("physical_resource_id") or "",
        path=path,
        updated_at=item.get("updated_time") or "",
        stack=item.get("stack_name") or "",
    )


def _event(item: Mapping[str, Any]) -> Event:
    return Event(
        id=item["id"],
        at=item["event_time"],
        resource=item["resource_name"],
        status=item["resource_status"],
        reason=item.get("resource_status_reason") or "",
        stack_id=_stack_id(item),
        physical_id=item.get("physical_resource_id") or "",
    )


def _flatten(items: Iterable[Any], path: tuple[str, ...] = ()) -> Iterable[Resource]:
    """A preview nests lists: a provider resource is the list of what it is made of."""
    for item in items:
        if isinstance(item, list):
            yield from _flatten(item, path)
        else:
            yield _resource(item, (*path, *_stack_path(item), item["resource_name"]))


def _stack_path(item: Mapping[str, Any]) -> tuple[str, ...]:
    parent = item.get("parent_resource")
    return (parent,) if parent else ()


def _with_paths(items: list[dict[str, Any]]) -> Iterable[tuple[dict[str, Any], tuple[str, ...]]]:
    """Each resource with its path: a nested stack's id is the physical id of the resource that holds it."""
    holders = {item["physical_resource_id"]: item for item in items if item.get("physical_resource_id")}

    def path(item: Mapping[str, Any]) -> tuple[str, ...]:
        holder = holders.get(_stack_id(item))
        return (*(path(holder) if holder else ()), item["resource_name"])

    return ((item, path(item)) for item in items)


def _stack_id(item: Mapping[str, Any]) -> str:
    link = next((link["href"] for link in item.get("links", ()) if link["rel"] == "stack"), "")
    return link.rsplit("/", 1)[-1]

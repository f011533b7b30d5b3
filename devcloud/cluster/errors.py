"""What the API answers when it refuses: Status objects with the reasons that clients decide by."""

import typing

from devcloud.cluster.resources import Resource

Cause = dict[str, str]


class ApiError(Exception):
    """A refusal; becomes an HTTP answer with a Status as its body."""

    def __init__(self, code: int, reason: str, message: str, details: dict[str, typing.Any] | None = None):
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.details = details

    def status(self) -> dict[str, typing.Any]:
        """Return the Status object."""
        content = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
            "details": self.details,
            "code": self.code,
        }
        return {name: value for name, value in content.items() if value is not None}


def success(details: dict[str, typing.Any]) -> dict[str, typing.Any]:
    """Return the Status of a deletion that is done."""
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}


def about(resource: Resource, name: str, **more: typing.Any) -> dict[str, typing.Any]:
    """Return the details that name an object."""
    named = {"name": name, "group": resource.group, "kind": resource.plural}
    return {key: value for key, value in {**named, **more}.items() if value}


def nothing_there() -> ApiError:
    """No such path."""
    return ApiError(404, "NotFound", "the server could not find the requested resource", {})


def not_found(resource: Resource, name: str) -> ApiError:
    """No object of that name."""
    return ApiError(404, "NotFound", f'{resource.title} "{name}" not found', about(resource, name))


def already_exists(resource: Resource, name: str) -> ApiError:
    """The name is taken."""
    return ApiError(409, "AlreadyExists", f'{resource.title} "{name}" already exists', about(resource, name))


def conflict(resource: Resource, name: str, why: str = "") -> ApiError:
    """The object is not what the caller thinks."""
    changed = "the object has been modified; please apply your changes to the latest version and try again"
    message = f'Operation cannot be fulfilled on {resource.title} "{name}": {why or changed}'
    return ApiError(409, "Conflict", message, about(resource, name))


def field_conflict(causes: list[Cause]) -> ApiError:
    """Another manager of fields has other values."""
    listed = "\n".join(f"- {cause['field']}" for cause in causes)
    plural = "conflict" if len(causes) == 1 else "conflicts"
    message = f"Apply failed with {len(causes)} {plural}: {causes[0]['message']}:\n{listed}"
    return ApiError(409, "Conflict", message, {"causes": causes})


def invalid(resource: Resource, name: str, causes: list[Cause]) -> ApiError:
    """Values that the kind does not allow; every cause has ``field``, ``reason`` and ``message``."""
    said = [f"{cause['field']}: {cause['message']}" for cause in causes]
    text = said[0] if len(said) == 1 else f"[{', '.join(said)}]"
    title = f"{resource.kind}.{resource.group}" if resource.group else resource.kind
    details = {"name": name, "group": resource.group, "kind": resource.kind, "causes": causes}
    return ApiError(
        422, "Invalid", f'{title} "{name}" is invalid: {text}', {key: value for key, value in details.items() if value}
    )


def required(field: str, why: str = "") -> Cause:
    """A value that is missing."""
    return {"reason": "FieldValueRequired", "message": f"Required value{f': {why}' if why else ''}", "field": field}


def bad_value(field: str, value: typing.Any, why: str) -> Cause:
    """A value that is not allowed."""
    shown = f'"{value}"' if isinstance(value, str) else value
    return {"reason": "FieldValueInvalid", "message": f"Invalid value: {shown}: {why}", "field": field}


def forbidden(resource: Resource, name: str, why: str, causes: list[Cause] | None = None) -> ApiError:
    """Refused by permissions, quota or admission."""
    subject = f'{resource.title} "{name}"' if name else resource.title
    return ApiError(403, "Forbidden", f"{subject} is forbidden: {why}", about(resource, name, causes=causes))


def unauthorized() -> ApiError:
    """The credentials say nothing."""
    return ApiError(401, "Unauthorized", "Unauthorized")


def bad_request(message: str) -> ApiError:
    """The request makes no sense."""
    return ApiError(400, "BadRequest", message)


def expired(wanted: int, oldest: int) -> ApiError:
    """What happened since then is no longer known."""
    return ApiError(410, "Expired", f"too old resource version: {wanted} ({oldest})")


def not_allowed() -> ApiError:
    """The resource does not have the verb."""
    message = "the server does not allow this method on the requested resource"
    return ApiError(405, "MethodNotAllowed", message, {})


def unsupported(accepted: str) -> ApiError:
    """A body in a format that is not read."""
    message = f"the body of the request was in an unknown format - accepted media types include: {accepted}"
    return ApiError(415, "UnsupportedMediaType", message, {})

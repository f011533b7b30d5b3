"""OpenShift's templates: what ``processedtemplates`` answers."""

import typing
import uuid

from devcloud.cluster import errors
from devcloud.cluster.clock import Clock
from devcloud.cluster.resources import Resource

Object = dict[str, typing.Any]

_TEXTS = ("name", "displayName", "description", "value", "generate", "from")


def process(resource: Resource, namespace: str, sent: Object, clock: Clock) -> Object:
    """Return a template with its values filled in and its objects processed.

    Raises:
        ApiError: 400, it is no template or another namespace's; 422, its parameters are wrong.
    """
    # Only this request needs it, and only OpenShift has it.
    from tripleo_ui.catalog import processing, reading  # noqa: PLC0415

    _check(sent, namespace)
    read = reading.from_data(sent)
    name = (sent.get("metadata") or {}).get("name", "")
    if not read.templates:
        raise errors.bad_request("; ".join(problem.message for problem in read.problems))
    template = read.templates[0]
    result = processing.process(template, {})
    if not result.ok:
        causes = [
            errors.Cause(reason="FieldValueInvalid", message=problem.message, field=f"template.{problem.path}")
            for problem in result.problems
            if problem.level == "error"
        ]
        raise errors.invalid(resource, name, causes)
    made = {"uid": str(uuid.uuid4()), "creationTimestamp": clock.stamp(), "namespace": namespace}
    answer = {
        **template.data(),
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": {**template.metadata, **made},
        "objects": list(result.objects),
        "parameters": [
            {**parameter.data(), "value": (result.values or {}).get(parameter.name, parameter.value)}
            for parameter in template.parameters
        ],
    }
    if result.message:
        answer["message"] = result.message
    if result.labels is not None:
        answer["labels"] = dict(result.labels)
    return answer


def _check(sent: Object, namespace: str) -> None:
    """Refuse what a strict reader of JSON does, which ours understands with a warning."""
    if (sent.get("metadata") or {}).get("namespace") not in {None, "", namespace}:
        raise errors.bad_request(
            "the namespace of the provided object does not match the namespace sent on the request"
        )
    for parameter in sent.get("parameters") or []:
        for name in _TEXTS:
            if not isinstance(parameter.get(name, ""), str):
                raise errors.bad_request(
                    'Template in version "v1" cannot be handled as a Template: json: cannot unmarshal '
                    f"{type(parameter[name]).__name__} into Go struct field Parameter.parameters.{name} of type string"
                )

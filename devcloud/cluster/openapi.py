"""OpenAPI v3: kinds with their fields, and that the server checks fields itself."""

import hashlib
import typing

from devcloud.cluster import errors, models
from devcloud.cluster.entries import dump
from devcloud.cluster.models import Type
from devcloud.cluster.resources import Registry, Resource

Document = dict[str, typing.Any]

ROOT = "/openapi/v3"
_REFERENCE = "#/components/schemas/"
_OPTIONS = [
    {"name": name, "in": "query", "schema": {"type": "string", "uniqueItems": True}}
    for name in ("dryRun", "fieldManager", "fieldValidation")
]
_SCALARS = {"str": "string", "int": "integer", "bool": "boolean", "float": "number"}


def index(registry: Registry) -> Document:
    """Return where each group's document is; the hash lets clients keep what they have."""
    places = {}
    for group, versions in registry.groups().items():
        for version in versions:
            found = registry.of(group, version)
            place = found[0].path.strip("/")
            kinds = dump([[resource.title, resource.kind] for resource in found])
            digest = hashlib.sha256(kinds).hexdigest()[:32]
            places[place] = {"serverRelativeURL": f"{ROOT}/{place}?hash={digest}"}
    return {"paths": places}


def document(registry: Registry, place: str) -> Document:
    """Return the document of a group's version, such as ``apis/apps/v1``.

    Raises:
        ApiError: 404, there is none.
    """
    found = [resource for resource in registry if resource.path.strip("/") == place]
    if not found:
        raise errors.nothing_there()
    schemas: Document = {}
    paths: Document = {}
    for resource in found:
        schema = _schema(resource, schemas)
        paths.update(_paths(resource, schema))
    info = {"title": "devcloud", "version": "v1.32.4"}
    return {"openapi": "3.0.0", "info": info, "paths": paths, "components": {"schemas": schemas}}


def _paths(resource: Resource, schema: str) -> Document:
    base = f"{resource.path}/namespaces/{{namespace}}" if resource.namespaced else resource.path
    kind = {"group": resource.group, "version": resource.version, "kind": resource.kind}
    content = {"application/json": {"schema": {"$ref": _REFERENCE + schema}}}
    operation = {
        "x-kubernetes-group-version-kind": kind,
        "parameters": _OPTIONS,
        "requestBody": {"content": {"*/*": {"schema": {"$ref": _REFERENCE + schema}}}},
        "responses": {"200": {"description": "OK", "content": content}},
    }
    found: Document = {f"{base}/{resource.plural}": {"post": operation}}
    if "patch" in resource.verbs:
        found[f"{base}/{resource.plural}/{{name}}"] = {"put": operation, "patch": operation}
    return found


def _schema(resource: Resource, schemas: Document) -> str:
    """Add the schema of a kind, and those it refers to; returns its name."""
    name = models.name_of(resource.version, resource.kind)
    foreign = resource.custom or resource.group.endswith("openshift.io")
    if foreign or models.model(name) is None:
        name = f"{resource.group or 'core'}.{resource.version}.{resource.kind}"
        metadata = {"$ref": _REFERENCE + "V1ObjectMeta"}
        schemas[name] = {
            "type": "object",
            "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": metadata},
            "x-kubernetes-preserve-unknown-fields": True,
        }
        _model("V1ObjectMeta", schemas)
    else:
        _model(name, schemas)
    kinds = schemas[name].setdefault("x-kubernetes-group-version-kind", [])
    kinds.append({"group": resource.group, "version": resource.version, "kind": resource.kind})
    return name


def _model(name: str, schemas: Document) -> None:
    if name in schemas:
        return
    found = models.model(name)
    schemas[name] = {"type": "object"}
    if found is None:
        return
    if found.required:
        schemas[name]["required"] = list(found.required)
    schemas[name]["properties"] = {field: _type(kind, schemas) for field, kind in found.fields.items()}


def _type(kind: Type, schemas: Document) -> Document:
    if kind.form == "model":
        _model(kind.model, schemas)
        return {"allOf": [{"$ref": _REFERENCE + kind.model}]}
    if kind.form == "list":
        return {"type": "array", "items": _type(kind.of or Type("any"), schemas)}
    if kind.form == "map":
        return {"type": "object", "additionalProperties": _type(kind.of or Type("any"), schemas)}
    return {"type": _SCALARS[kind.form]} if kind.form in _SCALARS else {}

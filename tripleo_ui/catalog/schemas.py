"""Schemas of Kubernetes' own kinds, as the package ``kubernetes-validate`` brings them."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable

from tripleo_ui.catalog.problems import Path

_ROOT = files("kubernetes_validate") / "kubernetes-json-schema"
_DEFINITIONS = "_definitions.json"
#: Kinds of OpenShift that look like one of Kubernetes' as far as their fields go.
_LIKE = {("apps.openshift.io/v1", "DeploymentConfig"): ("apps/v1", "Deployment")}


@cache
def versions() -> tuple[str, ...]:
    """The versions of Kubernetes whose schemas there are, oldest first: ``1.25``."""
    found = {tuple(map(int, each.name[1:].split("-")[0].split("."))) for each in _ROOT.iterdir() if each.is_dir()}
    return tuple(f"{version[0]}.{version[1]}" for version in sorted(found))


def newest() -> str:
    """The newest version of Kubernetes whose schemas there are."""
    return versions()[-1]


def closest(version: str) -> str:
    """The newest version with schemas that is not newer than a cluster's, ``v1.29.4``; else the oldest."""
    wanted = _ordinal(version)
    return next((each for each in reversed(versions()) if _ordinal(each) <= wanted), versions()[0])


def _ordinal(version: str) -> tuple[int, ...]:
    digits = ("".join(filter(str.isdigit, part)) for part in version.removeprefix("v").split(".")[:2])
    return tuple(int(part or 0) for part in digits)


def problems(item: Mapping[str, Any], version: str) -> list[tuple[Path, str]] | None:
    """(path, what is wrong) for each violation; None where there is no schema for the kind."""
    validator = _validator(version, str(item.get("apiVersion")), str(item.get("kind")))
    if validator is None:
        return None
    try:
        found = ((tuple(error.absolute_path), _words(error)) for error in validator.iter_errors(item))
        return list(dict.fromkeys(found))  # Each missing field is an error of its own, and one sentence names all.
    except Unresolvable:  # A schema that refers to one that the package does not have says nothing.
        return None


def _words(error: jsonschema.ValidationError) -> str:
    """What is wrong, without the value: it may be a secret."""
    expected: Any = error.validator_value
    if error.validator == "type":
        wanted = [expected] if isinstance(expected, str) else expected
        return f"must be {' or '.join(_TYPES[each] for each in wanted if each != 'null')}"
    if error.validator == "required":
        present: Any = error.instance
        return f"{', '.join(name for name in expected if name not in present)} is missing"
    if error.validator == "enum":
        return f"must be {' or '.join(map(str, expected))}"
    return f"does not fit its schema ({error.validator})"


_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
    "null": "null",
}


def leaf(api_version: str, kind: str, path: Path, version: str = "") -> str:
    """What a field holds: a JSON type, ``quantity`` or ``int-or-string``; empty where that is not known.

    >>> leaf("v1", "Service", ("spec", "ports", 0, "port"))
    'integer'
    """
    version = version or newest()
    api_version, kind = _LIKE.get((api_version, kind), (api_version, kind))
    node = _schema(version, api_version, kind)
    name = ""
    for step in path:
        name, node = _resolved(version, node)
        if node is None:
            return ""
        inner = node.get("items") if isinstance(step, int) else _property(node, step)
        node = inner if isinstance(inner, dict) else None
    name, node = _resolved(version, node)
    if name.endswith(".Quantity"):
        return "quantity"
    if name.endswith(".IntOrString"):
        return "int-or-string"
    found = (node or {}).get("type")
    types = [each for each in ([found] if isinstance(found, str) else found or ()) if each != "null"]
    return str(types[0]) if len(types) == 1 else ""


def _property(node: Mapping[str, Any], name: str) -> Any:
    properties = node.get("properties")
    found = properties.get(name) if isinstance(properties, dict) else None
    return node.get("additionalProperties") if found is None else found


def _resolved(version: str, node: Any) -> tuple[str, dict[str, Any] | None]:
    """(name of the definition that it is, the schema)."""
    name = ""
    while isinstance(node, dict) and "$ref" in node:
        name = str(node["$ref"]).rpartition("/")[2]
        node = _definitions(version)["$defs"].get(name)
    return name, node if isinstance(node, dict) else None


@cache
def _validator(version: str, api_version: str, kind: str) -> "jsonschema.Draft202012Validator | None":
    schema = _schema(version, api_version, kind)
    if schema is None:
        return None
    return jsonschema.Draft202012Validator(schema, registry=_registry(version))


@cache
def _registry(version: str) -> Registry[Any]:
    return Resource.from_contents(_definitions(version)) @ Registry()


@cache
def _definitions(version: str) -> dict[str, Any]:
    found = _load(version, _DEFINITIONS)
    return found if found is not None else {"$defs": {}}


@cache
def _schema(version: str, api_version: str, kind: str) -> dict[str, Any] | None:
    group, _slash, name = api_version.rpartition("/")
    if not kind.isalnum() or "/" in group or not name.isalnum():
        return None
    prefix = f"{group.partition('.')[0]}-" if group else ""
    found = _load(version, f"{kind.lower()}-{prefix}{name}.json")
    kinds = found.get("x-kubernetes-group-version-kind", ()) if found else ()
    return found if any(each.get("group") == group for each in kinds) else None


def _load(version: str, name: str) -> dict[str, Any] | None:
    file = _ROOT / f"v{version}.0-local" / name
    if not file.is_file():
        return None
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found

"""Reads what a client sent as the kind it says it is: types, unknown fields, required fields."""

import typing
from dataclasses import dataclass, field

from devcloud.cluster import errors, models
from devcloud.cluster.models import Type
from devcloud.cluster.resources import Resource

_SCALARS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "bool": (bool,),
    "float": (int, float),
    "quantity": (str, int, float),
}
_GO = {"str": "string", "int": "int32", "bool": "bool", "float": "float64", "quantity": "string"}
_META = Type("model", "V1ObjectMeta")


@dataclass
class Decoded:
    """What was read.

    Attributes:
        content: the object, without unknown fields where the kind's fields are known.
        unknown: paths of fields that the kind does not have.
        missing: what is required and not there.
    """

    content: dict[str, typing.Any] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    missing: list[errors.Cause] = field(default_factory=list)


def decode(resource: Resource, sent: dict[str, typing.Any]) -> Decoded:
    """Read an object; kinds without a model are taken as they are, apart from their metadata.

    Raises:
        ApiError: 400, a value has the wrong type.
    """
    result = Decoded()
    reader = _Reader(resource, result)
    known = None if resource.custom else models.model(models.name_of(resource.version, resource.kind))
    # OpenShift's groups have kinds of the same names with other fields.
    if known is None or resource.group.endswith("openshift.io"):
        metadata = reader.value(_META, sent.get("metadata") or {}, "metadata")
        result.content = {**sent, "metadata": metadata}
    else:
        result.content = reader.value(Type("model", known.name), sent, "")
    return result


class _Reader:
    def __init__(self, resource: Resource, result: Decoded):
        self._resource = resource
        self._result = result

    def value(self, kind: Type, sent: typing.Any, path: str) -> typing.Any:
        if kind.form == "any":
            return sent
        if kind.form in _SCALARS:
            return self._scalar(kind, sent, path)
        wanted = list if kind.form == "list" else dict
        if not isinstance(sent, wanted):
            raise self._mistyped(sent, path, kind)
        inner = kind.of or Type("any")
        if kind.form == "list":
            # A Go client leaves empty values of maps as null: they are read as nothing.
            return [self.value(inner, item, f"{path}[{index}]") for index, item in enumerate(sent)]
        if kind.form == "map":
            return {name: self._entry(inner, item, f"{path}.{name}") for name, item in sent.items()}
        return self._object(kind.model, sent, path)

    def _entry(self, inner: Type, item: typing.Any, path: str) -> typing.Any:
        if item is None and inner.form == "str":
            return ""
        return item if item is None else self.value(inner, item, path)

    def _object(self, name: str, sent: dict[str, typing.Any], path: str) -> typing.Any:
        model = models.model(name)
        if model is None:
            return sent
        found = {}
        for key, item in sent.items():
            place = f"{path}.{key}" if path else key
            kind = model.fields.get(key)
            if kind is None:
                self._result.unknown.append(place)
            elif item is not None:
                found[key] = self.value(kind, item, place)
        # Status is the server's business, and metadata is checked with its name.
        if not path.startswith(("status", "metadata")):
            lacking = [key for key in model.required if found.get(key) is None]
            self._result.missing += [errors.required(f"{path}.{key}" if path else key) for key in lacking]
        return found

    def _scalar(self, kind: Type, sent: typing.Any, path: str) -> typing.Any:
        fits = isinstance(sent, _SCALARS[kind.form])
        if isinstance(sent, bool) and kind.form != "bool":
            fits = False
        if kind.form == "int" and isinstance(sent, float) and sent.is_integer():
            return int(sent)
        if not fits:
            raise self._mistyped(sent, path, kind)
        return sent

    def _mistyped(self, sent: typing.Any, path: str, kind: Type) -> errors.ApiError:
        kinds = {str: "string", bool: "bool", int: "number", float: "number", list: "array", dict: "object"}
        what, named = kinds.get(type(sent), "null"), self._resource.kind
        wanted = _GO.get(kind.form, kind.model or kind.form)
        return errors.bad_request(
            f'{named} in version "{self._resource.version}" cannot be handled as a {named}: '
            f"json: cannot unmarshal {what} into Go struct field {named}.{path} of type {wanted}"
        )

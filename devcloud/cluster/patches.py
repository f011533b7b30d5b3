"""Three ways to patch an object: by operations, by merging, and by merging with knowledge of lists."""

import typing

import jsonpatch
import jsonpointer

from devcloud.cluster import errors
from devcloud.cluster.lists import is_set, key_of

Object = dict[str, typing.Any]

_ORDER, _PRIMITIVES, _RETAIN = "$setElementOrder/", "$deleteFromPrimitiveList/", "$retainKeys"


def by_operations(content: Object, operations: typing.Any) -> Object:
    """Apply a JSON patch.

    Raises:
        ApiError: 400 for no patch, 422 for one that does not fit.
    """
    try:
        return jsonpatch.apply_patch(content, operations)
    except jsonpatch.InvalidJsonPatch as error:
        raise errors.bad_request(str(error)) from error
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, TypeError) as error:
        message = f"the server rejected our request due to an error in our request: {error}"
        raise errors.ApiError(422, "Invalid", message, {}) from error


def by_merging(content: typing.Any, patch: typing.Any) -> typing.Any:
    """Apply a merge patch: maps are merged, null removes, everything else replaces."""
    if not isinstance(patch, dict):
        return patch
    result = dict(content) if isinstance(content, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = by_merging(result.get(name), value)
    return result


def by_strategy(content: typing.Any, patch: Object) -> Object:
    """Apply a strategic merge patch: as a merge patch, and lists of objects with a key are merged by it.

    Raises:
        ApiError: 400, a directive is not known.
    """
    directive = patch.get("$patch")
    if directive == "replace":
        return {name: value for name, value in patch.items() if name != "$patch"}
    if directive == "delete":
        return {}
    if directive not in {None, "merge"}:
        raise errors.bad_request(f"Unknown patch type: {directive}")
    result = dict(content) if isinstance(content, dict) else {}
    for name, value in patch.items():
        if name.startswith(_PRIMITIVES):
            field = name.removeprefix(_PRIMITIVES)
            result[field] = [item for item in result.get(field) or [] if item not in value]
        elif not name.startswith("$"):
            _merge_field(result, name, value)
    for name, order in patch.items():
        if name.startswith(_ORDER):
            field = name.removeprefix(_ORDER)
            result[field] = _ordered(field, result.get(field) or [], order)
    if _RETAIN in patch:
        result = {name: value for name, value in result.items() if name in patch[_RETAIN]}
    return result


def _merge_field(result: Object, name: str, value: typing.Any) -> None:
    if value is None:
        result.pop(name, None)
    elif isinstance(value, dict):
        merged = by_strategy(result.get(name), value)
        if value.get("$patch") == "delete":
            result.pop(name, None)
        else:
            result[name] = merged
    elif isinstance(value, list):
        result[name] = _merge_list(name, result.get(name) or [], value)
    else:
        result[name] = value


def _merge_list(name: str, old: list[typing.Any], patch: list[typing.Any]) -> list[typing.Any]:
    if is_set(name):
        return [*old, *(item for item in patch if item not in old)]
    if any(isinstance(item, dict) and item.get("$patch") == "replace" for item in patch):
        return [item for item in patch if item.get("$patch") != "replace"]
    key = key_of(name, old, [item for item in patch if isinstance(item, dict)])
    if not key:
        return patch
    merged = {item[key]: item for item in old}
    for item in patch:
        if item.get("$patch") == "delete":
            merged.pop(item[key], None)
        else:
            merged[item[key]] = by_strategy(merged.get(item[key]), item)
    return list(merged.values())


def _ordered(name: str, items: list[typing.Any], order: list[typing.Any]) -> list[typing.Any]:
    """Bring what the patch's author knew into its order; what others added stays behind it."""
    key = key_of(name, items)
    ranks = {(item[key] if key and isinstance(item, dict) else str(item)): rank for rank, item in enumerate(order)}
    return sorted(items, key=lambda item: ranks.get(item[key] if key else str(item), len(ranks)))

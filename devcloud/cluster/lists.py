"""Which lists are sets of objects, told apart by a key, and which are sets of values."""

import typing

# By the list's name: the keys that its objects may have, the first one that they all have counts.
_KEYS: dict[str, tuple[str, ...]] = {
    "conditions": ("type",),
    "containers": ("name",),
    "env": ("name",),
    "ephemeralContainers": ("name",),
    "hostAliases": ("ip",),
    "imagePullSecrets": ("name",),
    "initContainers": ("name",),
    "ownerReferences": ("uid",),
    "ports": ("containerPort", "port"),
    "secrets": ("name",),
    "topologySpreadConstraints": ("topologyKey",),
    "volumeDevices": ("devicePath",),
    "volumeMounts": ("mountPath",),
    "volumes": ("name",),
}
_SETS = {"finalizers"}


def key_of(name: str, *lists: typing.Any) -> str:
    """Return the key that tells apart the objects of lists of this name, or an empty string."""
    items = [item for found in lists if isinstance(found, list) for item in found]
    if not items or not all(isinstance(item, dict) for item in items):
        return ""
    return next((key for key in _KEYS.get(name, ()) if all(key in item for item in items)), "")


def is_set(name: str) -> bool:
    """Whether a list of this name is a set of values."""
    return name in _SETS

"""What type of value a parameter has: templates do not say, so its name, its texts and its uses do."""

import re
from collections.abc import Sequence

from tripleo_ui.catalog import substitution
from tripleo_ui.catalog.fields import Limit
from tripleo_ui.catalog.limits import NUMBERS
from tripleo_ui.catalog.template import Parameter
from tripleo_ui.catalog.usage import Use

_SECRET = re.compile(r"PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|PRIVATE_?KEY|CREDENTIAL|API_?KEY", re.IGNORECASE)
_NAMES_OF_OBJECTS = frozenset({"name", "secretName", "claimName", "serviceAccountName", "serviceAccount"})
_STORAGE_CLASS = frozenset({"storageClassName", "volume.beta.kubernetes.io/storage-class"})
_CHOICES = {
    ("imagePullPolicy",): ("Always", "IfNotPresent", "Never"),
    ("accessModes",): ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"),
    ("restartPolicy",): ("Always", "OnFailure", "Never"),
    ("sessionAffinity",): ("None", "ClientIP"),
    ("concurrencyPolicy",): ("Allow", "Forbid", "Replace"),
    ("tls", "termination"): ("edge", "passthrough", "reencrypt"),
    ("insecureEdgeTerminationPolicy",): ("None", "Allow", "Redirect"),
}
_CHOICES_OF_KIND: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {
    ("Service", ("spec", "type")): ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
    ("Deployment", ("strategy", "type")): ("RollingUpdate", "Recreate"),
    ("DeploymentConfig", ("strategy", "type")): ("Rolling", "Recreate", "Custom"),
}
_LISTED = re.compile(
    r"(?:one of|(?:valid|allowed|possible|accepted|supported) (?:values|options|choices)(?: are)?|choices(?: are)?"
    r"|options(?: are)?|either)\s*:?\s*[\[({]?\s*(?P<list>[^.;\n\])}]+(?:\.[\w-][^.;\n\])}]*)*)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*(?:,\s*or\s|,\s*and\s|,|\||/|\sor\s|\sand\s)\s*")
_VALUE = re.compile(r"[\w.:+-]+")


def type_and_choices(parameter: Parameter, uses: Sequence[Use], limits: Sequence[Limit]) -> tuple[str, tuple[str, ...]]:
    """(one of ``fields.TYPES``, the values to choose from)."""
    if is_secret(parameter, uses):
        return "secret", ()
    thing = _thing(uses)
    if thing:
        return thing, ()
    choices = _choices(parameter, uses)
    if choices:
        return ("bool", ()) if set(choices) == {"true", "false"} else ("choice", choices)
    return _scalar(parameter, uses, limits), ()


def is_secret(parameter: Parameter, uses: Sequence[Use]) -> bool:
    """Whether nobody should see the value: its name says so, or a Secret holds it.

    The name of a Secret is no secret, so a parameter that only names objects is none.
    """
    if any(use.kind == "Secret" and use.names[:1] in {("data",), ("stringData",)} for use in uses if not use.is_key):
        return True
    only_names = bool(uses) and all(use.names[-1:] and use.names[-1] in _NAMES_OF_OBJECTS for use in uses)
    return bool(_SECRET.search(parameter.name)) and not only_names


def _thing(uses: Sequence[Use]) -> str:
    if any(use.whole and use.names[-1:] and use.names[-1] in _STORAGE_CLASS for use in uses):
        return "storage-class"
    made_here = any(use.names == ("metadata", "name") for use in uses)
    return "image-stream" if not made_here and any(map(_names_image_stream, uses)) else ""


def _names_image_stream(use: Use) -> bool:
    """It is the name, or all before the tag, of an image stream that builds or deployments take from."""
    if use.names[-2:] != ("from", "name") or use.beside("kind") not in ("ImageStreamTag", "ImageStream"):
        return False
    return use.before == "" and (use.after == "" or str(use.after).startswith(":"))


def _choices(parameter: Parameter, uses: Sequence[Use]) -> tuple[str, ...]:
    listed = _listed(parameter.description)
    for found in (listed, *(_of_field(use) for use in uses if use.whole)):
        if found and (not parameter.value or parameter.value in found):
            return found
    return ()


def _listed(description: str) -> tuple[str, ...]:
    """The values that a description lists: ``One of: small, medium, large``."""
    match = _LISTED.search(description)
    if match is None:
        return ()
    parts = [part.strip(" \t\"'`") for part in _SEPARATOR.split(match["list"].strip().rstrip("."))]
    fits = len(parts) > 1 and all(_VALUE.fullmatch(part) for part in parts) and not match["list"].endswith("etc")
    return tuple(dict.fromkeys(parts)) if fits else ()


def _of_field(use: Use) -> tuple[str, ...]:
    for names, values in _CHOICES.items():
        if use.names[-len(names) :] == names:
            return values
    return _CHOICES_OF_KIND.get((use.kind, use.names[-2:]), ())


def _scalar(parameter: Parameter, uses: Sequence[Use], limits: Sequence[Limit]) -> str:
    default = parameter.value
    if default in {"true", "false"} or any(use.whole and use.leaf == "boolean" for use in uses if not default):
        return "bool"
    if any(use.as_json for use in uses):
        found = substitution.typed(default) if default else None
        if isinstance(found, (dict, list)):
            return "json"
        if isinstance(found, (int, float)):
            return "int" if isinstance(found, int) else "number"
        if not default and any(use.leaf in {"array", "object"} for use in uses if use.as_json):
            return "json"
    if any(limit.format in NUMBERS for limit in limits):
        return "int"
    return "multi-line" if "\n" in default.strip() else "text"

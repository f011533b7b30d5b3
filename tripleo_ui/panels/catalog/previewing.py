"""What an order would make, before it is asked for: objects as YAML, and against what is there already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tripleo_ui.catalog import yamltext
from tripleo_ui.catalog.fields import Dialog
from tripleo_ui.catalog.template import Template
from tripleo_ui.services import fanout
from tripleo_ui.services.errors import Forbidden, ServiceError
from tripleo_ui.services.kubernetes_kinds import Ref
from tripleo_ui.web import failures
from tripleo_ui.web.failures import Failure

from . import masking
from .checking import Checked
from .where import Where


@dataclass(frozen=True)
class Shown:
    """An object; ``word`` says how it stands to what is there, ``lines`` are (sign, line) of a difference."""

    title: str
    yaml: str
    word: str = ""
    lines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Preview:
    """All objects of an order."""

    objects: Sequence[Shown]
    summary: str
    warnings: Sequence[str] = ()
    failures: Sequence[Failure] = ()


def preview(template: Template, dialog: Dialog, checked: Checked, place: Where) -> Preview:
    """The objects with masks for secrets; each is looked up on the cluster, in a namespace that is there."""
    objects = masking.objects(template, dialog, checked.parameters)
    running, failed = _running(objects, place)
    return Preview(
        objects=[_shown(item, running.get(index)) for index, item in enumerate(objects)],
        summary=_summary(objects, place),
        warnings=checked.warnings,
        failures=failed,
    )


def _running(objects, place):
    """(Index → the object of that name that the cluster has, what failed)."""
    if place.cluster is None or not place.namespace:
        return {}, []
    refs = {index: ref for index, item in enumerate(objects) if (ref := _ref(item, place.namespace))}
    answers = fanout.gather({index: partial(_get, place.cluster, ref) for index, ref in refs.items()})
    failed = [
        failures.explain(answer)
        for answer in answers.values()
        if isinstance(answer, ServiceError) and not isinstance(answer, Forbidden)
    ]
    found = {index: item for index, item in fanout.successes(answers).items() if item is not None}
    return found, list(dict.fromkeys(failed))[:1]


def _get(cluster, ref):
    """The object; what belongs to the whole cluster is nothing to look at."""
    kind = cluster.find(ref.api_version, ref.kind)
    return cluster.get(ref) if kind is not None and kind.namespaced else None


def _ref(item, namespace):
    name = item.get("metadata", {}).get("name")
    return Ref(item["apiVersion"], item["kind"], namespace, name) if isinstance(name, str) and name else None


def _shown(item, live) -> Shown:
    name = item.get("metadata", {}).get("name") or item.get("metadata", {}).get("generateName", "")
    title = f"{item.get('kind')} {name}"
    if live is None:
        return Shown(title, yamltext.dump(item))
    difference = masking.difference(live, item).splitlines()[2:]
    lines = tuple((line[:1] if line[:1] in "+-" else "", line) for line in difference)
    return Shown(title, yamltext.dump(item), _("differs from what is there") if lines else _("is there already"), lines)


def _summary(objects, place):
    words = ngettext("%(n)s object", "%(n)s objects", len(objects))
    where = _("%(objects)s in %(namespace)s on %(cluster)s.")
    if place.typed.creates:
        where = _("%(objects)s in the new namespace %(namespace)s on %(cluster)s.")
    shown: Mapping[str, str] = {
        "objects": words % {"n": len(objects)},
        "namespace": place.typed.name,
        "cluster": place.typed.cluster,
    }
    return where % shown

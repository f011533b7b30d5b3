"""Where a template's objects use each parameter, and what that says about its value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tripleo_ui.catalog import legacy, references, schemas
from tripleo_ui.catalog.problems import Path
from tripleo_ui.catalog.substitution import in_text
from tripleo_ui.catalog.template import Template


@dataclass(frozen=True)
class Use:
    """One place that uses a parameter.

    Attributes:
        item: the object.
        title: the object for a person, ``Service web``.
        path: in the object.
        as_json: it is ``${{NAME}}``, so the value becomes what it is as JSON.
        before, after: what stands around it in the text; None where other parameters do, too.
    """

    item: Mapping[str, Any]
    title: str
    path: Path
    as_json: bool
    is_key: bool
    before: str | None
    after: str | None

    @property
    def kind(self) -> str:
        """The object's kind."""
        return str(self.item.get("kind"))

    @property
    def whole(self) -> bool:
        """Whether the value is all that stands there."""
        return self.before == "" and self.after == "" and not self.is_key

    @property
    def names(self) -> tuple[str, ...]:
        """The keys of the path, without indexes."""
        return tuple(step for step in self.path if isinstance(step, str))

    @property
    def leaf(self) -> str:
        """What the field holds; see ``schemas.leaf``."""
        version = legacy.api_version(str(self.item.get("apiVersion")), self.kind)
        return "" if self.is_key else schemas.leaf(version, self.kind, self.path)

    def beside(self, key: str) -> Any:
        """What the object has under another key of the same map."""
        holder = references.at(self.item, self.path[:-1])
        return holder.get(key) if isinstance(holder, dict) else None


def uses(template: Template) -> dict[str, list[Use]]:
    """Parameter name → where it is used; every parameter is there."""
    found: dict[str, list[Use]] = {name: [] for name in template.effective}
    defaults = {name: parameter.value for name, parameter in template.effective.items() if parameter.value}
    for item in template.objects:
        if not isinstance(item, dict):
            continue
        title = object_title(item, defaults)
        for path, text, is_key in references.texts(item):
            if "${" in text:
                for name, use in _uses(item, title, path, text, is_key=is_key):
                    if name in found:
                        found[name].append(use)
    return found


def _uses(item: Mapping[str, Any], title: str, path: Path, text: str, *, is_key: bool) -> list[tuple[str, Use]]:
    whole = references.WHOLE.fullmatch(text)
    if whole:
        return [(whole[1], Use(item, title, path, not is_key, is_key, "", ""))]
    matches = list(references.IN_TEXT.finditer(text))
    alone = len(matches) == 1
    return [
        (
            match[1],
            Use(
                item,
                title,
                path,
                as_json=False,
                is_key=is_key,
                before=text[: match.start()] if alone else None,
                after=text[match.end() :] if alone else None,
            ),
        )
        for match in matches
    ]


def object_title(item: Mapping[str, Any], values: Mapping[str, str]) -> str:
    """An object for a person; a reference without a value is written as its name."""
    metadata = item.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    text = in_text(str(name or ""), values)
    text = references.IN_TEXT.sub(lambda match: match[1], text)
    return f"{item.get('kind')} {text}".strip()

"""A template: parameters to answer, objects to create, and where in its file they stand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tripleo_ui.catalog.problems import ERROR, Path, Problem, path_text

API_VERSION = "template.openshift.io/v1"
#: The one generator that the platform has.
EXPRESSION = "expression"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a template; every text is empty where the template has none.

    Attributes:
        value: the default; always text, whatever it becomes in the objects.
        generate: name of a generator that makes a value where ``value`` is empty; ``expression`` is the only one.
        from_: the expression that the generator makes a value from.
        required: an empty value is refused.
    """

    name: str
    display_name: str = ""
    description: str = ""
    value: str = ""
    generate: str = ""
    from_: str = ""
    required: bool = False

    def data(self) -> dict[str, Any]:
        """The parameter as the API has it, without what is empty."""
        found = {
            "name": self.name,
            "displayName": self.display_name,
            "description": self.description,
            "value": self.value,
            "generate": self.generate,
            "from": self.from_,
            "required": self.required,
        }
        return {key: value for key, value in found.items() if value}


def _nowhere(_path: Path) -> int:
    return 0


@dataclass(frozen=True)
class Place:
    """Where a template stands: its file, its path inside the file, and the line of each path of the file."""

    file: str = ""
    path: Path = ()
    line_of: Callable[[Path], int] = field(default=_nowhere, repr=False, compare=False)

    def line(self, path: Sequence[str | int] = ()) -> int:
        """The line, from 1, of the deepest part of a path in the template that exists; 0 without a file."""
        return self.line_of((*self.path, *path))


@dataclass(frozen=True)
class Template:
    """A template as it was read.

    Attributes:
        name: ``metadata.name``; empty where it has none.
        objects: as JSON has them, with their references.
        parameters: in the template's order. A name may come twice; then the last counts.
        labels: added to each object; None where the template has no such field.
        metadata: the template's own, with its annotations.
        warnings: what was odd about it and could be understood.
        place: where it was read.
    """

    name: str
    objects: tuple[Any, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    message: str = ""
    labels: Mapping[str, str] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = field(default=(), compare=False)
    place: Place = field(default_factory=Place, compare=False)

    @property
    def annotations(self) -> Mapping[str, Any]:
        """The template's own annotations: its title, icon, documentation."""
        found = self.metadata.get("annotations")
        return found if isinstance(found, dict) else {}

    @property
    def effective(self) -> dict[str, Parameter]:
        """Name → the parameter that counts, in order of first appearance."""
        return {parameter.name: parameter for parameter in self.parameters}

    def problem(
        self, message: str, path: Sequence[str | int] = (), *, level: str = ERROR, parameter: str = ""
    ) -> Problem:
        """A problem with a part of this template."""
        return Problem(level, message, parameter, path_text(path), self.place.file, self.place.line(path))

    def parameter_path(self, name: str) -> Path:
        """Where the parameter of a name that counts stands."""
        found = [index for index, parameter in enumerate(self.parameters) if parameter.name == name]
        return ("parameters", found[-1]) if found else ("parameters",)

    def data(self) -> dict[str, Any]:
        """The template as the API has it."""
        found: dict[str, Any] = {"apiVersion": API_VERSION, "kind": "Template", "metadata": dict(self.metadata)}
        if self.message:
            found["message"] = self.message
        found["objects"] = list(self.objects)
        if self.parameters:
            found["parameters"] = [parameter.data() for parameter in self.parameters]
        if self.labels is not None:
            found["labels"] = dict(self.labels)
        return found

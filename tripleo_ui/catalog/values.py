"""What each parameter is worth: answers over defaults over generators."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tripleo_ui.catalog import generator
from tripleo_ui.catalog.template import EXPRESSION, Parameter

#: Makes a value from a parameter's ``from``.
Generator = Callable[[str], str]
GENERATORS: Mapping[str, Generator] = {EXPRESSION: generator.generate}


@dataclass(frozen=True)
class Refusal:
    """Why a parameter has no value: its index, its name, and the platform's words."""

    index: int
    parameter: str
    message: str

    def __str__(self) -> str:
        """As the platform writes it."""
        return f"template.parameters[{self.index}]: {self.message}"


def resolve(
    parameters: Sequence[Parameter],
    answers: Mapping[str, str],
    generators: Mapping[str, Generator] = GENERATORS,
) -> tuple[dict[str, str], tuple[str, ...], list[Refusal]]:
    """The value of each parameter that counts, the names of those that were generated, and what was refused.

    An answer that is empty stays empty: it turns the generator off, as it does on the platform. Forms leave such
    answers out. Names that the parameters do not have are the caller's to refuse.
    """
    last = {parameter.name: index for index, parameter in enumerate(parameters)}
    values: dict[str, str] = {}
    generated: list[str] = []
    refused: list[Refusal] = []
    for name, index in last.items():
        parameter = parameters[index]
        values[name] = answers.get(name, parameter.value)
        try:
            if name not in answers and not parameter.value and parameter.generate:
                values[name] = _generated(parameter, generators)
                generated.append(name)
        except ValueError as error:
            refused.append(Refusal(index, name, str(error)))
        else:
            if parameter.required and not values[name]:
                text = f"Required value: parameter {name} is required and must be specified"
                refused.append(Refusal(index, name, text))
    return values, tuple(generated), refused


def _generated(parameter: Parameter, generators: Mapping[str, Generator]) -> str:
    make = generators.get(parameter.generate)
    if make is None:
        raise ValueError(f"Invalid value: Unknown generator name '{parameter.generate}' for parameter {parameter.name}")
    return make(parameter.from_)

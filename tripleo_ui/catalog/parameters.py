"""A template's parameters as they are read, and what is odd about them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tripleo_ui.catalog import generator, references
from tripleo_ui.catalog.fieldreader import FieldReader
from tripleo_ui.catalog.problems import Path
from tripleo_ui.catalog.template import EXPRESSION, Parameter

_FIELDS = ("name", "displayName", "description", "value", "generate", "from", "required")


def read_parameters(data: Mapping[str, Any], read: FieldReader) -> tuple[Parameter, ...]:
    """The parameters of a template."""
    found = []
    for index, item in enumerate(read.items(data, "parameters")):
        path: Path = ("parameters", index)
        if isinstance(item, dict):
            found.append(_parameter(item, path, read))
        else:
            read.fail("a parameter is a map", path)
    times = Counter(parameter.name for parameter in found)
    for index, parameter in enumerate(found):
        if times[parameter.name] > 1 and parameter.name not in {later.name for later in found[index + 1 :]}:
            count = "twice" if times[parameter.name] == 2 else f"{times[parameter.name]} times"
            text = f"the parameter {parameter.name} is given {count}; this one, the last, counts"
            read.warn(text, ("parameters", index), parameter.name)
    _warn_of_references(found, read)
    return tuple(found)


def _parameter(item: Mapping[str, Any], path: Path, read: FieldReader) -> Parameter:
    name = read.text(item, "name", path)
    parameter = Parameter(
        name=name,
        display_name=read.text(item, "displayName", path, name),
        description=read.text(item, "description", path, name),
        value=read.text(item, "value", path, name),
        generate=read.text(item, "generate", path, name),
        from_=read.text(item, "from", path, name),
        required=read.flag(item, "required", path, name),
    )
    read.known_fields(item, _FIELDS, path, name)
    if not name:
        read.fail("Required value: a parameter has a name", (*path, "name"))
    elif not references.NAME.fullmatch(name):
        read.fail(f'Invalid value: "{name}": does not match ^[a-zA-Z0-9_]+$', (*path, "name"), name)
    if parameter.generate == EXPRESSION and not parameter.value:
        _warn_of_generator(parameter, path, read)
    return parameter


def _warn_of_generator(parameter: Parameter, path: Path, read: FieldReader) -> None:
    if not parameter.from_:
        read.warn("generate without from makes an empty value", (*path, "generate"), parameter.name)
    elif generator.is_literal(parameter.from_):
        text = f"from is {parameter.from_}, which the generator does not understand and gives back as it stands"
        read.warn(text, (*path, "from"), parameter.name)


def _warn_of_references(parameters: list[Parameter], read: FieldReader) -> None:
    known = {parameter.name for parameter in parameters}
    for index, parameter in enumerate(parameters):
        mentioned = [name for name in references.names(parameter.value) if name in known]
        if mentioned:
            text = f"its value mentions ${{{mentioned[0]}}}, which stays as it is: values are not substituted again"
            read.warn(text, ("parameters", index, "value"), parameter.name)

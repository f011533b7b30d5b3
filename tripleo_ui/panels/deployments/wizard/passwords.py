"""Values of hidden parameters: typed on the last step, kept from the stored plan, or generated."""

import secrets
import string
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from .sections import SECRET

_LENGTH = 32
_ALPHABETS = (string.ascii_letters + string.digits, string.hexdigits.lower()[:16], string.digits)


class Refused(ValueError):
    """Typed values that a parameter does not accept; ``errors`` has the reasons by parameter name."""

    def __init__(self, errors: Mapping[str, str]):
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in errors.items()))
        self.errors = dict(errors)


def chosen(hidden: Iterable, post, kept: Mapping[str, object]) -> dict[str, object]:
    """The value of each hidden parameter; one that has a default and was not typed stays at its default.

    Args:
        hidden: the plan's hidden parameters.
        post: what the last step's form posted; a field left empty was not typed.
        kept: values that the stored plan has already.

    Raises:
        Refused: a typed value breaks a constraint, or none can be generated that fits.
    """
    values: dict[str, object] = {}
    errors: dict[str, str] = {}
    for parameter in hidden:
        text = post.get(SECRET + parameter.name, "")
        try:
            if text:
                values[parameter.name] = parameter.parse(text)
            elif parameter.name in kept:
                values[parameter.name] = kept[parameter.name]
            elif parameter.required:
                values[parameter.name] = generate(parameter)
        except ValueError as error:
            errors[parameter.name] = str(error)
    if errors:
        raise Refused(errors)
    return values


def generate(parameter) -> object:
    """A random value that the parameter's constraints accept.

    Raises:
        ValueError: no value of letters and digits fits; a person has to type one.
    """
    low, high = parameter.length
    length = max(low or 0, min(_LENGTH, high or _LENGTH))
    for alphabet in _ALPHABETS:
        text = "".join(secrets.choice(alphabet) for _position in range(length))
        try:
            return parameter.parse(text)
        except ValueError:
            continue
    raise ValueError(_("No value can be generated for this password; type one."))

"""Makes the shims' entry points known to the cloud's processes, and to no one else.

A ``dist-info`` folder on their Python path is all that stevedore asks for; nothing is installed.
"""

import configparser
from pathlib import Path

from devcloud.layout import REPOSITORY, Layout

_METADATA = "Metadata-Version: 2.1\nName: devcloud-shims\nVersion: 1.0\n"


def collect() -> dict[str, dict[str, str]]:
    """Return group → name → object from the ``entry_points.txt`` of every package of devcloud."""
    groups: dict[str, dict[str, str]] = {}
    for file in sorted((REPOSITORY / "devcloud").glob("*/entry_points.txt")):
        parser = configparser.ConfigParser(delimiters=("=",))
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read(file)
        for group in parser.sections():
            groups.setdefault(group, {}).update(parser[group])
    return groups


def write(layout: Layout) -> Path:
    """Write the ``dist-info`` folder where it differs, and return the folder for the Python path."""
    folder = layout.path / "devcloud_shims-1.0.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in sorted(names.items()))
        for group, names in sorted(collect().items())
    )
    for name, content in (("METADATA", _METADATA), ("entry_points.txt", text)):
        file = folder / name
        if not file.exists() or file.read_text() != content:
            file.write_text(content)
    return layout.path

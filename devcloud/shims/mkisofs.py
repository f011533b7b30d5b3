"""Writes a config drive as genisoimage would: ``-o FILE … -V LABEL FOLDER`` (ISO 9660, Joliet, Rock Ridge)."""

import sys
from pathlib import Path

import pycdlib


def build(folder: Path, label: str, target: Path) -> None:
    """Write everything in ``folder`` into the image ``target``."""
    image = pycdlib.PyCdlib()
    image.new(interchange_level=4, joliet=3, rock_ridge="1.09", vol_ident=label)
    for path in sorted(folder.rglob("*")):
        name = f"/{path.relative_to(folder)}"
        if path.is_dir():
            image.add_directory(name, rr_name=path.name, joliet_path=name)
        else:
            image.add_file(str(path), name, rr_name=path.name, joliet_path=name)
    image.write(str(target))
    image.close()


def main(arguments: list[str]) -> None:
    """Read genisoimage's arguments as Nova passes them."""
    target = arguments[arguments.index("-o") + 1]
    label = arguments[arguments.index("-V") + 1]
    build(Path(arguments[-1]), label, Path(target))


if __name__ == "__main__":
    main(sys.argv[1:])

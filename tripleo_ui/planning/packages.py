"""Packages in folders: the only place where planning touches a disk for a plan's files."""

import os
from collections.abc import Mapping
from pathlib import Path

from tripleo_ui.planning import yamlio
from tripleo_ui.planning.errors import PlanningError
from tripleo_ui.planning.hot.layout import ENVIRONMENT, MASTER, provider
from tripleo_ui.planning.hot.package import named_files

_MOST_FILES = 5000


def read_text(path: Path) -> str:
    """A file's text.

    Raises:
        PlanningError: it is not there, cannot be read, or is no UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise PlanningError((error.strerror or str(error)).lower(), str(path)) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise PlanningError("not text in UTF-8", str(path), line) from None


def read(source: Path | str) -> dict[str, str]:
    """The package in a folder, or the template in a file with the files that it names.

    Names that begin with a dot are left alone.

    Raises:
        PlanningError: a file cannot be read, or the folder is no package.
    """
    source = Path(source)
    if not source.is_dir():
        return _with_named(source)
    files: dict[str, str] = {}
    for folder, folders, names in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in names if not name.startswith(".")):
            path = Path(folder, name)
            files[path.relative_to(source).as_posix()] = read_text(path)
            if len(files) > _MOST_FILES:
                raise PlanningError(f"more than {_MOST_FILES} files: no package", str(source))
    if not files:
        raise PlanningError("the folder is empty", str(source))
    return files


def _with_named(source: Path) -> dict[str, str]:
    top = source.parent
    queue, files = [source.name], dict[str, str]()
    if source.name == MASTER and (top / ENVIRONMENT).is_file():
        queue.append(ENVIRONMENT)
    while queue:
        name = queue.pop(0)
        if name in files:
            continue
        files[name] = read_text(top / name)
        if not name.endswith((".yaml", ".yml", ".template")):
            continue
        data = yamlio.load(files[name], str(top / name)).data
        registry = data.get("resource_registry") if isinstance(data, dict) else None
        targets = (
            [target for target in registry.values() if isinstance(target, str)] if isinstance(registry, dict) else []
        )
        targets += [target for _path, target in named_files(data)]
        queue += [found for target in targets if (found := _inside(top, Path(name).parent, target))]
    return files


def _inside(top: Path, folder: Path, target: str) -> str:
    """The name of a file that another names, if it is there and does not lead out of the folder."""
    if "://" in target:
        return ""
    for candidate in (folder / target, Path(target)):
        normal = Path(os.path.normpath(candidate))
        if not normal.is_absolute() and ".." not in normal.parts and (top / normal).is_file():
            return normal.as_posix()
    return ""


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a package; the environment, which holds secrets, is readable by its owner only.

    Templates of roles that an earlier package had and this one does not are removed; other files stay.

    Raises:
        PlanningError: the folder cannot be written, or holds something else than a package.
    """
    for name in files:
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise PlanningError("the name leads out of the package", name)
    try:
        if folder.is_dir() and any(folder.iterdir()) and not (folder / MASTER).is_file():
            raise PlanningError("the folder has other files; name an empty one", str(folder))
        for path in folder.glob(provider("*")):
            if path.name not in files:
                path.unlink()
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            private = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if name == ENVIRONMENT else 0o644)
            with os.fdopen(private, "wb") as file:
                file.write(text.encode())
            if name == ENVIRONMENT:
                path.chmod(0o600)
    except OSError as error:
        raise PlanningError((error.strerror or str(error)).lower(), str(error.filename or folder)) from None

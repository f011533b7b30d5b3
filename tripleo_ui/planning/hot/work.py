"""A package under change: edits by file, files that come and files that go."""

from collections.abc import Mapping
from typing import Any

from tripleo_ui.planning.edits import Editor, Path
from tripleo_ui.planning.hot.package import Package, section_of
from tripleo_ui.planning.yamlio import Document


class Work:
    """Changes to a package; files that nothing touches stay as they are, byte for byte."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self._editors: dict[str, Editor] = {}
        self._new: dict[str, str] = {}
        self._gone: set[str] = set()

    def editor(self, name: str) -> Editor:
        """The editor of a file; of an empty one where the package has no such file."""
        if name not in self._editors:
            there = name in self.package.files
            document = self.package.document(name) if there else Document(name, "", {}, None)
            self._editors[name] = Editor(document)
        return self._editors[name]

    @property
    def master(self) -> Editor:
        """The editor of the master template."""
        return self.editor(self.package.master)

    @property
    def environment(self) -> Editor:
        """The editor of the environment."""
        return self.editor(self.package.environment)

    def set_value(self, name: str, value: Any) -> None:
        """Give a parameter a value in the environment."""
        self.environment.set(("parameters", name), value)

    def unset_value(self, name: str) -> None:
        """Take a parameter's value out of the environment."""
        self.environment.remove(("parameters", name))

    def put(self, path: Path, value: Any) -> None:
        """Put something into the master template where it is not there in the same form."""
        if self.master.get(path) != value:
            self.master.set(path, value)

    def write(self, name: str, text: str) -> None:
        """Put a file into the package."""
        self._new[name] = text
        self._gone.discard(name)

    def drop(self, name: str) -> None:
        """Take a file out of the package."""
        self._gone.add(name)

    def drop_from_parameter_groups(self, names: set[str]) -> None:
        """Take parameters out of the master template's parameter_groups, and groups that are empty then."""
        groups = self.master.get(("parameter_groups",))
        if not isinstance(groups, list) or not names:
            return
        kept = []
        for group in groups:
            listed = group.get("parameters") if isinstance(group, Mapping) else None
            rest = [name for name in listed if name not in names] if isinstance(listed, list) else listed
            if rest or not listed:
                kept.append({**group, "parameters": rest} if isinstance(listed, list) else group)
        if kept != groups:
            self.master.set(("parameter_groups",), kept)

    def files(self) -> dict[str, str]:
        """The package after all changes."""
        files = {name: text for name, text in self.package.files.items() if name not in self._gone}
        files |= {name: editor.text() for name, editor in self._editors.items() if name not in self._gone}
        return files | self._new


def parameters_of(package: Package, namespace: str) -> set[str]:
    """Names of a role's parameters in the master template and in the environment."""
    sections = (
        section_of(package.document(package.master), "parameters"),
        section_of(package.settings(), "parameters"),
    )
    return {str(name) for section in sections for name in section if str(name).startswith(f"{namespace}::")}

"""The form of an instance: what was typed, what can be chosen, and what is wrong with each field."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tripleo_ui.orchestration.instances.request import MOST_INSTANCES
from tripleo_ui.orchestration.instances.shape import Problem
from tripleo_ui.web.schema_forms import TYPEAHEAD_OVER, Field, element_id

from .options import Choices, Options
from .typed import ROWS, TEXTS, Typed

# What a problem is about, where the form has another name for it.
_SHOWN_AT = {"user_data_ref": "user_data"}
_GROUPS = ("networks", "volumes", "boot_volume", "security_groups")


@dataclass(frozen=True)
class Row:
    """A row of fields; ``label`` names it, ``remove`` is the value of the button that takes it away."""

    label: str
    fields: tuple[Field, ...]
    remove: str


class Form:
    """The fields by their place on the page."""

    def __init__(self, typed: Typed, options: Options, problems: Iterable[Problem] = ()):
        self.typed = typed
        self.options = options
        self._errors = self._by_field(problems)

    def _by_field(self, problems) -> Mapping[str, list[str]]:
        known = {*TEXTS, *_GROUPS, *(path for kind in ROWS for path in self._row_paths(kind))}
        found: dict[str, list[str]] = defaultdict(list)
        for problem in problems:
            path = _SHOWN_AT.get(problem.field, problem.field)
            inside = path
            while path and path not in known:
                path = path.rpartition(".")[0]
            # A name of metadata has no field of its own, so that the sentence must name it.
            rest = inside.removeprefix(path).strip(".")
            found[path].append(f"{rest}: {problem.message}" if rest else problem.message)
        return found

    def _row_paths(self, kind):
        names, _most = ROWS[kind]
        return [f"{kind}.{index}.{name}" for index in range(len(self.typed.rows[kind])) for name in names]

    def errors(self, path: str) -> tuple[str, ...]:
        """What is wrong with a field, or with the form as a whole for an empty path."""
        return tuple(self._errors.get(path, ()))

    @property
    def group_errors(self) -> Mapping[str, tuple[str, ...]]:
        """What is wrong with whole groups of fields, by the group's name."""
        return {group: self.errors(group) for group in _GROUPS}

    @property
    def problems(self) -> list[tuple[str, str, str]]:
        """All that is wrong: id of the field, its label, sentence."""
        labels = {field.name: field.label for field in self._all()}
        labels |= {"networks": _("Networks"), "volumes": _("Volumes"), "boot_volume": _("Boot volume")}
        labels |= {"security_groups": _("Security groups")}
        ordered = [*labels, *(path for path in self._errors if path not in labels)]
        return [
            (element_id(path) if path else "", labels.get(path, ""), message)
            for path in ordered
            for message in self._errors.get(path, ())
        ]

    def _all(self):
        rows = [field for row in (*self.networks, *self.volumes) for field in row.fields]
        return [*self.what, *self.source, *self.boot, *rows, *self.access, *self.more]

    @cached_property
    def what(self) -> tuple[Field, ...]:
        """Name, number and flavor."""
        return (
            self._text("name", _("Name"), required=True, hint=_("Several are numbered: web-1, web-2.")),
            self._text(
                "count",
                _("Number"),
                required=True,
                numeric=True,
                hint=_("1 to %(most)s.") % {"most": MOST_INSTANCES}
                + self._left("instances", _("%(n)s left in the quota.")),
            ),
            self._text(
                "min_count",
                _("At least"),
                numeric=True,
                hint=_("Fewer are made where there is no room for all. Empty: all or none."),
            ),
            self._choice("flavor", _("Flavor"), "flavor", required=True, hint=self._flavor_hint()),
        )

    def _left(self, name, words):
        free = self.options.free.get(name)
        return "" if free is None else " " + words % {"n": free}

    def _flavor_hint(self):
        return (
            self._left("cores", _("%(n)s VCPU left in the quota.")) + self._left("ram", _("%(n)s MiB of RAM left."))
        ).strip()

    @cached_property
    def source(self) -> tuple[Field, ...]:
        """The image."""
        return (self._choice("image", _("Image"), "image", required=True),)

    @cached_property
    def boot(self) -> tuple[Field, ...]:
        """The volume to boot from."""
        return (
            self._text("boot_volume.size", _("Size in GiB"), numeric=True, required=True, hint=self._volume_hint()),
            self._choice("boot_volume.type", _("Volume type"), "volume_type", empty=_("Default")),
            self._box("boot_volume.delete", _("Delete it with its instance")),
        )

    def _volume_hint(self):
        return self._left("gigabytes", _("%(n)s GiB left in the quota.")).strip()

    @cached_property
    def networks(self) -> tuple[Row, ...]:
        """One row for each network."""
        return tuple(
            Row(
                _("Network %(n)s") % {"n": index + 1},
                (
                    self._choice(f"networks.{index}.network", _("Network"), "network", required=True, row=row),
                    self._text(
                        f"networks.{index}.fixed_ip", _("Fixed address"), hint=_("Empty: any free one."), row=row
                    ),
                ),
                f"networks.{index}",
            )
            for index, row in enumerate(self.typed.rows["networks"])
        )

    @cached_property
    def volumes(self) -> tuple[Row, ...]:
        """One row for each new volume."""
        return tuple(
            Row(
                _("Volume %(n)s") % {"n": index + 1},
                (
                    self._text(f"volumes.{index}.size", _("Size in GiB"), numeric=True, required=True, row=row),
                    self._choice(f"volumes.{index}.type", _("Volume type"), "volume_type", empty=_("Default"), row=row),
                    self._box(f"volumes.{index}.delete", _("Delete it with its instance"), row=row),
                ),
                f"volumes.{index}",
            )
            for index, row in enumerate(self.typed.rows["volumes"])
        )

    @cached_property
    def access(self) -> tuple[Field, ...]:
        """The key pair; groups of security have boxes of their own."""
        return (self._choice("key_name", _("Key pair"), "key_name", empty=_("None")),)

    @property
    def security_groups(self) -> list[tuple[str, str, str, bool]] | None:
        """Id, value, label and tick of each group; None where they are not known and names are typed."""
        choices = self.options.choices["security_groups"]
        if choices is None:
            return None
        known = dict(choices)
        gone = [
            (group, _("%(name)s (not there)") % {"name": group}) for group in self.typed.groups if group not in known
        ]
        return [
            (element_id(f"security_groups.{index}"), value, label, value in self.typed.groups)
            for index, (value, label) in enumerate([*choices, *gone])
        ]

    @property
    def groups_text(self) -> str:
        """The groups as text, for where names are typed."""
        return ", ".join(self.typed.groups)

    @cached_property
    def more(self) -> tuple[Field, ...]:
        """What few need."""
        return (
            self._choice("server_group", _("Server group"), "server_group", empty=_("None")),
            self._choice("availability_zone", _("Availability zone"), "availability_zone", empty=_("Any")),
            self._text("metadata", _("Metadata"), kind="textarea", hint=_("One “key = value” on each line.")),
            self._text(
                "user_data",
                _("User data"),
                kind="textarea",
                hint=_(
                    "A script or a cloud-config. It is kept in Swift until the instances are there, and nowhere else."
                ),
            ),
            self._box("config_drive", _("Hand metadata and user data over on a drive")),
        )

    @property
    def more_is_open(self) -> bool:
        """Whether one of the rarely needed fields is used or wrong."""
        return any(field.value or field.errors for field in self.more)

    @property
    def announcement(self) -> str:
        """How many problems there are."""
        count = len(self.problems)
        return ngettext("%(n)s problem. Nothing was created.", "%(n)s problems. Nothing was created.", count) % {
            "n": count
        }

    def _value(self, path, row):
        return self.typed.text(path) if row is None else row.get(path.rpartition(".")[2], "")

    def _text(self, path, label, *, kind="text", hint="", required=False, numeric=False, row=None) -> Field:
        return self._field(path, label, kind, self._value(path, row), hint, required, numeric=numeric)

    def _box(self, path, label, row=None) -> Field:
        return self._field(path, label, "checkbox", self._value(path, row), "", False)

    def _choice(self, path, label, name, *, empty="", required=False, hint="", row=None) -> Field:
        choices, value = self.options.choices[name], self._value(path, row)
        if choices is None:
            hint = hint or _("Its choices are not known now: type a name or an id.")
            return self._field(path, label, "text", value, hint, required)
        kind = "typeahead" if len(choices) > TYPEAHEAD_OVER else "select"
        options = choices if kind == "typeahead" else _with_value(choices, value, empty or _("Choose…"))
        return self._field(path, label, kind, value, hint, required, options=options)

    def _field(self, path, label, kind, value, hint, required, *, numeric=False, options: Choices = ()) -> Field:
        return Field(
            name=path,
            id=element_id(path),
            label=label,
            kind=kind,
            value=value,
            help="",
            hint=hint,
            required=required,
            options=tuple(options or ()),
            errors=self.errors(path),
            numeric=numeric,
        )


def _with_value(choices, value, empty):
    """The choices, an empty one before them, and what was chosen but is gone."""
    gone = [] if not value or value in dict(choices) else [(value, _("%(name)s (not there)") % {"name": value})]
    return [("", empty), *gone, *choices]

"""The form of an order as a page draws it: where it goes, the dialog, and what is wrong with each field."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tripleo_ui.catalog.fields import Dialog
from tripleo_ui.web import dialog_forms
from tripleo_ui.web.dialog_forms import PREFIX, Choices
from tripleo_ui.web.schema_forms import Field, Group, element_id

from .checking import Checked
from .where import NEW, Where

_NOTHING = Checked()


class Form:
    """The fields by their place on the page."""

    def __init__(
        self,
        dialog: Dialog,
        place: Where,
        typed: Mapping[str, str],
        offered: Mapping[str, Choices],
        checked: Checked = _NOTHING,
    ):
        self.dialog = dialog
        self.place = place
        self._typed = typed
        self._offered = offered
        self._checked = checked

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The dialog's."""
        return dialog_forms.form(self.dialog, self._typed, self._checked.errors, self._offered)

    @property
    def count(self) -> int:
        """How many fields there are to look through."""
        return sum(len(group.required) + len(group.optional) for group in self.groups)

    @property
    def unfolded(self) -> bool:
        """Whether they are few enough to be all in view."""
        return sum(len(group.optional) for group in self.groups) <= dialog_forms.FEW

    @cached_property
    def where_fields(self) -> Sequence[Field]:
        """Cluster and namespace, or the name of a stack."""
        typed = self.place.typed
        if not self.place.clusters:
            hint = _("Small and large letters, digits, -, _ and .; a letter first.")
            return [self._where("stack_name", _("Name of the stack"), typed.stack, hint=hint, required=True)]
        fields = [self._cluster(typed), self._namespace(typed)]
        if self.place.may_create:
            hint = _("Small letters, digits and -. It is made for this project, and goes with the order.")
            fields.append(self._where("new_namespace", _("Name of a new namespace"), typed.new, hint=hint))
        return fields

    def _cluster(self, typed):
        names = self.place.clusters
        kind = "select" if len(names) > 1 else "shown"
        return self._where("cluster", _("Cluster"), typed.cluster, kind, options=[(name, name) for name in names])

    def _namespace(self, typed):
        names = self.place.namespaces
        if names is None:
            hint = _("The project's namespaces are not known now.")
            return self._where("namespace", _("Namespace"), typed.namespace, hint=hint, required=True)
        options = [(name, name) for name in names]
        if self.place.may_create:
            options.append((NEW, _("A new one")))
        hint = "" if options else _("This project has no namespace there. Ask an administrator for one.")
        if typed.namespace not in {value for value, _label in options}:
            options.insert(0, ("", _("Choose…")))
        return self._where("namespace", _("Namespace"), typed.namespace, "select", hint, options, required=True)

    def _where(self, name, label, value, kind="text", hint="", options=(), required=False) -> Field:
        errors = tuple(self._checked.place.get(name, ()))
        return Field(name, element_id(name), label, kind, value, "", hint, required, tuple(options), errors)

    @property
    def errors(self) -> Mapping[str, Sequence[str]]:
        """Name of a form's field → what is wrong with it."""
        return {**self._checked.place, **{PREFIX + name: texts for name, texts in self._checked.errors.items()}}

    @property
    def problems(self) -> list[tuple[str, str, str]]:
        """All that is wrong: id of the field, its label, sentence; those without a field come last."""
        labels = {field.name: field.label for field in self.where_fields}
        labels |= {PREFIX + each.name: each.label or each.name for each in self.dialog.fields}
        found = [
            (element_id(name), labels.get(name, name), text) for name, texts in self.errors.items() for text in texts
        ]
        return [*found, *(("", "", text) for text in self._checked.others)]

    @property
    def problems_title(self) -> str:
        """How many problems there are."""
        count = len(self.problems)
        return ngettext("%(n)s problem to solve", "%(n)s problems to solve", count) % {"n": count}

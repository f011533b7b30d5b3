"""What the wizard hands to Heat for a preview, and what it makes of the answer."""

from types import SimpleNamespace

import pytest

from tests.panels.plans import plan
from tripleo_ui.panels.deployments.wizard import previewing
from tripleo_ui.services.heat_records import Change

FILES = {
    "top.yaml": "heat_template_version: 2021-04-16\nresources: {a: {type: My::Part}}\n",
    "settings.yaml": "resource_registry: {'My::Part': parts/part.yaml}\n",
    "parts/part.yaml": "heat_template_version: 2021-04-16\nresources: {b: {type: leaf.yaml}}\n",
    "parts/leaf.yaml": "heat_template_version: 2021-04-16\n",
}


class Heat:
    def __init__(self, *changes):
        self.changes = [Change(action, "x", kind, "demo") for action, kind in changes]

    def find(self, _name):
        return SimpleNamespace(name="demo") if self.changes else None

    def preview(self, _name, files):
        self.files = files
        return ()

    def preview_update(self, _stack, files):
        self.files = files
        return self.changes


@pytest.mark.parametrize("heat", [Heat(), Heat(("unchanged", "OS::Nova::Server"))])
def test_heat_gets_the_files_under_the_names_that_it_looks_for(heat):
    assert "failure" not in previewing.of_files(heat, plan(), FILES)
    assert heat.files["plan.yaml"] == FILES["top.yaml"]
    assert heat.files["environment.yaml"] == FILES["settings.yaml"]
    assert heat.files["leaf.yaml"] == FILES["parts/leaf.yaml"]


def test_a_package_with_a_name_for_two_files_is_told():
    files = FILES | {
        "other/leaf.yaml": "heat_template_version: 2021-04-16\nresources: {}\n",
        "other/part.yaml": FILES["parts/part.yaml"],
        "settings.yaml": "resource_registry: {'My::Part': parts/part.yaml, 'My::Other': other/part.yaml}\n",
    }
    assert "leaf.yaml" in previewing.of_files(Heat(), plan(), files)["failure"].cause


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ([("unchanged", "OS::Nova::Server")], "Nothing changes"),
        ([("updated", "OS::Nova::Server")], ""),
        ([("replaced", "OS::Heat::StructuredConfig"), ("deleted", "OS::Heat::StructuredDeployment")], ""),
        ([("replaced", "OS::Heat::StructuredConfig"), ("replaced", "OS::Nova::Server")], "loses its data"),
        ([("deleted", "OS::Cinder::Volume")], "loses its data"),
    ],
)
def test_loss_of_data_is_said_of_what_has_data(changes, note):
    found = previewing.of_files(Heat(*changes), plan(), FILES)["note"]
    assert note in found
    assert bool(note) == bool(found)

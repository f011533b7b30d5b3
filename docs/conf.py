"""Sphinx configuration: the guides, and the settings' reference made from the code."""

import sys
from dataclasses import fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tripleo_ui.config import Settings

project = "tripleo_ui"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "reno.sphinxext"]
html_theme = "alabaster"
html_theme_options = {"description": "Plan, deploy and operate clouds from Horizon", "page_width": "64rem"}
html_static_path = []
exclude_patterns = ["_build", "_generated"]
autodoc_typehints = "none"


def write_settings_table(app):
    """Write the table of settings that the operator guide includes, from the settings' own definitions."""
    rows = ["   * - Name", "     - Default", "     - What it does"]
    for setting in fields(Settings):
        default = "a file in the working directory" if setting.name == "database_url" else f"``{setting.default!r}``"
        rows += [f"   * - ``{setting.name.upper()}``", f"     - {default}", f"     - {setting.metadata['doc']}"]
    target = Path(app.srcdir) / "_generated" / "settings.rst"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join([".. list-table::", "   :header-rows: 1", "   :widths: 30 25 45", "", *rows, ""]))


def setup(app):
    """Register the hooks."""
    app.connect("builder-inited", write_settings_table)

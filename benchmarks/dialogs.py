"""The largest dialog as a form: from its fields and what was typed to HTML."""

import os

from benchmarks.timing import median
from tripleo_ui.catalog import dialog


def measure(template):
    """Milliseconds to draw the form of a template's dialog, all of its fields typed into."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django  # noqa: PLC0415 - the other figures need no Django

    django.setup()
    from django.template.loader import render_to_string  # noqa: PLC0415

    from tripleo_ui.web import dialog_forms  # noqa: PLC0415

    built = dialog.build(template)
    typed = {each.name: "typed" for each in built.fields}

    def draw():
        groups = dialog_forms.form(built, typed, {}, {})
        return render_to_string("tripleo_ui/_dialog.html", {"groups": groups})

    assert draw().count("data-search") == len(built.fields)
    return {"form_milliseconds": round(1000 * median(draw), 1)}

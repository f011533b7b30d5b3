"""Templates of the catalog: reading, processing and checking them, and building and drawing the largest dialog."""

import os
from pathlib import Path

from benchmarks import dialogs
from benchmarks.timing import median
from tripleo_ui.catalog import dialog, processing, reading, report, validation
from tripleo_ui.catalog.template import Parameter, Template

EXAMPLES = Path(__file__).resolve().parents[1] / "examples/templates"
CORPUS = os.environ.get("TRIPLEO_UI_CORPUS", "")
#: The largest template that is known has so many.
PARAMETERS = 369
OBJECTS = 66


def files():
    """(what is measured, its files)."""
    folder = Path(CORPUS, "corpus/openshift") if CORPUS else EXAMPLES
    found = sorted(each for each in folder.rglob("*") if each.suffix in {".json", ".yaml", ".yml"})
    return "corpus" if CORPUS else "examples", [str(each) for each in found]


def large_template():
    """A template with ``PARAMETERS`` parameters that ``OBJECTS`` objects use."""
    names = [f"PART_{number % OBJECTS}_VALUE_{number}" for number in range(PARAMETERS)]
    objects = [
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": f"part-{part}"},
            "spec": {
                "template": {
                    "spec": {
                        "containers": [
                            {
                                "name": "main",
                                "env": [{"name": name, "value": f"${{{name}}}"} for name in names[part::OBJECTS]],
                                "resources": {"limits": {"memory": f"${{{names[part]}}}"}},
                            }
                        ]
                    }
                }
            },
        }
        for part in range(OBJECTS)
    ]
    return Template("large", tuple(objects), tuple(Parameter(name, description=f"About {name}.") for name in names))


def measure():
    """Templates per second, and milliseconds for the largest dialog."""
    source, paths = files()
    templates = [(each, report.placeholders(each)) for path in paths for each in reading.read_file(path).templates]
    seconds = {
        "read": median(lambda: [reading.read_file(path) for path in paths], runs=3),
        "process": median(lambda: [processing.process(each, answers) for each, answers in templates]),
        "validate": median(lambda: [validation.validate(each, answers) for each, answers in templates]),
    }
    large = large_template()
    return {
        "source": source,
        "templates": len(templates),
        **{f"{name}_templates_per_second": round(len(templates) / taken) for name, taken in seconds.items()},
        "dialog_parameters": PARAMETERS,
        "dialog_milliseconds": round(1000 * median(lambda: dialog.build(large)), 1),
        **dialogs.measure(large),
    }

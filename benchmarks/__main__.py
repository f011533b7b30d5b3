"""Run the measurements, or those named on the command line, and print them as one JSON document."""

import json
import os
import platform
import resource
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

from benchmarks import catalog, orchestration, planning, store

MEASUREMENTS = {
    "planning": planning.measure,
    "store": store.measure,
    "orchestration": orchestration.measure,
    "catalog": catalog.measure,
}


def main(names):
    """Print what was measured; seconds are medians, ``peak_mib`` is of the whole process."""
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        sys.exit(f"no measurement {', '.join(unknown)}; there are {', '.join(MEASUREMENTS)}")
    result = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    for name in names or MEASUREMENTS:
        result[name] = MEASUREMENTS[name]()
    result["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    json.dump(result, sys.stdout, indent=2)
    sys.stdout.write("\n")


main(sys.argv[1:])

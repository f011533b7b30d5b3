"""Runs one step of the seed: ``python -m devcloud.seed nodes``."""

import importlib
import sys

from devcloud.layout import Layout
from devcloud.seed import STEPS, connection


def main() -> None:
    """Run the step named on the command line."""
    name = sys.argv[1]
    if name not in {step.name for step in STEPS}:
        raise SystemExit(f"no step {name!r}; there are {', '.join(step.name for step in STEPS)}")
    module = importlib.import_module(f"devcloud.seed.{name}")
    layout = Layout.from_env()
    module.run(connection.connect(layout), layout)


if __name__ == "__main__":
    main()

"""A conductor with the test workflow in a process of its own, for tests that kill it: DATABASE_URL FOLDER NAME."""

import logging
import sys

from tests.workflow import Folder
from tripleo_ui import config
from tripleo_ui.orchestration import conductor, workflows

LEASE_SECONDS = 1.0


def main(database_url, folder, name):
    settings = config.Settings(
        database_url=database_url, lease_seconds=LEASE_SECONDS, poll_seconds=0.02, workers=4, step_deadline_seconds=60
    )
    config.settings.__dict__["_values"] = settings
    workflows.MODULES = (*workflows.MODULES, "tests.workflow")
    conductor.IDLE_SECONDS = 0.02
    logging.basicConfig(level=logging.INFO)
    cloud = Folder(folder)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    conductor.Conductor(name, lambda _request: cloud).run()


if __name__ == "__main__":
    main(*sys.argv[1:])

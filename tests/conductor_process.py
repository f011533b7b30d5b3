"""A conductor with the test workflows in a process of its own, for tests that kill it.

``python -m tests.conductor_process DATABASE_URL FOLDER NAME [BOARD_URL]``
"""

import itertools
import logging
import multiprocessing
import os
import sys
import threading

from tests.workflow import Folder
from tripleo_ui import config
from tripleo_ui.orchestration import conductor, workflows

LEASE_SECONDS = 1.0


class Conductors:
    """Conductor processes on one database and one folder; they are forked from one that has all modules loaded."""

    def __init__(self, database_url, folder, board_url=""):
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["__main__", __name__])
        self._database_url, self._folder, self._board_url = database_url, folder, board_url
        self._numbers = itertools.count(1)
        self.running = []

    def start(self):
        """Start one, named c1, c2 and so on."""
        name = f"c{next(self._numbers)}"
        arguments = (self._log(name), self._database_url, str(self._folder), name, self._board_url)
        process = self._context.Process(target=_logged, args=arguments, name=name)
        process.start()
        self.running.append(process)
        return process

    def kill(self, process):
        """Kill one, at whatever it is."""
        process.kill()
        process.join(10)
        self.running.remove(process)

    def log(self, process):
        """What a process has written to its log."""
        return self._log(process.name).read_text()

    def close(self):
        """Kill all, paused ones too."""
        for process in list(self.running):
            self.kill(process)

    def _log(self, name):
        return self._folder / f"{name}.conductor"


def _logged(log, *arguments):
    with log.open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    threading.Thread(target=_end_with_the_tests, daemon=True).start()
    main(*arguments)


def _end_with_the_tests():
    multiprocessing.parent_process().join()
    os._exit(1)


def main(database_url, folder, name, board_url=""):
    settings = config.Settings(
        database_url=database_url,
        board_url=board_url,
        lease_seconds=LEASE_SECONDS,
        poll_seconds=0.02,
        workers=4,
        project_share=1.0,
        step_deadline_seconds=60,
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

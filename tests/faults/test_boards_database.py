"""The database drops connections, and several programs use it at once."""

import random
import time

import pytest
import sqlalchemy as sa

from tests.conductor_process import Conductors
from tests.faults.test_conductor_kill import Traffic, check_world
from tests.workflow import PHASES
from tripleo_ui.config import settings
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.api import State

SERVERS = pytest.mark.parametrize("database", ["postgresql", "redis"], indirect=True)
CUTS = 40


def cut(postgresql_url):
    """End every session but one's own, at whatever it is."""
    with sa.create_engine(postgresql_url, poolclass=sa.NullPool).connect() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND application_name = 'conductors'"
        )


@SERVERS
def test_connections_that_are_cut_at_random_moments_fail_nothing(database, folder, postgresql_url):
    chance = random.Random(11)
    conductors = Conductors(f"{database}?application_name=conductors", folder.path, settings.board_url)
    traffic = Traffic(chance)
    try:
        conductors.start()
        conductors.start()
        for _cut in range(CUTS):
            traffic.go_on(6)
            time.sleep(chance.uniform(0.0, 0.2))
            cut(postgresql_url)
        traffic.end()
        assert all(process.is_alive() for process in conductors.running)
    finally:
        conductors.close()
    for request in traffic.requests:
        done = api.get(request.id, "p1").state is State.SUCCEEDED
        assert folder.made(request.id) == (sorted(PHASES) if done else [])
    check_world(folder, traffic.requests)

"""Requests in states that are rare, written into the database of the cloud's own orchestrator.

They have no job on the board until a person acts on them, so that no conductor changes what a test looks at.
"""

from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import sqlalchemy as sa

from tripleo_ui import config
from tripleo_ui.orchestration import api
from tripleo_ui.orchestration.store.engine import writing
from tripleo_ui.orchestration.store.tables import LEDGER, REQUESTS
from tripleo_ui.orchestration.transitions import By, load, move

BY = By(conductor="conductor-1")
AWAY = {
    "service": "ironic",
    "operation": "list nodes",
    "cause": "no connection to the service within 5 s",
    "next_step": "Check that the service runs.",
    "request_id": "req-0f4f2a52-6a7d-4d7e-9f0c-6c3a3ef0b1a9",
}


class Odd:
    """Makes requests of one project, and removes them."""

    def __init__(self, project_id):
        self.person = api.Requester("odd", "olga", project_id, "admin", "RegionOne", source="dashboard 192.0.2.7")
        self.made = []

    def submit(self, name, priority=0):
        with mock.patch.object(api, "post"):
            request = api.submit("overcloud.deploy", self.person, {"plan": name, "etag": "1"}, priority=priority)
        self.made.append(request.id)
        return request

    def go(self, request, *events, told="It goes on.", **changes):
        """Take it along events; ``changes`` are the last one's."""
        with writing() as connection:
            for event in events:
                more = changes if event == events[-1] else {}
                move(connection, load(connection, request.id), event, told, BY, **more)

    def things(self, request, *states):
        """Write a stack into the ledger for each state."""
        row = {"request_id": request.id, "phase": "create", "service": "heat", "kind": "stack", "at": 0.0}
        with writing() as connection:
            for index, state in enumerate(states):
                name = f"{request.params['plan']}-{index}"
                connection.execute(
                    sa.insert(LEDGER).values(row | {"name": name, "external_id": f"id-of-{name}", "state": state})
                )

    def state(self, request):
        return api.get(request.id, self.person.project_id).state

    def remove(self):
        with writing() as connection:
            connection.execute(sa.delete(REQUESTS).where(REQUESTS.c.id.in_(self.made)))


@contextmanager
def requests(database, project_id):
    """A maker of requests in that database, which leaves none behind."""
    values = replace(config.load(), database_url=f"sqlite:///{database}")
    with mock.patch.dict(config.settings.__dict__, {"_values": values}):
        odd = Odd(project_id)
        try:
            yield odd
        finally:
            odd.remove()

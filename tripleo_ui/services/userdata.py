"""User data of instances to be, in Swift: it may hold passwords, so that it is in no database of ours."""

from uuid import NAMESPACE_OID, uuid4, uuid5

from tripleo_ui.services.rest import Rest
from tripleo_ui.services.swift import Container

CONTAINER = "tripleo-ui-user-data"


class UserData:
    """What one project's requests will hand to their instances; each is kept until its request has ended."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self._container = Container(rest, CONTAINER)

    def put(self, text: str, key: str = "") -> str:
        """Keep a text; answers a reference that says nothing about it, the same one for the same ``key``."""
        self._rest.call("create container", "PUT", f"/{CONTAINER}")
        reference = str(uuid5(NAMESPACE_OID, key) if key else uuid4())
        self._rest.call("keep user data", "PUT", f"/{CONTAINER}/{reference}", data=text.encode())
        return reference

    def get(self, reference: str) -> str:
        """The text of a reference.

        Raises:
            NotFound: it is gone.
        """
        return self._container.read(reference)[0].decode()

    def delete(self, reference: str) -> None:
        """Forget a text; one that is gone already is no error."""
        self._container.delete(reference)

"""Two of Cinder's services in one process: each must report its own state.

Cinder keeps the id of "the" service in the class, so the one that was started first would report for the last.
"""

import threading

from cinder import service

_lock = threading.Lock()


class Service(service.Service):
    """A service that remembers its id."""

    def start(self) -> None:
        """Start, and keep the id that the start has found or made."""
        with _lock:
            super().start()
            self._own_id = service.Service.service_id

    def report_state(self) -> None:
        """Report under the own id."""
        with _lock:
            service.Service.service_id = self._own_id
            super().report_state()

"""A loopback proxy between the tests' processes and the services, which delays, cuts, refuses, drops and holds calls.

Processes get it through their environment, so endpoints and the catalog stay as they are::

    with fault_proxy.fault(drop(), port=8776, method="POST", path=r"/volumes$", times=1) as fault:
        ...
        assert fault.wait(served=True).status is None
"""

import pytest

from tests.fault_proxy.actions import cut, delay, drop, hang, hold, status
from tests.fault_proxy.proxy import FaultProxy

__all__ = ["FaultProxy", "cut", "delay", "drop", "fault_proxy", "hang", "hold", "status"]


@pytest.fixture
def fault_proxy():
    """A proxy without rules; a test points its processes at it with ``fault_proxy.environment()``."""
    with FaultProxy() as proxy:
        yield proxy

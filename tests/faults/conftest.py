"""What the fault tests share."""

from tests.cloud import admin, cloud
from tests.fault_proxy import fault_proxy
from tests.orchestration import database, folder

__all__ = ["admin", "cloud", "database", "fault_proxy", "folder"]

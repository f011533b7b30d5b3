"""What the fault tests share."""

from tests.cloud import admin, cloud
from tests.orchestration import database, folder

__all__ = ["admin", "cloud", "database", "folder"]

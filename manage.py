#!/usr/bin/env python3
import os
import sys
from pathlib import Path


def main() -> None:
    """Run a Django command, with the embedded cloud's settings where there is such a cloud."""
    repository = Path(__file__).resolve().parent
    sys.path.insert(0, str(repository))
    if Path(os.environ.get("DEVCLOUD_DIR") or repository / ".devcloud").is_dir():
        sys.path.insert(0, str(repository / "devcloud" / "horizon"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "openstack_dashboard.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - after the path is set

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

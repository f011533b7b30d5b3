"""``python -m tripleo_ui.catalog``."""

import sys

from tripleo_ui.catalog.commands import main

if __name__ == "__main__":
    sys.exit(main())

"""``python -m tripleo_ui.planning``."""

import sys

from tripleo_ui.planning.commands import main

if __name__ == "__main__":
    sys.exit(main())

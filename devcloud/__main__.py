"""``python -m devcloud``."""

from devcloud.cli import main

if __name__ == "__main__":
    main()

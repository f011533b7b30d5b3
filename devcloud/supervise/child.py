"""Turns into another program that dies with its parent: ``child.py PARENT-PID PROGRAM ARGUMENT…``.

Run as a file without site packages: it is there for a hundredth of a second.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Ask the kernel for a SIGKILL when the parent dies, then become the program; both survive ``exec``."""
    parent = int(sys.argv[1])
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL):
        sys.exit(f"prctl failed: {os.strerror(ctypes.get_errno())}")
    if os.getppid() != parent:
        sys.exit("the parent died while this process was started")
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - the supervisor's own argument list, without a shell


if __name__ == "__main__":
    main()

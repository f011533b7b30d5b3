"""What planning raises."""


class PlanningError(ValueError):
    """Input that cannot be used; says where and why in one line.

    Args:
        reason: what is wrong, as a clause without a full stop.
        file: name of the file, as the caller named it; empty where there is none.
        line: line number from 1; 0 where it is not known.
    """

    def __init__(self, reason: str, file: str = "", line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.line = line

    def __str__(self) -> str:
        """``file:line: reason``, as compilers write it."""
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return f"{place}: {self.reason}" if place else self.reason

"""The jobboard: who works on which request, for as long as a lease lasts.

Every request has one row of jobs in our database, which is written with the request and says in which order requests
are taken. Which conductor has it is the board's to say: the SQL board keeps that in the row as well and needs no
server; the Redis board keeps it in Redis. Either way the row has the claim's owner and epoch, which fence every write.
"""

from tripleo_ui.config import settings
from tripleo_ui.orchestration.boards.claim import Board, BoardError, Claim
from tripleo_ui.orchestration.boards.sql import SqlBoard

__all__ = ["Board", "BoardError", "Claim", "configured"]


def configured() -> Board:
    """The board that the setting BOARD_URL asks for.

    Raises:
        BoardError: it is no URL of a Redis, or Redis's client is not installed.
    """
    if not settings.board_url:
        return SqlBoard()
    try:
        # Imported here: only conductors with a Redis need its client.
        from tripleo_ui.orchestration.boards.redis import RedisBoard  # noqa: PLC0415
    except ImportError as error:
        raise BoardError("BOARD_URL needs Redis's client: pip install tripleo-ui[redis]") from error
    return RedisBoard(settings.board_url)

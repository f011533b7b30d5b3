"""TaskFlow's Redis jobboard as this project needs it: with leases, with timeouts, and no walk through all jobs."""

import threading
from collections.abc import Sequence
from enum import Enum
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from taskflow import exceptions
from taskflow.jobs.backends import impl_redis

from tripleo_ui.config import settings
from tripleo_ui.orchestration.boards.claim import BoardError

_NAMESPACE = "tripleo_ui"
_AGAIN = 0.05


class Job(Enum):
    """What Redis knows of a job: somebody's for a while, nobody's, or nothing."""

    HELD = "held"
    FREE = "free"
    LOST = "lost"


class Jobs:
    """Jobs in one Redis, by their ids. It connects at the first use, and again whenever Redis was away.

    Every call may raise TaskFlow's JobFailure or redis.RedisError, within a few seconds, while Redis is away.
    """

    def __init__(self, url: str) -> None:
        self._client, namespace = _client(url)
        self._board: Any = impl_redis.RedisJobBoard("requests", {"namespace": namespace}, client=self._client)
        self._guard = threading.Lock()

    def post(self, request_id: str) -> str:
        """Post a request's job; answers the job's id."""
        posted: str = self._connected().post(request_id).uuid
        return posted

    def look(self, job_ids: Sequence[str]) -> dict[str, Job]:
        """What has become of jobs, all in one round trip."""
        if not job_ids:
            return {}
        board = self._connected()
        with self._client.pipeline(transaction=False) as pipeline:
            for job in map(self._job, job_ids):
                pipeline.hexists(board.listings_key, job.key)
                pipeline.exists(job.owner_key)
            answers = pipeline.execute()
        pairs = zip(answers[::2], answers[1::2], strict=True)
        found = [Job.LOST if not listed else Job.HELD if held else Job.FREE for listed, held in pairs]
        return dict(zip(job_ids, found, strict=True))

    def claim(self, job_id: str, who: str, lease: float) -> Job:
        """Take a job that is FREE, which makes it HELD for ``lease`` seconds; answers what it was."""
        try:
            self._connected().claim(self._job(job_id), who, expiry=lease)
        except exceptions.NotFound:
            return Job.LOST
        except exceptions.UnclaimableJob:
            return Job.HELD
        return Job.FREE

    def extend(self, job_id: str, who: str, lease: float) -> bool:
        """Extend a lease; False where it is over, or somebody else's by now."""
        self._connected()
        job = self._job(job_id)
        # In this order: TaskFlow extends whose lease it may be, and to extend another one's does no harm.
        return bool(job.extend_expiry(lease)) and self._client.get(job.owner_key) == who.encode()

    def abandon(self, job_id: str, who: str) -> None:
        """Give a job back, if it still is that one's."""
        self._end(self._connected().abandon, job_id, who)

    def consume(self, job_id: str, who: str) -> None:
        """Remove a job that is done, if it still is that one's."""
        self._end(self._connected().consume, job_id, who)

    def everything(self) -> dict[str, str]:
        """All jobs: the request of each."""
        return {job.uuid: job.name for job in self._connected().iterjobs()}

    def close(self) -> None:
        """End all connections."""
        self._board.close()
        self._client.close()

    def _end(self, end: Any, job_id: str, who: str) -> None:
        try:
            end(self._job(job_id), who)
        except exceptions.JobFailure as error:
            if isinstance(error.__cause__, redis.RedisError):
                raise
        except exceptions.NotFound:
            return

    def _connected(self) -> Any:
        with self._guard:
            if not self._board.connected:
                self._board.connect()
        return self._board

    def _job(self, job_id: str) -> Any:
        # TaskFlow finds a job by reading all of them; what its calls need of one is its key.
        return impl_redis.RedisJob(self._board, "", 0, job_id.encode(), uuid=job_id)


def _client(url: str) -> tuple["redis.Redis", str]:
    """A client, and the prefix of its keys: ``?namespace=`` of the URL, whose other options are the client's."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    namespace = options.pop("namespace", _NAMESPACE)
    patience = min(settings.connect_timeout, settings.lease_seconds / 3)
    try:
        client = redis.Redis.from_url(
            urlunsplit(parts._replace(query=urlencode(options))),
            protocol=2,
            socket_connect_timeout=patience,
            socket_timeout=patience,
            socket_keepalive=True,
            health_check_interval=30,
            retry=Retry(ConstantBackoff(_AGAIN), 1),
        )
    except (ValueError, TypeError) as error:
        # Not the URL itself, which may have a password.
        raise BoardError("BOARD_URL is no URL of a Redis, such as redis://:PASSWORD@HOST:6379/0") from error
    return client, namespace

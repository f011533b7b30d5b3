"""Decides what a start consists of: which state, which services, which jobs."""

import contextlib
import dataclasses
import fcntl
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator

from devcloud import golden, render, schema, seed, services
from devcloud.cluster import kubeconfig
from devcloud.layout import REPOSITORY, Layout
from devcloud.services.base import Service
from devcloud.shims import entry_points
from devcloud.supervise import board, process
from devcloud.supervise.loop import Supervisor
from devcloud.supervise.units import Job


class AlreadyRunningError(Exception):
    """Another supervisor has this folder."""


@contextlib.contextmanager
def locked(layout: Layout) -> Iterator[None]:
    """Be the only supervisor of the folder.

    Raises:
        AlreadyRunningError: there is another one.
    """
    layout.run.mkdir(parents=True, exist_ok=True)
    with (layout.run / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise AlreadyRunningError(f"another supervisor runs in {layout.root}") from error
        yield


def run(layout: Layout, say: Callable[[str], None]) -> None:
    """Start the cloud in this process and supervise it until a signal; hold the lock while at it.

    Raises:
        StartError: a service failed.
        PortTakenError: a port is not free.
    """
    process.stop(board.processes(board.read(layout)))  # what a killed supervisor left, if anything
    starting = {**board.STOPPED, "phase": "starting", "supervisor": process.Identity.of(os.getpid())}
    board.write(layout, starting)
    chosen = enabled(layout)
    process.check_ports(layout, [port for service in chosen for port in service.ports])
    _prepare_folders(layout)
    key = golden.key(layout)
    fresh = not _find_state(layout, key, say)
    for folder in (folder for service in chosen for folder in service.folders):
        (layout.state / folder).mkdir(parents=True, exist_ok=True)
    render.write_all(layout)
    kubeconfig.prepare(layout)
    entry_points.write(layout)
    specs = plan(chosen, fresh)
    if fresh:
        specs.append(_save_job(layout, key, specs))
    supervisor = Supervisor(layout, specs, say)
    supervisor.run()


def enabled(layout: Layout) -> list[Service]:
    """Return the services of this cloud: all, or those that were chosen.

    Raises:
        ValueError: a chosen one does not exist.
    """
    names = {service.name for service in services.ALL}
    if unknown := sorted(set(layout.only) - names):
        raise ValueError(f"no service {', '.join(unknown)}; there are {', '.join(sorted(names))}")
    return [service for service in services.ALL if not layout.only or service.name in layout.only]


def _prepare_folders(layout: Layout) -> None:
    for folder in (layout.etc, layout.log, layout.run, layout.golden, layout.root / "home"):
        folder.mkdir(parents=True, exist_ok=True)
    layout.root.chmod(0o700)
    for old in layout.log.glob("*.log"):
        if old.stem != "devcloud":
            old.replace(old.with_suffix(".log.1"))


def _find_state(layout: Layout, key: str, say: Callable[[str], None]) -> bool:
    """Keep the state if it fits, else restore the golden one, else leave an empty folder."""
    found = golden.current(layout)
    if found == key:
        say("state: going on with the one that is there")
        return True
    if found:
        say("state: the one that is there comes from other versions or another configuration, so it goes")
    if golden.restore(layout, key):
        say("state: restored the golden one")
        return True
    say("state: building a new one")
    shutil.rmtree(layout.state, ignore_errors=True)
    layout.state.mkdir(parents=True)
    return False


def plan(chosen: list[Service], fresh: bool) -> list[Service | Job]:
    """Return services and jobs in the order in which they are to start where nothing else decides."""
    specs: list[Service | Job] = []
    names = {service.name for service in chosen}
    if "conductor" in names:
        argv = (sys.executable, str(REPOSITORY / "manage.py"), "orchestration_db", "upgrade")
        specs.append(Job("orchestration-db", argv=argv, shims=False))
    for service in chosen:
        if fresh and service.database:
            specs.append(_schema_job(service.name))
        specs.append(service)
        if fresh:
            specs += [_seed_job(step) for step in seed.STEPS if step.of == service.name]
    return [_after_schema(spec) if fresh and isinstance(spec, Service) else spec for spec in specs]


def _schema_job(name: str) -> Job:
    if name not in schema.MAKERS:
        raise ValueError(f"devcloud.schema makes no databases for {name}")
    return Job(f"schema-{name}", argv=(sys.executable, "-m", "devcloud.schema", name))


def _seed_job(step: seed.Step) -> Job:
    argv = (sys.executable, "-m", "devcloud.seed", step.name)
    return Job(f"seed-{step.name}", after=step.after, argv=argv, shims=False)


def _after_schema(service: Service) -> Service:
    return dataclasses.replace(service, after=(*service.after, f"schema-{service.name}"))


def _save_job(layout: Layout, key: str, specs: list[Service | Job]) -> Job:
    """Make the job that saves the golden state: after all that has a share in it."""

    def save() -> None:
        with _held(layout):
            draft = golden.copy(layout, key)
        golden.finish(layout, key, draft)
        golden.mark(layout, key)

    waits_for = tuple(spec.name for spec in specs if isinstance(spec, Job) or spec.database)
    return Job("golden", after=waits_for, action=save)


@contextlib.contextmanager
def _held(layout: Layout) -> Iterator[None]:
    """Stop every process of the cloud for a moment, so that all databases are copied at one point in time."""
    children = board.processes(board.read(layout))
    try:
        for identity in children:
            process.signal_group(identity, signal.SIGSTOP)
        yield
    finally:
        for identity in children:
            process.signal_group(identity, signal.SIGCONT)


def main() -> None:
    """Be the supervisor: ``python -m devcloud.boot``; the log is standard output."""
    layout = Layout.from_env()

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    try:
        with locked(layout):
            _run_and_report(layout, say)
    except AlreadyRunningError as error:
        raise SystemExit(str(error)) from error


def _run_and_report(layout: Layout, say: Callable[[str], None]) -> None:
    try:
        run(layout, say)
    except Exception as error:  # whatever it is, `up` must be able to say it
        say(f"failed: {error}")
        failed = {**board.read(layout), "phase": "failed", "error": str(error), "processes": []}
        board.write(layout, {**failed, "supervisor": process.Identity.of(os.getpid())})
        raise SystemExit(1) from error


if __name__ == "__main__":
    main()

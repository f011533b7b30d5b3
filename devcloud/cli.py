"""The commands: up, down, status, logs, restart, reset, env, seed."""

import argparse
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time

from devcloud.layout import PASSWORD, REGION, REPOSITORY, Layout
from devcloud.supervise import board, process

_UP_SECONDS = 900.0
_SETTLE_SECONDS = 120.0


def main(arguments: list[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    parser = argparse.ArgumentParser(prog="devcloud", description="An OpenStack undercloud on this machine.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in (_add_up, _add_down, _add_status, _add_logs, _add_restart, _add_reset, _add_env, _add_seed):
        add(commands)
    options = parser.parse_args(arguments)
    try:
        layout = Layout.from_env()
    except ValueError as error:
        parser.error(str(error))
    raise SystemExit(options.command(layout, options))


def say(line: str = "") -> None:
    """Write one line for a person, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _add_up(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("up", help="start everything; nothing to do if it runs")
    parser.add_argument("--foreground", action="store_true", help="stay, and stop everything on Ctrl-C")
    parser.set_defaults(command=up)


def up(layout: Layout, options: argparse.Namespace) -> int:
    """Start the cloud, or follow a start that is under way."""
    for folder in (layout.run, layout.log):
        folder.mkdir(parents=True, exist_ok=True)
    if options.foreground:
        from devcloud import boot  # noqa: PLC0415 - the other commands need none of it

        layout.save()
        os.environ.update(layout.environment())
        boot.main()
        return 0
    with (layout.run / "up.lock").open("w") as turn:  # whoever comes second follows the first one's start
        fcntl.flock(turn, fcntl.LOCK_EX)
        content = board.read(layout)
        running = board.supervisor(content)
        pid = running.pid if running else _start(layout)
    if running and content["phase"] == "up":
        say("The cloud is up already.")
        return _welcome(layout)
    return _follow(layout, pid)


def _start(layout: Layout) -> int:
    """Start the supervisor, wait until it is on the board, and return its pid."""
    layout.save()
    with (layout.log / "devcloud.log").open("wb") as log:
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "devcloud.boot"],
            cwd=REPOSITORY,
            env={**os.environ, **layout.environment(), "PYTHONWARNINGS": "ignore"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    while supervisor.poll() is None and board.read(layout).get("supervisor", [0])[0] != supervisor.pid:
        time.sleep(0.05)
    return supervisor.pid


def _follow(layout: Layout, pid: int) -> int:
    """Show the supervisor's log until the cloud is up or has failed."""
    deadline = time.monotonic() + _UP_SECONDS
    with (layout.log / "devcloud.log").open() as log:
        while time.monotonic() < deadline:
            content = board.read(layout)
            mine = content.get("supervisor", [None])[0] == pid
            gone = _gone(pid)
            sys.stdout.write(log.read())
            sys.stdout.flush()
            if mine and content["phase"] == "up":
                return _welcome(layout)
            if gone:
                return 1
            time.sleep(0.2)
    say(f"not up after {_UP_SECONDS:.0f} s; `python -m devcloud status` says more")
    return 1


def _gone(pid: int) -> bool:
    try:
        process.Identity.of(pid)
    except ProcessLookupError:
        return True
    return False


def _welcome(layout: Layout) -> int:
    """Show what there is, once everything is healthy; a service that restarts just now gets its time."""
    deadline = time.monotonic() + _SETTLE_SECONDS
    while not (shown := board.status(layout))["healthy"] and time.monotonic() < deadline:
        time.sleep(0.5)
    _table(shown)
    if "horizon" in shown["services"]:
        say(f"\nDashboard  {layout.url('horizon')}")
    say(f"Keystone   {layout.auth_url}")
    say(f"Logins     admin / {PASSWORD}   demo / {PASSWORD}")
    if "openshift" in shown["services"] or "kubernetes" in shown["services"]:
        say(f"Clusters   KUBECONFIG={layout.kubeconfig}")
    return 0 if shown["healthy"] else 1


def _add_down(commands: argparse._SubParsersAction) -> None:
    commands.add_parser("down", help="stop everything; data stays").set_defaults(command=down)


def down(layout: Layout, _options: argparse.Namespace) -> int:
    """Stop the supervisor, and whatever a killed one left."""
    content = board.read(layout)
    if supervisor := board.supervisor(content):
        process.stop([supervisor], patience=30)
        content = board.read(layout)
    left = [identity for identity in board.processes(content) if identity.alive()]
    process.stop(left)
    say("stopped" if supervisor or left else "nothing was running")
    return 0


def _add_status(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("status", help="show each service; exit code 0: all healthy, 1: not all, 3: none runs")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--quiet", action="store_true", help="the exit code only")
    parser.set_defaults(command=status)


def status(layout: Layout, options: argparse.Namespace) -> int:
    """Show what runs; the exit code of a cloud that does not is that of a program's which does not run."""
    shown = board.status(layout)
    if options.json:
        say(json.dumps(shown, indent=2))
    elif not options.quiet:
        _table(shown)
    if shown["phase"] in {"stopped", "failed"}:
        return 3
    return 0 if shown["healthy"] else 1


def _table(shown: dict) -> None:
    say(f"{'SERVICE':<12}{'STATE':<12}{'PID':>8}{'UP':>10}{'MiB':>7}{'RESTARTS':>10}  URL")
    for name, entry in shown["services"].items():
        pid = entry["pid"] or "-"
        columns = f"{pid:>8}{entry['uptime_s']:>9.0f}s{entry['rss_mib']:>7}{entry['restarts']:>10}"
        reason = f"  ({entry['reason']})" if entry["reason"] else ""
        say(f"{name:<12}{entry['state']:<12}{columns}  {entry['url']}{reason}")
    say(f"The cloud is {shown['phase']}.")
    if shown["error"]:
        say(shown["error"])


def _add_logs(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("logs", help="show what a service says")
    parser.add_argument("service", help="its name, or devcloud for the supervisor")
    parser.add_argument("-n", "--lines", type=int, default=100, help="how many (%(default)s)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on showing")
    parser.set_defaults(command=logs)


def logs(layout: Layout, options: argparse.Namespace) -> int:
    """Show the end of a log."""
    file = layout.log / f"{options.service}.log"
    if not file.is_file():
        names = sorted(path.stem for path in layout.log.glob("*.log"))
        say(f"no log of {options.service}; there are: {', '.join(names) or 'none'}")
        return 1
    follow = ["-F"] if options.follow else []
    return subprocess.call(["tail", "-n", str(options.lines), *follow, str(file)])  # noqa: S603, S607


def _add_restart(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("restart", help="restart one service, after a change of its code")
    parser.add_argument("service")
    parser.set_defaults(command=restart)


def restart(layout: Layout, options: argparse.Namespace) -> int:
    """End a service's process and wait until the supervisor has brought it back."""
    content = board.read(layout)
    before = content["services"].get(options.service)
    if not board.supervisor(content) or not before or not before["pid"]:
        say(f"{options.service} does not run")
        return 1
    process.stop([i for i in board.processes(content) if i.pid == before["pid"]])
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        entry = board.read(layout)["services"][options.service]
        if entry["pid"] not in {None, before["pid"]} and entry["state"] == "healthy":
            say(f"{options.service} is healthy")
            return 0
        time.sleep(0.2)
    say(f"{options.service} is {entry['state']}: {entry['reason']}")
    return 1


def _add_reset(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("reset", help="stop everything and throw its data away")
    parser.add_argument("--hard", action="store_true", help="the saved golden state too")
    parser.set_defaults(command=reset)


def reset(layout: Layout, options: argparse.Namespace) -> int:
    """Go back to the seed at the next start."""
    down(layout, options)
    folders = [layout.root] if options.hard else [layout.state, layout.log]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    say("the next start begins with the seed")
    return 0


def _add_env(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("env", help='print variables for clients: eval "$(… env)"')
    parser.add_argument("--user", choices=("admin", "demo"), default="admin")
    parser.set_defaults(command=env)


def env(layout: Layout, options: argparse.Namespace) -> int:
    """Print export lines."""
    variables = {
        "OS_AUTH_TYPE": "password",
        "OS_AUTH_URL": layout.auth_url,
        "OS_USERNAME": options.user,
        "OS_PASSWORD": PASSWORD,
        "OS_PROJECT_NAME": options.user,
        "OS_USER_DOMAIN_NAME": "Default",
        "OS_PROJECT_DOMAIN_NAME": "Default",
        "OS_REGION_NAME": REGION,
        "OS_IDENTITY_API_VERSION": "3",
        "OS_CLIENT_CONFIG_FILE": str(layout.clouds_yaml),
        "KUBECONFIG": str(layout.kubeconfig),
        "no_proxy": "127.0.0.1,localhost",
    }
    for name, value in variables.items():
        say(f"export {name}={value}")
    say("unset OS_CLOUD")
    return 0


def _add_seed(commands: argparse._SubParsersAction) -> None:
    commands.add_parser("seed", help="make what is missing of the seed").set_defaults(command=seed)


def seed(layout: Layout, _options: argparse.Namespace) -> int:
    """Run every step of the seed against the running cloud."""
    from devcloud import seed as steps  # noqa: PLC0415

    running = board.status(layout)["services"]
    for step in steps.STEPS:
        if running.get(step.of, {}).get("state") != "healthy":
            say(f"{step.name}: skipped, as {step.of} does not run")
            continue
        argv = [sys.executable, "-m", "devcloud.seed", step.name]
        environment = process.environment(layout, shims=False)
        if code := subprocess.call(argv, cwd=REPOSITORY, env=environment):  # noqa: S603
            return code
        say(f"{step.name}: done")
    return 0

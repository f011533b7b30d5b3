"""Ironic: API and conductor in its own single process, without forking."""

from devcloud.launch import common


def main() -> None:
    """Run the stock single process."""
    common.prepare("ironic", config="ironic")
    import ironic.command  # noqa: F401 - selects the threading backend, so it comes first
    from ironic.command import singleprocess
    from ironic.common import service, utils

    # On SQLite Ironic stops its conductor's heartbeat, and then lists the conductor as dead.
    utils.is_ironic_using_sqlite = lambda: False
    launcher = service.process_launcher
    service.process_launcher = lambda **kw: launcher(**{**kw, "no_fork": True})
    singleprocess.main()


if __name__ == "__main__":
    main()

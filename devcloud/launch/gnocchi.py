"""Gnocchi: API, measure processor and janitor in one process."""

import threading

from devcloud.launch import common


def main() -> None:
    """Serve the API beside the two workers."""
    layout = common.prepare("gnocchi-api", config="gnocchi")
    from gnocchi.cli import api, metricd
    from gnocchi.rest import app

    conf = api.prepare_service()
    application = app.load_app(conf)
    for worker in (metricd.MetricProcessor, metricd.MetricJanitor):
        threading.Thread(target=worker(0, conf).run, daemon=True, name=worker.__name__).start()
    common.serve(layout, ("gnocchi", application))


if __name__ == "__main__":
    main()

"""Aodh: API, evaluator and notifier in one process."""

from devcloud.launch import common


def main() -> None:
    """Serve the API beside the two workers."""
    layout = common.prepare("aodh-api", config="aodh")
    from aodh import evaluator, notifier, service
    from aodh.api import app

    from devcloud.shims import aodh_gnocchi

    aodh_gnocchi.install()
    conf = service.prepare_service(with_gmr=False, prog="aodh-api")
    application = app.load_app(conf)
    # The notifier listens before the evaluator speaks: in memory, a message to nobody is lost.
    workers = [notifier.AlarmNotifierService(0, conf), evaluator.AlarmEvaluationService(0, conf)]
    common.serve(layout, ("aodh", application), threads=4)
    del workers


if __name__ == "__main__":
    main()

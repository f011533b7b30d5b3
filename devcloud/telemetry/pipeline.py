"""The sample pipeline of the released Ceilometer, inside a process that is not Ceilometer's."""

import logging
import typing
from pathlib import Path

from ceilometer import keystone_client, opts, sample
from ceilometer.pipeline.sample import SamplePipelineManager
from oslo_config import cfg
from oslo_log import log

LOG = logging.getLogger(__name__)

Message = dict[str, typing.Any]
Endpoints = list[typing.Any]

_TIMEOUT_SECONDS = 30


def configuration(file: Path) -> cfg.ConfigOpts:
    """Return Ceilometer's configuration.

    It does what ``ceilometer.service.prepare_service`` does, less what belongs to a process of its own: logging,
    signal handlers, a transport.
    """
    conf = cfg.ConfigOpts()
    for group, options in opts.list_opts():
        conf.register_opts(list(options), group=None if group == "DEFAULT" else group)
    keystone_client.register_keystoneauth_opts(conf)
    log.register_options(conf)
    conf([], project="ceilometer", default_config_files=[str(file)])
    keystone_client.post_register_keystoneauth_opts(conf)
    conf.set_override("timeout", _TIMEOUT_SECONDS, group="service_credentials")
    sample.setup(conf)
    return conf


def endpoints(conf: cfg.ConfigOpts) -> Endpoints:
    """Return what turns notifications into samples and hands them to the pipeline's publishers."""
    return SamplePipelineManager(conf).get_main_endpoints()


def deliver(targets: Endpoints, messages: list[Message]) -> None:
    """Give each endpoint the messages that it listens to; one that fails is in nobody's way."""
    for target in targets:
        chosen = [message for message in messages if _wants(target, message)]
        if not chosen:
            continue
        try:
            target.info(chosen)
        except Exception:  # the other endpoints' samples are no worse for it
            LOG.exception("Ceilometer's endpoint %s lost %d notifications", type(target).__name__, len(chosen))


def _wants(target: typing.Any, message: Message) -> bool:
    if not hasattr(target, "info"):
        return False
    rule = getattr(target, "filter_rule", None)
    parts = ("ctxt", "publisher_id", "event_type", "metadata", "payload")
    return rule is None or bool(rule.match(*(message[part] for part in parts)))

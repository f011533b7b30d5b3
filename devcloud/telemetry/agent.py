"""Ceilometer's sample pipeline as objects of this process: no agent, no broker.

It does what ``ceilometer.service.prepare_service`` does, less what belongs to a process of its own: logging, signal
handlers, messaging.
"""

import typing
from collections.abc import Iterable, Mapping
from pathlib import Path

from ceilometer import keystone_client, opts, sample
from ceilometer.pipeline import sample as pipeline
from oslo_config import cfg
from oslo_log import log

Message = Mapping[str, typing.Any]

_TIMEOUT_SECONDS = 30


def configuration(file: Path) -> cfg.ConfigOpts:
    """Read a ``ceilometer.conf`` without touching the process's global configuration."""
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


def endpoints(conf: cfg.ConfigOpts) -> list[typing.Any]:
    """Return the endpoints that turn notifications into samples and publish them."""
    return list(pipeline.SamplePipelineManager(conf).get_main_endpoints())


def deliver(targets: Iterable[typing.Any], messages: Iterable[Message]) -> None:
    """Give each endpoint the messages that it asks for.

    Args:
        targets: what ``endpoints`` returned.
        messages: notifications, each with ctxt, publisher_id, event_type, metadata and payload.
    """
    found = list(messages)
    for target in targets:
        wanted = [message for message in found if _wants(target, message)]
        if wanted and hasattr(target, "info"):
            target.info(wanted)


def _wants(target: typing.Any, message: Message) -> bool:
    rule = getattr(target, "filter_rule", None)
    if rule is None:
        return True
    keys = ("ctxt", "publisher_id", "event_type", "metadata", "payload")
    return bool(rule.match(*(message[key] for key in keys)))

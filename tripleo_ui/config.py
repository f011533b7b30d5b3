"""Every setting of ours: its type, its default, and one line that says what it does.

A value comes from the Django setting ``TRIPLEO_UI`` (a dict in ``local_settings.py``) where Django is there,
else from the environment (``TRIPLEO_UI_DATABASE_URL``), else from the default.
"""

import os
import sys
import typing
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path


def _setting(default: typing.Any, doc: str) -> typing.Any:
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True)
class Settings:
    """The settings, by their lower-case names; ``TRIPLEO_UI`` and the environment use the upper-case ones."""

    database_url: str = _setting(
        f"sqlite:///{Path.cwd() / 'tripleo_ui.sqlite'}",
        "SQLAlchemy URL of the database for requests, events, locks and drafts.",
    )
    auth_url: str = _setting("", "Keystone URL with its version, which a conductor signs in to.")
    service_username: str = _setting("tripleo_ui", "User that trusts are given to.")
    service_password: str = _setting("", "Password of that user; only a conductor needs it.")
    service_user_domain: str = _setting("Default", "Domain of that user.")
    service_user_id: str = _setting(
        "", "Id of that user; when empty, pages look it up as the person, who must be allowed to."
    )
    service_project: str = _setting("service", "Project of that user.")
    service_project_domain: str = _setting("Default", "Domain of that project.")
    region: str = _setting("RegionOne", "Region whose endpoints a conductor uses.")
    interface: str = _setting("public", "Endpoint interface: public, internal or admin.")
    ca_cert: str = _setting("", "CA bundle that verifies the services; empty: the system's.")
    connect_timeout: float = _setting(5.0, "Seconds to wait for a connection to a service.")
    read_timeout: float = _setting(30.0, "Seconds to wait for a service's answer.")
    lease_seconds: float = _setting(15.0, "How long a silent conductor keeps its requests.")
    poll_seconds: float = _setting(2.0, "Seconds between two looks at a long operation.")
    workers: int = _setting(16, "Requests that one conductor carries out at once.")
    step_deadline_seconds: float = _setting(3600.0, "Longest time of one step of a request.")
    project_share: float = _setting(0.5, "Share of a conductor's workers that the requests of one project may have.")
    board_url: str = _setting("", "Redis URL of the board that conductors share; empty: the database is the board.")
    queue_expiry_seconds: float = _setting(86400.0, "Age at which a request that nobody started fails.")
    stuck_seconds: float = _setting(
        120.0, "Health: how long something may wait that a conductor should have taken, or a lease be over."
    )
    retention_days: float = _setting(365.0, "Age at which requests that have ended may be purged; 0 keeps them.")
    metrics_token: str = _setting("", "Bearer token that opens the dashboard's metrics; empty: there are none.")
    notify: str = _setting("", "Channels that are told of events, separated by commas: webhook, email, or your own.")
    notify_events: str = _setting(
        "ended,needs-attention,stalled", "What they are told of: ended, or names of states such as failed or queued."
    )
    webhook_url: str = _setting("", "Where the webhook posts to: https, or http on loopback.")
    webhook_secret: str = _setting("", "Key that signs what the webhook posts; only a conductor needs it.")
    notify_email_to: str = _setting("", "Addresses that e-mail goes to, separated by commas.")
    services_path: str = _setting("", "Folders, separated as in PATH, with an operator's own cloud services.")
    kubeconfig: str = _setting("", "Kubeconfig with the clusters that orders go to; empty: the usual place.")
    clusters: str = _setting(
        "", "Contexts of it, separated by commas, as NAME or NAME=CONTEXT; empty: nothing can be ordered from clusters."
    )
    cluster_user: str = _setting(
        "",
        "Whom a cluster sees: a pattern such as {user_name} or openstack-{user_id}, which the context's user "
        "impersonates; empty: the context's user itself.",
    )
    cluster_namespaces: str = _setting(
        "",
        "Namespaces of projects: PROJECT_ID=NAMESPACE or PROJECT_ID=CLUSTER/NAMESPACE, separated by commas; the label "
        "tripleo-ui/project=PROJECT_ID on a namespace says the same.",
    )
    cluster_create_namespaces: int = _setting(0, "1: who orders may have a new namespace made for the project.")
    plan_container_prefix: str = _setting("overcloud-plan-", "Swift containers with this prefix hold plans.")


class _Lazy:
    """Reads the settings at first use, so that importing a module needs no configured Django."""

    @cached_property
    def _values(self) -> Settings:
        return load()

    def __getattr__(self, name: str) -> typing.Any:
        return getattr(self._values, name)


def load() -> Settings:
    """Read all settings now.

    Raises:
        ValueError: a name that is no setting, or a value of the wrong type.
    """
    given = dict(_from_django())
    types = {f.name: f.type for f in fields(Settings)}
    if unknown := sorted(set(given) - {name.upper() for name in types}):
        raise ValueError(f"TRIPLEO_UI has no setting {', '.join(unknown)}")
    values = {}
    for name, kind in types.items():
        source = name.upper()
        raw = given.get(source, os.environ.get(f"TRIPLEO_UI_{source}"))
        if raw is not None:
            values[name] = _convert(source, kind, raw)
    return Settings(**values)


def _convert(name: str, kind: typing.Any, raw: typing.Any) -> typing.Any:
    try:
        return kind(raw)
    except (TypeError, ValueError) as error:
        raise ValueError(f"TRIPLEO_UI[{name!r}] must be {kind.__name__}, not {raw!r}") from error


def _from_django() -> typing.Mapping[str, typing.Any]:
    if "django.conf" not in sys.modules:
        return {}
    from django.conf import settings as django_settings  # noqa: PLC0415

    if not (django_settings.configured or os.environ.get("DJANGO_SETTINGS_MODULE")):
        return {}
    return getattr(django_settings, "TRIPLEO_UI", {})


settings: Settings = typing.cast("Settings", _Lazy())

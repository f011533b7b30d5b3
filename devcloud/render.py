"""Writes the services' configuration files from the templates beside this module."""

import shutil
import sys
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template

from devcloud.layout import HOST, PASSWORD, REGION, Layout

TEMPLATES = Path(__file__).parent / "templates"

# Name of the one host that the services of each process say they run on.
COMPUTE_HOST = "cloudlet"
# Hosts with a fake hypervisor each: enough of them that where a server goes is a choice.
COMPUTE_HOSTS = (COMPUTE_HOST, "cloudlet-2", "cloudlet-3")

_CREDENTIALS = """\
auth_type = password
auth_url = {auth_url}
username = {user}
password = {password}
project_name = service
user_domain_name = Default
project_domain_name = Default
region_name = {region}
"""

_TOKENS = """\
[keystone_authtoken]
www_authenticate_uri = {auth_url}
{credentials}service_token_roles = service
service_token_roles_required = true
token_cache_time = 60
"""


class Values(Mapping[str, str]):
    """What a template may name: fixed values, and families such as ``port_nova`` or ``authtoken_heat``."""

    def __init__(self, layout: Layout):
        self._layout = layout
        self._fixed = {
            "auth_url": layout.auth_url,
            "common": "debug = false\nuse_stderr = true\n",
            "compute_host": COMPUTE_HOST,
            "etc": str(layout.etc),
            "host": HOST,
            "password": PASSWORD,
            "prefix": str(layout.prefix),
            "python": sys.executable,
            "region": REGION,
            "root": str(layout.root),
            "state": str(layout.state),
            # Fixed keys: a golden state must stay readable after a restart.
            "fixed_key": uuid.uuid5(uuid.NAMESPACE_DNS, "devcloud").hex,
        }
        self._families = {
            "auth": self._credentials,
            "authtoken": lambda user: _TOKENS.format(auth_url=layout.auth_url, credentials=self._credentials(user)),
            "db": layout.database,
            "port": lambda name: str(layout.port(name)),
            "url": layout.url,
        }

    def _credentials(self, user: str) -> str:
        return _CREDENTIALS.format(auth_url=self._layout.auth_url, user=user, password=PASSWORD, region=REGION)

    def __getitem__(self, key: str) -> str:
        if key in self._fixed:
            return self._fixed[key]
        family, _, name = key.partition("_")
        if family not in self._families:
            raise KeyError(key)
        return self._families[family](name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fixed)

    def __len__(self) -> int:
        return len(self._fixed)


def write_all(layout: Layout) -> None:
    """Write every configuration file, replacing what an earlier start left.

    Raises:
        KeyError: a template names an unknown value.
    """
    shutil.rmtree(layout.etc, ignore_errors=True)
    values = Values(layout)
    for source in sorted(TEMPLATES.rglob("*")):
        if source.is_file():
            target = layout.etc / source.relative_to(TEMPLATES)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(Template(source.read_text()).substitute(values))
    _write_paste_files(layout)
    (layout.etc / "mkisofs").chmod(0o755)
    shutil.copyfile(layout.etc / "clouds.yaml", layout.clouds_yaml)
    layout.clouds_yaml.chmod(0o600)


def _write_paste_files(layout: Layout) -> None:
    """Gnocchi's and Aodh's token filters know only a default path: tell them the configuration file's."""
    import aodh.api  # noqa: PLC0415 - two packages of the devcloud extra, needed only to find their files
    import gnocchi.rest  # noqa: PLC0415

    for name, package in (("aodh", aodh.api), ("gnocchi", gnocchi.rest)):
        project = f"oslo_config_project = {name}"
        text = (Path(package.__file__).parent / "api-paste.ini").read_text()
        if project not in text:
            raise ValueError(f"{name}'s api-paste.ini has no line {project!r}: this version is unknown")
        file = f"oslo_config_file = {layout.etc / name / name}.conf"
        (layout.etc / name / "api-paste.ini").write_text(text.replace(project, f"{project}\n{file}"))

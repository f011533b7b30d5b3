"""Connects to the cloud as the administrator."""

import openstack
from openstack.connection import Connection

from devcloud.layout import PASSWORD, REGION, Layout


def connect(layout: Layout, project: str = "admin", user: str = "admin", password: str = PASSWORD) -> Connection:
    """Return an SDK connection that reads neither files nor the environment."""
    return openstack.connect(
        load_yaml_config=False,
        load_envvars=False,
        auth_url=layout.auth_url,
        username=user,
        password=password,
        project_name=project,
        user_domain_name="Default",
        project_domain_name="Default",
        region_name=REGION,
        api_timeout=60,
    )

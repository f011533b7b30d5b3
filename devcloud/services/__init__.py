"""Every service of the cloud: one small module says what each needs and how one sees that it works."""

from devcloud.services import (
    aodh,
    cinder,
    clusters,
    glance,
    gnocchi,
    heat,
    horizon,
    ironic,
    keystone,
    neutron,
    nova,
    orchestrator,
    placement,
    swift,
    telemetry,
)
from devcloud.services.base import Service

# In the order in which they are listed and, where nothing else decides, started.
ALL: tuple[Service, ...] = (
    keystone.SERVICE,
    ironic.SERVICE,
    neutron.SERVICE,
    placement.SERVICE,
    glance.SERVICE,
    nova.SERVICE,
    heat.SERVICE,
    swift.SERVICE,
    gnocchi.SERVICE,
    cinder.SERVICE,
    aodh.SERVICE,
    horizon.SERVICE,
    orchestrator.SERVICE,
    telemetry.SERVICE,
    clusters.OPENSHIFT,
    clusters.KUBERNETES,
)

"""The client of Cinder: marks on volumes, even where the filter by metadata is closed."""

import pytest

from tests.fakes.infrastructure import InstanceCloud
from tripleo_ui.services.errors import ServiceError
from tripleo_ui.services.nova import Limit


@pytest.fixture
def fake():
    return InstanceCloud()


@pytest.fixture
def cinder(fake):
    return fake.cloud().cinder


def test_volumes_are_found_by_their_mark_and_no_others(fake, cinder):
    ours = cinder.create("r1", {"name": "web", "size": 1}, delete=True)
    kept = cinder.create("r1", {"name": "web", "size": 1}, delete=False)
    cinder.create("r2", {"name": "web", "size": 1}, delete=True)
    assert {volume.id: volume.goes_along for volume in cinder.marked("r1")} == {ours: True, kept: False}


def test_marks_are_looked_at_where_cinder_does_not_filter(fake, cinder):
    ours = cinder.create("r1", {"name": "web", "size": 1}, delete=True)
    cinder.create("r2", {"name": "web", "size": 1}, delete=True)
    everything = ("GET", r"/volumes/detail", lambda _call: {"volumes": list(fake.made.volumes.values())})
    fake._routes["cinder"].insert(0, everything)
    assert [volume.id for volume in cinder.marked("r1")] == [ours]


def test_volume_that_is_gone_is_none_and_needs_no_deletion(cinder):
    volume = cinder.create("r1", {"name": "web", "size": 1}, delete=True)
    cinder.delete(volume)
    cinder.delete(volume)
    assert cinder.volume(volume) is None


def test_attached_volume_is_refused(fake, cinder):
    volume = cinder.create("r1", {"name": "web", "size": 1}, delete=True)
    fake.made.volumes[volume]["status"] = "in-use"
    with pytest.raises(ServiceError, match="attached"):
        cinder.delete(volume)


def test_quotas_types_and_zones(fake, cinder):
    fake.made.volume_quota, fake.made.gigabyte_quota = 4, 40
    cinder.create("r1", {"name": "web", "size": 3}, delete=True)
    assert cinder.limits() == {"volumes": Limit(1, 4), "gigabytes": Limit(3, 40)}
    assert (cinder.types(), cinder.zones()) == ({"type-1": "fast"}, ("nova",))

"""Questions to services: what counts as an answer."""

import pytest
import requests

from devcloud import services
from devcloud.layout import Layout
from devcloud.probe import NotReady, Probe, require
from devcloud.render import COMPUTE_HOSTS

BASE = "http://127.0.0.1:30001/v3"


@pytest.fixture
def probe(tmp_path, requests_mock):
    """A probe of a cloud whose Keystone issues tokens."""
    token = {
        "token": {
            "methods": ["password"],
            "expires_at": "2999-01-01T00:00:00.000000Z",
            "issued_at": "2026-01-01T00:00:00.000000Z",
            "project": {"id": "p1", "name": "admin", "domain": {"id": "d", "name": "Default"}},
            "user": {"id": "u1", "name": "admin", "domain": {"id": "d", "name": "Default"}},
        }
    }
    requests_mock.post(f"{BASE}/auth/tokens", json=token, headers={"X-Subject-Token": "t1"}, status_code=201)
    requests_mock.get(BASE, json={"version": {"id": "v3.14", "links": [{"rel": "self", "href": BASE}]}})
    return Probe(Layout(tmp_path, 30000))


CONDUCTORS = {"conductors": [{"hostname": "cloudlet", "alive": True}]}
DRIVERS = {"drivers": [{"name": "fake-hardware"}, {"name": "simulated"}]}
NOVA_UP = [
    {"binary": binary, "host": host, "state": "up"}
    for binary, host in (
        ("nova-conductor", "cloudlet"),
        ("nova-scheduler", "cloudlet"),
        *(("nova-compute", host) for host in COMPUTE_HOSTS),
        ("nova-compute", "undercloud"),
    )
]
KINDS = [{"hypervisor_type": "fake"}, {"hypervisor_type": "ironic"}]
CINDER_UP = [{"binary": name, "state": "up"} for name in ("cinder-scheduler", "cinder-volume")]
LOGIN = '<link href="/static/dashboard/css/output.1.css"><input name="username">'

# Service, port, answers by path, and those of a service that is not ready, with what is said of it.
CASES = [
    ("heat", 6, {"/v1/p1/services": {"services": [{"binary": "heat-engine", "status": "up"}]}}),
    ("glance", 8, {"/v2/images?limit=1": {"images": []}}),
    ("ironic", 9, {"/v1/conductors": CONDUCTORS, "/v1/drivers": DRIVERS}),
    ("placement", 10, {"/resource_providers": {"resource_providers": []}}),
    ("neutron", 11, {"/v2.0/networks?fields=id": {"networks": []}}),
    ("cinder", 12, {"/v3/p1/os-services": {"services": CINDER_UP}}),
    ("nova", 13, {"/v2.1/os-services": {"services": NOVA_UP}, "/v2.1/os-hypervisors/detail": {"hypervisors": KINDS}}),
    ("gnocchi", 14, {"/v1/status?details=false": {"storage": {}}, "/v1/archive_policy": [{"name": "low"}]}),
    ("aodh", 15, {"/v2/alarms": []}),
]
FAULTS = [
    ("heat", 6, {"/v1/p1/services": {"services": [{"binary": "heat-engine", "status": "down"}]}}, "no engine is up"),
    ("ironic", 9, {"/v1/conductors": {"conductors": [{"alive": False}]}, "/v1/drivers": DRIVERS}, "no conductor"),
    ("ironic", 9, {"/v1/conductors": CONDUCTORS, "/v1/drivers": {"drivers": []}}, "no driver named simulated"),
    ("cinder", 12, {"/v3/p1/os-services": {"services": CINDER_UP[1:]}}, "not up: cinder-scheduler"),
    ("nova", 13, {"/v2.1/os-services": {"services": NOVA_UP[:-1]}}, "not up: nova-compute on undercloud"),
    (
        "nova",
        13,
        {"/v2.1/os-services": {"services": NOVA_UP}, "/v2.1/os-hypervisors/detail": {"hypervisors": KINDS[:1]}},
        "hypervisors listed: fake",
    ),
    ("gnocchi", 14, {"/v1/status?details=false": {"storage": {}}, "/v1/archive_policy": []}, "no archive policies"),
]


def _check(name):
    return next(service.check for service in services.ALL if service.name == name)


def _serve(requests_mock, port, answers):
    for path, body in answers.items():
        requests_mock.get(f"http://127.0.0.1:{30000 + port}{path}", json=body)


@pytest.mark.parametrize(("name", "port", "answers"), CASES)
def test_ready(probe, requests_mock, name, port, answers):
    _serve(requests_mock, port, answers)
    _check(name)(probe)
    asked = {request.port for request in requests_mock.request_history}
    assert 30000 + port in asked


@pytest.mark.parametrize(("name", "port", "answers", "says"), FAULTS)
def test_answering_is_not_being_ready(probe, requests_mock, name, port, answers, says):
    _serve(requests_mock, port, answers)
    with pytest.raises(NotReady, match=says):
        _check(name)(probe)


@pytest.mark.parametrize("name", ["heat", "glance", "ironic", "nova", "gnocchi", "swift"])
@pytest.mark.parametrize(
    "fault",
    [{"status_code": 503}, {"exc": requests.exceptions.ConnectTimeout}, {"exc": requests.exceptions.ConnectionError}],
)
def test_no_answer_is_not_ready(probe, requests_mock, name, fault):
    requests_mock.register_uri("GET", requests_mock_any_service(), **fault)
    requests_mock.register_uri("PUT", requests_mock_any_service(), **fault)
    requests_mock.get(BASE, json={"version": {"id": "v3.14", "links": [{"rel": "self", "href": BASE}]}})
    with pytest.raises(NotReady):
        _check(name)(probe)


def requests_mock_any_service():
    import re

    return re.compile(r"http://127\.0\.0\.1:300(0[2-9]|1\d)/")


def test_a_page_that_is_no_json_is_not_ready(probe, requests_mock):
    requests_mock.get("http://127.0.0.1:30008/v2/images?limit=1", text="<html>starting</html>")
    with pytest.raises(NotReady, match="no JSON"):
        _check("glance")(probe)


def test_keystone_must_issue_a_new_token_each_time(probe, requests_mock):
    for _ in range(3):
        _check("keystone")(probe)
    issued = [request for request in requests_mock.request_history if request.method == "POST"]
    assert len(issued) == 3
    requests_mock.post(f"{BASE}/auth/tokens", status_code=500)
    with pytest.raises(NotReady):
        _check("keystone")(probe)


def test_swift_must_take_an_object(probe, requests_mock):
    container = "http://127.0.0.1:30002/v1/AUTH_p1/devcloud-check"
    requests_mock.put(container, status_code=201)
    requests_mock.put(f"{container}/object", status_code=201)
    requests_mock.delete(f"{container}/object", status_code=204)
    _check("swift")(probe)
    requests_mock.put(f"{container}/object", status_code=503)
    with pytest.raises(NotReady):
        _check("swift")(probe)


@pytest.mark.parametrize(
    ("page", "sheet", "says"),
    [
        (LOGIN, 200, ""),
        (LOGIN, 404, "HTTPError"),
        ("<h1>Something went wrong</h1>", 200, "no field for the user name"),
        ('<input name="username">', 200, "no compressed style sheet"),
    ],
)
def test_horizon_must_show_its_login_page_with_style(probe, requests_mock, page, sheet, says):
    requests_mock.get("http://127.0.0.1:30000/auth/login/", text=page)
    requests_mock.get("http://127.0.0.1:30000/static/dashboard/css/output.1.css", status_code=sheet)
    if not says:
        _check("horizon")(probe)
        return
    with pytest.raises(NotReady, match=says):
        _check("horizon")(probe)


def test_require():
    require(True, "x")
    with pytest.raises(NotReady, match="x"):
        require(False, "x")


def test_what_a_process_said_before_its_restart_does_not_count(probe):
    log = probe.layout.log / "conductor.log"
    with pytest.raises(NotReady, match="no log"):
        _check("conductor")(probe)
    log.parent.mkdir()
    log.write_text("--- started 1 ---\nconductor devcloud is ready\n")
    _check("conductor")(probe)
    with log.open("a") as file:
        file.write("--- started 2 ---\n")
    with pytest.raises(NotReady, match="has not said yet"):
        _check("conductor")(probe)
    with log.open("a") as file:
        file.write("conductor devcloud is ready\n")
    _check("conductor")(probe)

"""Each service of the shared cloud does its work, and where a shim stands in, what it stands in for works."""

import datetime as dt
import json
import sqlite3
import subprocess
import uuid
from urllib.parse import urlsplit

import openstack
import pytest

from devcloud import seed
from devcloud.render import COMPUTE_HOSTS
from devcloud.seed.hardware import KINDS
from tests.cloud import devcloud, wait_until

COMPUTE = {"OpenStack-API-Version": "compute 2.53"}


@pytest.fixture
def name():
    return f"test-{uuid.uuid4().hex[:8]}"


def _answer(reply):
    """Return the JSON of an answer that must be a success."""
    assert reply.ok, f"{reply.request.method} {reply.url}: {reply.status_code} {reply.text[:500]}"
    return reply.json() if reply.content else None


def test_every_service_is_healthy(cloud):
    shown = cloud.status()
    assert shown["healthy"], shown
    wanted = "keystone swift heat glance gnocchi ironic placement neutron cinder nova aodh horizon"
    assert set(wanted.split()) <= set(shown["services"])
    for service, entry in shown["services"].items():
        assert entry["state"] == "healthy", service
        assert entry["pid"] > 1
        assert entry["uptime_s"] > 0
        assert entry["rss_mib"] > 20
        assert entry["restarts"] >= 0
        assert not entry["url"] or urlsplit(entry["url"]).hostname == "127.0.0.1"


def test_everything_listens_on_loopback_only(cloud):
    import psutil

    pids = {entry["pid"] for entry in cloud.status()["services"].values()}
    listening = [c for c in psutil.net_connections("inet") if c.status == psutil.CONN_LISTEN and c.pid in pids]
    assert listening
    assert {c.laddr.ip for c in listening} == {"127.0.0.1"}


@pytest.mark.parametrize("user", ["devcloud", "devcloud-demo"])
def test_clients_configuration_works(cloud, user, monkeypatch):
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(cloud.layout.clouds_yaml))
    assert [n.name for n in openstack.connect(cloud=user).network.networks(name="ctlplane")] == ["ctlplane"]


def test_system_scope_lists_drivers(cloud, monkeypatch):
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(cloud.layout.clouds_yaml))
    drivers = openstack.connect(cloud="devcloud-system").baremetal.drivers()
    assert "simulated" in {driver.name for driver in drivers}


def test_variables_for_a_shell_work(cloud):
    script = f"{devcloud('env').stdout}\nexec openstack token issue -f value -c project_id"
    path = f"{subprocess.sys.prefix}/bin:/usr/bin:/bin"
    done = subprocess.run(
        ["/bin/sh", "-c", script], env={"PATH": path}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.strip()) == 32


def test_seed_again_changes_nothing(cloud, admin):
    def count():
        """What the seed makes, by name; others may be at work on the shared cloud."""
        nodes = [node for node in admin.baremetal.nodes() if node.name in names]
        domain = admin.identity.find_domain("Default").id
        made = {
            "users": admin.identity.users(domain_id=domain),
            "images": admin.image.images(visibility="public"),
            "flavors": admin.compute.flavors(),
            "networks": admin.network.networks(name="ctlplane"),
            "nodes": nodes,
            "types": admin.block_storage.types(),
        }
        counted = {kind: sorted(thing.name for thing in things) for kind, things in made.items()}
        ports = [len(list(admin.baremetal.ports(node=node.id))) for node in nodes]
        return {**counted, "ports": ports, "endpoints": len(list(admin.identity.endpoints()))}

    names = {f"{kind.name}-{number}" for kind in KINDS for number in range(kind.count)}
    before = count()
    done = devcloud("seed")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [f"{step.name}: done" for step in seed.STEPS]
    assert count() == before


def test_users_have_what_they_need_and_no_more(admin):
    def roles(user, project):
        return {
            a.role["name"]
            for a in admin.identity.role_assignments(
                user_id=admin.identity.find_user(user).id,
                scope_project_id=admin.identity.find_project(project).id,
                include_names=True,
            )
        }

    assert roles("demo", "demo") == {"member", "heat_stack_owner"}
    assert roles("tripleo_ui", "service") == {"service"}
    assert "admin" in roles("admin", "admin")


def test_a_trust_can_be_given_on(cloud, admin):
    """The orchestrator's user acts for a person, and Heat makes trusts of its own from that."""
    trustee = admin.identity.find_user("tripleo_ui")
    body = {
        "trustor_user_id": admin.current_user_id,
        "trustee_user_id": trustee.id,
        "project_id": admin.current_project_id,
        "impersonation": True,
        "allow_redelegation": True,
        "redelegation_count": 1,
        "roles": [{"name": "admin"}],
    }
    trust = _answer(admin.identity.post("/OS-TRUST/trusts", json={"trust": body}))["trust"]
    try:
        actor = openstack.connect(
            load_yaml_config=False,
            load_envvars=False,
            auth_url=cloud.layout.auth_url,
            username="tripleo_ui",
            password="secret",
            user_domain_name="Default",
            trust_id=trust["id"],
            region_name="RegionOne",
        )
        assert actor.current_project_id == admin.current_project_id
        assert len(list(actor.baremetal.nodes())) >= 16
    finally:
        admin.identity.delete(f"/OS-TRUST/trusts/{trust['id']}")


def test_flavors_have_the_sizes_of_nodes_and_ask_for_their_class(admin):
    flavors = {flavor.name: flavor for flavor in admin.compute.flavors(get_extra_specs=True)}
    for kind in KINDS:
        flavor = flavors[kind.name]
        assert (flavor.vcpus, flavor.ram, flavor.disk) == (kind.cpus, kind.memory_mb, kind.local_gb)
        assert flavor.extra_specs[f"resources:{kind.placement_class}"] == "1"
        assert flavor.extra_specs["resources:VCPU"] == "0"
    assert {"m1.small", "m1.medium"} <= set(flavors)


def test_nova_has_both_kinds_of_host(admin):
    hypervisors = _answer(admin.compute.get("/os-hypervisors/detail", headers=COMPUTE))["hypervisors"]
    kinds = [hypervisor["hypervisor_type"] for hypervisor in hypervisors]
    assert kinds.count("fake") == len(COMPUTE_HOSTS)
    assert kinds.count("ironic") >= sum(kind.count for kind in KINDS)


def test_swift_keeps_every_version_of_an_object(admin, name):
    path = f"/{name}"
    api = admin.object_store
    assert api.put(path, headers={"X-Versions-Enabled": "true"}).ok
    for text in ("first", "second"):
        assert api.put(f"{path}/plan.yaml", data=text).ok
    versions = _answer(api.get(f"{path}?versions=true&format=json"))
    assert len(versions) == 2
    oldest = min(versions, key=lambda version: version["last_modified"])
    assert api.get(f"{path}/plan.yaml?version-id={oldest['version_id']}").text == "first"
    for version in versions:
        assert api.delete(f"{path}/plan.yaml?version-id={version['version_id']}").ok
    assert api.delete(path).ok


def test_swift_refuses_a_write_over_a_newer_object(admin, name):
    api = admin.object_store
    assert api.put(f"/{name}").ok
    etag = api.put(f"/{name}/o", data="1").headers["ETag"]
    assert api.put(f"/{name}/o", data="2", headers={"If-None-Match": "*"}).status_code == 412
    assert api.get(f"/{name}/o", headers={"If-None-Match": etag}).status_code == 304
    assert api.delete(f"/{name}/o").ok
    assert api.delete(f"/{name}").ok


def test_cinder_makes_a_volume_and_lets_it_go(admin, name):
    volume = admin.block_storage.create_volume(size=1, name=name)
    volume = admin.block_storage.wait_for_status(volume, "available", failures=["error"], interval=0.5, wait=60)
    assert volume.volume_type == "memory"
    admin.block_storage.delete_volume(volume)
    admin.block_storage.wait_for_delete(volume, interval=0.5, wait=60)


def test_gnocchi_refuses_measures_of_an_unknown_resource(admin):
    """Ceilometer's publisher waits for this answer to create the resource; SQLite checks no foreign keys."""
    resource = str(uuid.uuid4())
    now = dt.datetime.now(dt.UTC).isoformat()
    measures = {"archive_policy_name": "low", "measures": [{"timestamp": now, "value": 1}]}
    path = "/v1/batch/resources/metrics/measures?create_metrics=true"
    reply = _metric(admin).post(path, json={resource: {"load": measures}}, raise_exc=False)
    assert reply.status_code == 400
    assert "Unknown resources" in reply.text
    assert resource in reply.text
    unknown = {"archive_policy_name": "no-such-policy"}
    assert _metric(admin).post("/v1/metric", json=unknown, raise_exc=False).status_code == 400


def _metric(admin):
    """Return an adapter for Gnocchi, which the SDK has no client for."""
    from keystoneauth1.adapter import Adapter

    return Adapter(admin.session, service_type="metric", interface="public", region_name="RegionOne")


def test_gnocchi_aggregates_measures_within_seconds(admin):
    api = _metric(admin)
    metrics = [_answer(api.post("/v1/metric", json={"archive_policy_name": "low"}))["id"] for _ in range(2)]
    now = dt.datetime.now(dt.UTC).isoformat()
    for metric, value in zip(metrics, (10, 30), strict=True):
        sent = api.post(f"/v1/metric/{metric}/measures", json=[{"timestamp": now, "value": value}])
        assert sent.status_code == 202
    operation = ["aggregate", "mean", ["metric", *([metric, "mean"] for metric in metrics)]]

    def read():
        reply = api.post("/v1/aggregates?details=false", json={"operations": operation}, raise_exc=False)
        return {row[2] for row in reply.json()["measures"]["aggregated"]} if reply.status_code == 200 else set()

    # One metric may be aggregated before the other one.
    wait_until(lambda: read() == {20.0}, "the mean of both is 20", seconds=60)
    for metric in metrics:
        api.delete(f"/v1/metric/{metric}")


def test_aodh_evaluates_an_alarm_over_several_metrics(admin, name):
    gnocchi = _metric(admin)
    policy = {"name": name, "definition": [{"granularity": "10s", "timespan": "1h"}], "aggregation_methods": ["mean"]}
    _answer(gnocchi.post("/v1/archive_policy", json=policy))
    metrics = [_answer(gnocchi.post("/v1/metric", json={"archive_policy_name": name}))["id"] for _ in range(2)]
    from keystoneauth1.adapter import Adapter

    aodh = Adapter(admin.session, service_type="alarming", interface="public")
    rule = {
        "metrics": metrics,
        "aggregation_method": "mean",
        "granularity": 10,
        "evaluation_periods": 1,
        "comparison_operator": "gt",
        "threshold": 80,
    }
    alarm = _answer(
        aodh.post(
            "/v2/alarms",
            json={
                "name": name,
                "type": "gnocchi_aggregation_by_metrics_threshold",
                "gnocchi_aggregation_by_metrics_threshold_rule": rule,
            },
        )
    )

    def fires():
        now = dt.datetime.now(dt.UTC).isoformat()
        for metric in metrics:
            gnocchi.post(f"/v1/metric/{metric}/measures", json=[{"timestamp": now, "value": 95}])
        return _answer(aodh.get(f"/v2/alarms/{alarm['alarm_id']}/state")) == "alarm"

    try:
        wait_until(fires, "the alarm fires", seconds=90, pause=2)
    finally:
        aodh.delete(f"/v2/alarms/{alarm['alarm_id']}")
        for metric in metrics:
            gnocchi.delete(f"/v1/metric/{metric}")
        gnocchi.delete(f"/v1/archive_policy/{name}")


GROUP = """
heat_template_version: 2021-04-16
parameters: {count: {type: number}}
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: count}
      resource_def: {type: OS::Heat::RandomString}
outputs: {values: {value: {get_attr: [group, value]}}}
"""


@pytest.mark.timeout(420)
def test_heat_groups_grow_and_shrink_without_leftovers(cloud, admin, name):
    """With reused ids groups skip members, outputs fail and deletes hang."""
    api = admin.orchestration

    def settled():
        found = api.get_stack(stack.id)
        assert not found.status.endswith("FAILED"), found.status_reason
        return found if found.status.endswith("COMPLETE") else None

    stack = api.create_stack(name=name, template=GROUP, parameters={"count": 3})
    for count in (3, 5, 2, 4):
        if count != 3:
            body = {"template": GROUP, "parameters": {"count": count}}
            assert api.put(f"/stacks/{name}/{stack.id}", json=body).status_code == 202
        made = wait_until(
            lambda count=count: (s := settled()) and s.parameters.get("count") == str(count) and s, f"{count} members"
        )
        values = made.outputs[0]["output_value"]
        assert len(values) == len(set(values)) == count
    api.delete_stack(stack)
    wait_until(
        lambda: not (found := api.find_stack(stack.id)) or found.status == "DELETE_COMPLETE", "the stack is deleted"
    )
    with sqlite3.connect(f"file:{cloud.layout.state / 'heat.sqlite'}?mode=ro", uri=True) as database:
        orphans = database.execute(
            "SELECT count(*) FROM resource_data WHERE resource_id NOT IN (SELECT id FROM resource)"
        ).fetchone()[0]
    database.close()
    assert orphans == 0


def test_heat_validates_and_previews(admin, name):
    api = admin.orchestration
    assert api.validate_template(GROUP)["Parameters"]["count"]["Type"] == "Number"
    body = {"stack_name": name, "template": GROUP, "parameters": {"count": 2}}
    preview = _answer(api.post("/stacks/preview", json=body))["stack"]
    assert json.dumps(preview).count("OS::Heat::RandomString") >= 2


def test_login_page_and_its_files(cloud):
    import re

    import requests

    base = cloud.layout.url("horizon")
    with requests.Session() as session:
        session.trust_env = False
        page = session.get(f"{base}/auth/login/", timeout=30)
        assert page.status_code == 200
        files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
        assert files
        for file in files:
            assert session.get(base + file, timeout=30).status_code == 200, file
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[1]
        form = {"csrfmiddlewaretoken": token, "username": "admin", "password": "secret", "region": "default"}
        home = session.post(f"{base}/auth/login/", data=form, headers={"Referer": f"{base}/auth/login/"}, timeout=60)
        assert home.status_code == 200
        assert "/auth/logout/" in home.text

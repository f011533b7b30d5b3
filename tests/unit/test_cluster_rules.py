"""Selectors, quantities, quotas, roles, kinds and history of the simulated cluster."""

from decimal import Decimal

import pytest

from devcloud.cluster import decoding, kinds, models, openapi, quota, rules, selectors
from devcloud.cluster.disk import Disk
from devcloud.cluster.entries import entry
from devcloud.cluster.errors import ApiError
from devcloud.cluster.history import Change, History
from devcloud.cluster.identity import User, impersonated, service_account
from devcloud.cluster.quantities import parse, show
from devcloud.cluster.rbac import Action, Permissions
from devcloud.cluster.resources import Registry, Resource
from devcloud.cluster.store import Store

REGISTRY = Registry(kinds.OPENSHIFT)
RBAC = "rbac.authorization.k8s.io"


@pytest.fixture
def store(tmp_path):
    found = Store(Disk(tmp_path / "objects.sqlite"))
    yield found
    found._disk.close()


def put(store, storage, name, namespace="ns", **content):
    metadata = {"name": name, "uid": f"{storage}/{name}", **content.pop("metadata", {})}
    if namespace:
        metadata["namespace"] = namespace
    return store.put(storage, {"metadata": metadata, **content})


# Selectors


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        ("", True),
        ("a=1", True),
        ("a==1,b=2", True),
        ("a=2", False),
        ("a!=2,c!=1", True),
        ("a in (1, 2),b notin (3)", True),
        ("c notin (1)", True),
        ("a,!c", True),
        ("!a", False),
        ("e.x/y=", True),
        ("a = 1", True),
    ],
)
def test_label_selectors(selector, matches):
    assert selectors.labels(selector)({"a": "1", "b": "2", "e.x/y": ""}) is matches


@pytest.mark.parametrize("selector", ["a=b=c", "a in 1", "=x", "a b"])
def test_a_selector_that_cannot_be_read_is_a_bad_request(selector):
    with pytest.raises(ApiError, match="unable to parse"):
        selectors.labels(selector)


def test_field_selectors_know_their_fields():
    known = {"metadata.name": ""}
    assert selectors.fields("metadata.name!=a", known)({"metadata.name": "b"})
    for selector in ("spec.x=1", "metadata.name"):
        with pytest.raises(ApiError):
            selectors.fields(selector, known)


# Quantities and quotas


@pytest.mark.parametrize(
    ("text", "amount"),
    [("500m", "0.5"), ("1Gi", "1073741824"), ("2k", "2000"), ("1e3", "1000"), (2, "2"), ("0.25", "0.25"), ("-1", "-1")],
)
def test_quantities(text, amount):
    assert parse(text) == Decimal(amount)


@pytest.mark.parametrize("text", ["", "1GB", "x", "1 Gi x"])
def test_what_is_no_quantity_is_refused(text):
    with pytest.raises(ValueError, match="no quantity"):
        parse(text)


@pytest.mark.parametrize(
    ("amount", "like", "text"),
    [("0.3", "500m", "300m"), ("0.3", "1", "300m"), ("2147483648", "4Gi", "2Gi"), ("2", "10", "2"), ("0", "1Gi", "0")],
)
def test_quantities_are_shown_like_another(amount, like, text):
    assert show(Decimal(amount), like) == text


def test_a_pod_uses_what_its_containers_ask_for_until_it_ends():
    def container(**resources):
        return {"name": "c", "resources": resources}

    limits = container(limits={"cpu": "1", "memory": "1Gi"})
    spec = {"containers": [container(requests={"cpu": "250m"}), limits]}
    used = quota.usage("pods", {"spec": spec})
    assert (used["pods"], used["requests.cpu"], used["limits.memory"]) == (1, Decimal("1.25"), 1024**3)
    assert "pods" not in quota.usage("pods", {"spec": spec, "status": {"phase": "Succeeded"}})


def test_the_quota_that_is_exceeded_is_named(store):
    put(store, "resourcequotas", "wide", spec={"hard": {"services": "9"}})
    put(store, "resourcequotas", "tight", spec={"hard": {"services.loadbalancers": "0", "services": "5"}})
    content = {"metadata": {"name": "s", "namespace": "ns"}, "spec": {"type": "LoadBalancer"}}
    with pytest.raises(ApiError, match=r"exceeded quota: tight, requested: services\.loadbalancers=1, used: .*=0"):
        quota.check(store, REGISTRY.named("services"), content)
    content["spec"]["type"] = "ClusterIP"
    quota.check(store, REGISTRY.named("services"), content)


# Roles


@pytest.fixture
def permissions(store):
    def role(storage, name, *rules, namespace=""):
        put(store, f"{storage}.{RBAC}", name, namespace, rules=list(rules))

    def bind(storage, name, reference, *subjects, namespace=""):
        put(store, f"{storage}.{RBAC}", name, namespace, roleRef=reference, subjects=list(subjects))

    role("clusterroles", "reader", {"apiGroups": ["", "apps"], "resources": ["pods", "*/status"], "verbs": ["get"]})
    role("clusterroles", "health", {"nonResourceURLs": ["/healthz", "/api/*"], "verbs": ["get"]})
    role(
        "roles", "one", {"apiGroups": ["*"], "resources": ["*"], "resourceNames": ["x"], "verbs": ["*"]}, namespace="ns"
    )
    bind(
        "clusterrolebindings", "all", {"kind": "ClusterRole", "name": "health"}, {"kind": "Group", "name": "everybody"}
    )
    bind("rolebindings", "a", {"kind": "ClusterRole", "name": "reader"}, {"kind": "User", "name": "u"}, namespace="ns")
    account = {"kind": "ServiceAccount", "name": "robot"}
    bind("rolebindings", "b", {"kind": "Role", "name": "one"}, account, namespace="ns")
    bind("rolebindings", "c", {"kind": "ClusterRole", "name": "absent"}, {"kind": "User", "name": "u"}, namespace="ns")
    return Permissions(store)


@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        (Action("get", "", "pods", "ns", "p"), True),
        (Action("get", "apps", "deployments/status", "ns"), True),
        (Action("get", "", "pods", "other"), False),
        (Action("get", "", "pods"), False),
        (Action("list", "", "pods", "ns"), False),
        (Action("get", "batch", "pods", "ns"), False),
        (Action("get", "", "pods/log", "ns"), False),
        (Action("get", path="/api/v1"), True),
        (Action("get", path="/metrics"), False),
    ],
)
def test_what_a_user_may_do(permissions, action, allowed):
    assert permissions.allow(User("u", groups=("everybody",)), action) is allowed


def test_a_service_account_belongs_to_the_bindings_namespace(permissions):
    action = Action("delete", "any", "thing", "ns", "x")
    assert permissions.allow(service_account("ns", "robot"), action)
    assert not permissions.allow(service_account("other", "robot"), action)
    assert not permissions.allow(service_account("ns", "robot"), Action("delete", "any", "thing", "ns", "y"))


def test_rules_are_beyond_a_user_by_verb_resource_and_name(permissions):
    user = User("u")
    fair = {"apiGroups": ["apps"], "resources": ["pods"], "verbs": ["get"]}
    for unfair in ({"verbs": ["get", "list"]}, {"resources": ["*"]}, {"apiGroups": ["*"]}):
        assert permissions.beyond(user, [fair, {**fair, **unfair}], "ns") == [{**fair, **unfair}]
    assert not permissions.beyond(User("root", groups=("system:masters",)), [{**fair, "verbs": ["*"]}], "ns")


def test_headers_name_whom_somebody_acts_for():
    headers = [("Impersonate-User", "u"), ("Impersonate-Group", "g"), ("Impersonate-Extra-Scope", "s")]
    user = impersonated(headers)
    assert (user.name, user.groups, user.extra) == ("u", ("g", "system:authenticated"), {"scope": ("s",)})
    assert impersonated([("Accept", "x")]) is None
    account = impersonated([("Impersonate-User", "system:serviceaccount:ns:robot")])
    assert account.groups == service_account("ns", "robot").groups
    with pytest.raises(ApiError):
        impersonated([("Impersonate-Group", "g")])


# Kinds


@pytest.mark.parametrize("resource", kinds.KUBERNETES, ids=lambda resource: resource.title)
def test_every_built_in_kind_has_a_model(resource):
    found = models.model(models.name_of(resource.version, resource.kind))
    assert {"apiVersion", "kind", "metadata"} <= set(found.fields)


def test_models_say_what_is_required_and_nested():
    spec = models.model("V1DeploymentSpec")
    assert spec.required == ("selector", "template")
    assert spec.fields["template"].model == "V1PodTemplateSpec"
    assert models.model("V1ResourceRequirements").fields["limits"].of.form == "quantity"
    assert models.model("V1Nothing") is None


def test_every_reference_in_the_schemas_is_there():
    for place in openapi.index(REGISTRY)["paths"]:
        schemas = openapi.document(REGISTRY, place)["components"]["schemas"]
        assert set(references(schemas)) <= set(schemas)


def references(content):
    if isinstance(content, dict):
        for name, value in content.items():
            if name == "$ref" and isinstance(value, str):
                yield value.rpartition("/")[2]
            else:
                yield from references(value)
    elif isinstance(content, list):
        for item in content:
            yield from references(item)


def decode(title, **content):
    return decoding.decode(REGISTRY.named(title), {"metadata": {"name": "a"}, **content})


def test_unknown_fields_are_named_and_left_out():
    read = decode("pods", spec={"containers": [{"name": "a", "imag": "x"}]}, x=1)
    assert read.unknown == ["spec.containers[0].imag", "x"]
    assert read.content["spec"] == {"containers": [{"name": "a"}]}
    assert [cause["field"] for cause in decode("pods", spec={}).missing] == ["spec.containers"]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"data": {"k": 1}}, "data.k of type string"),
        ({"data": []}, "data of type map"),
        ({"metadata": {"labels": {"l": True}}}, "metadata.labels.l of type string"),
        ({"immutable": "yes"}, "immutable of type bool"),
    ],
)
def test_wrong_types_are_named(content, place):
    with pytest.raises(ApiError, match=place):
        decode("configmaps", **content)


def test_openshift_kinds_are_taken_as_they_are():
    read = decode("routes.route.openshift.io", spec={"anything": 1})
    assert (read.content["spec"], read.unknown) == ({"anything": 1}, [])


@pytest.mark.parametrize(
    ("title", "content", "field"),
    [
        ("services", {"spec": {"ports": [{"port": 0}]}}, "spec.ports[0].port"),
        ("services", {"metadata": {"name": "1a"}, "spec": {"clusterIP": "None"}}, "metadata.name"),
        ("namespaces", {"metadata": {"name": "a.b"}}, "metadata.name"),
        ("configmaps", {"metadata": {"name": "a" * 254}}, "metadata.name"),
        ("configmaps", {"metadata": {"name": "a", "labels": {"l": "not a value"}}}, "metadata.labels"),
        ("jobs.batch", {"spec": {"template": {"spec": {"restartPolicy": "Always"}}}}, "restartPolicy"),
    ],
)
def test_values_that_break_a_rule_are_named(title, content, field):
    causes = rules.problems(REGISTRY.named(title), {"metadata": {"name": "a"}, **content})
    assert [cause["field"] for cause in causes if field in cause["field"]], causes


# History


def test_history_forgets_the_oldest_and_says_so():
    history = History(size=2, start=0)
    for version in range(1, 6):
        history.add(Change(version, "ADDED", entry("x", {"metadata": {"name": str(version)}})))
    assert [change.version for change in history.since("x", 3)] == [4, 5]
    with pytest.raises(ApiError) as caught:
        history.since("x", 0)
    assert (caught.value.code, caught.value.reason) == (410, "Expired")
    assert history.since("another", 0) == []


def test_a_kind_of_a_definition_is_found_by_its_title():
    registry = Registry(kinds.KUBERNETES)
    registry.add(Resource("example.com", "v1", "things", "Thing", custom=True))
    assert registry.named("things.example.com").api_version == "example.com/v1"
    registry.remove("example.com", "things")
    assert not registry.serves("things.example.com")
    with pytest.raises(KeyError):
        registry.named("things.example.com")

"""How the simulated cluster patches and applies: who manages which field, which lists are merged."""

import pytest

from devcloud.cluster import ownership, patches
from devcloud.cluster.errors import ApiError


def pod(*containers, **more):
    return {"spec": {"containers": [dict(zip(("name", "image"), pair, strict=True)) for pair in containers], **more}}


def images(content):
    return {container["name"]: container["image"] for container in content["spec"]["containers"]}


# Patches


def test_a_merge_patch_replaces_lists_and_removes_by_null():
    old = {"a": {"b": 1, "c": [1, 2]}, "d": 4}
    assert patches.by_merging(old, {"a": {"b": None, "c": [3]}, "e": {"f": None}}) == {"a": {"c": [3]}, "d": 4, "e": {}}


def test_a_strategic_patch_merges_deletes_and_replaces_items():
    old = pod(("a", "1"), ("b", "1"))
    merged = patches.by_strategy(old, pod(("b", "2"), ("c", "1")))
    assert images(merged) == {"a": "1", "b": "2", "c": "1"}
    deleted = patches.by_strategy(old, {"spec": {"containers": [{"name": "a", "$patch": "delete"}]}})
    assert images(deleted) == {"b": "1"}
    only = {"spec": {"containers": [{"$patch": "replace"}, {"name": "z", "image": "1"}]}}
    assert images(patches.by_strategy(old, only)) == {"z": "1"}


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        ({"$patch": "replace", "x": 1}, {"x": 1}),
        ({"m": {"$patch": "delete"}}, {"f": ["a", "b"]}),
        ({"m": {"$retainKeys": ["y"], "y": 2}}, {"m": {"y": 2}, "f": ["a", "b"]}),
        ({"$deleteFromPrimitiveList/f": ["a"]}, {"m": {"x": 1}, "f": ["b"]}),
    ],
)
def test_directives_of_strategic_patches(patch, found):
    assert patches.by_strategy({"m": {"x": 1}, "f": ["a", "b"]}, patch) == found


def test_an_unknown_directive_is_refused():
    with pytest.raises(ApiError, match="Unknown patch type"):
        patches.by_strategy({}, {"$patch": "nonsense"})


def test_the_patch_says_the_order():
    patch = {"spec": {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}], "containers": []}}
    assert list(images(patches.by_strategy(pod(("a", "1"), ("b", "1")), patch))) == ["b", "a"]


def test_finalizers_are_a_set():
    old = {"metadata": {"finalizers": ["a"]}}
    assert patches.by_strategy(old, {"metadata": {"finalizers": ["b", "a"]}}) == {
        "metadata": {"finalizers": ["a", "b"]}
    }


@pytest.mark.parametrize(
    ("operations", "code"),
    [
        ([{"op": "test", "path": "/a", "value": 2}], 422),
        ([{"op": "remove", "path": "/x"}], 422),
        ([{"op": "jump", "path": "/a"}], 400),
    ],
)
def test_operations_that_do_not_fit_are_refused(operations, code):
    with pytest.raises(ApiError) as caught:
        patches.by_operations({"a": 1}, operations)
    assert caught.value.code == code


# Apply


def applied(live, wanted, manager, force=False):
    return ownership.apply(live, {"metadata": {}, **wanted}, manager, force, "t")


def managed(content):
    return {(m.name, m.operation): m.paths for m in ownership.read(content)}


def test_apply_takes_back_what_its_manager_alone_had():
    one = applied({"metadata": {}}, {"data": {"a": "1", "b": "2"}}, "one")
    two = applied(one, {"data": {"b": "2"}}, "two")
    left = applied(two, {"data": {"c": "3"}}, "one")
    assert left["data"] == {"b": "2", "c": "3"}
    assert managed(left) == {("one", "Apply"): {("f:data", "f:c")}, ("two", "Apply"): {("f:data", "f:b")}}


def test_items_are_owned_by_their_key():
    one = applied({"metadata": {}}, pod(("a", "1")), "one")
    both = applied(one, pod(("b", "1")), "two")
    assert images(both) == {"a": "1", "b": "1"}
    assert images(applied(both, pod(("b", "2")), "two")) == {"a": "1", "b": "2"}
    assert images(applied(both, {"spec": {"other": 1}}, "two")) == {"a": "1"}


def test_a_conflict_names_manager_and_field_and_force_takes_it():
    one = applied({"metadata": {}}, pod(("a", "1")), "one")
    with pytest.raises(ApiError) as caught:
        applied(one, pod(("a", "2")), "two")
    assert caught.value.details["causes"] == [
        {
            "reason": "FieldManagerConflict",
            "message": 'conflict with "one"',
            "field": '.spec.containers[name="a"].image',
        }
    ]
    taken = applied(one, pod(("a", "2")), "two", force=True)
    assert images(taken) == {"a": "2"}
    image = ("f:spec", "f:containers", 'k:{"name":"a"}', "f:image")
    assert image not in managed(taken)["one", "Apply"]


def test_whoever_changes_a_field_otherwise_manages_it():
    one = applied({"metadata": {}}, {"data": {"a": "1", "b": "2"}}, "one")
    changed = {"metadata": dict(one["metadata"]), "data": {"a": "9"}}
    ownership.note_update(one, changed, "editor", "v1", "t")
    assert managed(changed) == {("editor", "Update"): {("f:data", "f:a")}}
    with pytest.raises(ApiError, match='conflict with "editor" using v1'):
        applied(changed, {"data": {"a": "1"}}, "one")


def test_applying_the_same_again_changes_nothing():
    one = applied({"metadata": {}}, {"data": {"a": "1"}}, "one")
    assert ownership.apply(one, {"metadata": {}, "data": {"a": "1"}}, "one", False, "later") == one


def test_status_and_what_the_server_says_is_nobodys():
    content = {"metadata": {"name": "a", "uid": "u", "labels": {"l": "1"}}, "status": {"x": 1}, "data": {}}
    assert set(ownership.paths(content)) == {("f:metadata", "f:labels", "f:l"), ("f:data",)}

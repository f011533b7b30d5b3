"""What cannot be kept is refused with a sentence, on every database alike; what is only too long is shortened."""

import pytest

from tests.orchestration import OTHER, database, submit  # noqa: F401
from tripleo_ui.orchestration import api

pytestmark = pytest.mark.usefixtures("database")


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), {1}, b"x", {1: 2, "a": 3}], ids=repr)
def test_params_that_are_no_json_are_refused(odd):
    with pytest.raises(api.Invalid, match="JSON"):
        submit(params={"n": odd})
    assert api.find("p1").total == 0


@pytest.mark.parametrize("priority", [2, -2, 10**30, "high", 0.5, True, None], ids=repr)
def test_priorities_are_three(priority):
    with pytest.raises(api.Invalid, match="priority"):
        submit(priority=priority)


@pytest.mark.parametrize("key", ["k" * 129, "a\0b", "\ud800"], ids=("long", "nul", "surrogate"))
def test_keys_that_no_column_holds_are_refused(key):
    with pytest.raises(api.Invalid, match="key"):
        submit(key=key)


@pytest.mark.parametrize("thing", ["x" * 256, "a\0b", "\ud800"], ids=("long", "nul", "surrogate"))
def test_targets_that_no_column_holds_are_refused(thing):
    with pytest.raises(api.Invalid, match="name"):
        submit(thing)


def test_titles_are_one_line_that_fits_and_keeps_no_secret():
    request = submit(title=f"a\0\ud800\nb password=abracadabra {'é' * 300}")
    assert request.title.startswith("a   b password=")
    assert "abracadabra" not in request.title
    assert len(request.title) == 255


def test_names_of_many_scripts_are_kept():
    request = submit("лампа-灯-👩\u200d🔧\u3000💡", key="k" * 128, title="Лампа 灯 💡")
    assert (request.title, request.target) == ("Лампа 灯 💡", "thing:p1:лампа-灯-👩\u200d🔧\u3000💡")


def test_a_key_is_its_projects_own():
    first = submit(key="once")
    assert submit(key="once") == first
    assert submit(key="once", requester=OTHER).id != first.id

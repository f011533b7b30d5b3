"""The platform's own cases, by id; those that are not for us say why."""

import json
from pathlib import Path

import pytest

from tests.unit.catalog.derived import BY_ID
from tests.unit.catalog.kinds import BY_KIND, CORPUS

CASES = json.loads(Path(CORPUS, "cases/openshift_processing.json").read_text()) if CORPUS else []

#: Ours differs, on purpose; tests.unit.catalog.derived shows what ours gives.
DIFFERENT = {
    "derived-range-end-exclusive": "ranges include their ends",
    "derived-empty-alphabet": "ranges include their ends, so [a-a] is a",
    "derived-mixed-class": r"\w followed by a range is both",
    "derived-sequential-quirk": "values are not substituted again, wherever they stand",
    "derived-unquoted-bigint": "whole numbers keep all their digits",
    "derived-dup-params-user": "an answer goes to the parameter that counts",
}
_STORED = "a cluster stores templates, the catalog does not"
_GO = "a fault that only Go's types allow"
NOT_OURS = {
    **{f"template-valid-{number}": _STORED for number in (5, 6, 7, 8, 9, 10)},
    "cli-20": _STORED,
    "cli-21": _STORED,
    "cli-19": "compared where there is a cluster: tests/devcloud",
    "param-gen-3": _GO,
    "param-gen-4": _GO,
    "add-labels-9": "only Go's typed DeploymentConfig; a server never does it",
}
NOT_OURS_BY_KIND = {
    "readiness": "of objects that run, so of orders",
    "expose": "of objects that run, so of orders",
    "generator-dedupe": "an inner function of theirs; test_catalog_generator shows ours",
}


def why_not(case):
    return NOT_OURS.get(case["id"]) or NOT_OURS_BY_KIND.get(case.get("kind"), "")


def params():
    for case in CASES:
        reason = why_not(case)
        marks = [pytest.mark.skip(reason=f"optional: {case['id']} is not ours: {reason}")] if reason else []
        yield pytest.param(case, id=case["id"], marks=marks)


@pytest.mark.skipif(not CORPUS, reason="optional: TRIPLEO_UI_CORPUS names no folder")
def test_every_case_is_ours_or_says_why_not():
    assert len(CASES) == 173
    assert {case["id"] for case in CASES} >= {*NOT_OURS, *DIFFERENT, *BY_ID}
    unknown = [case["id"] for case in CASES if not why_not(case) and _check_of(case) is None]
    assert unknown == []


@pytest.mark.skipif(not CORPUS, reason="optional: TRIPLEO_UI_CORPUS names no folder")
@pytest.mark.parametrize("case", params())
def test_case(case, tmp_path, capsys):
    check = _check_of(case)
    if case.get("kind") == "cli" and case["id"] != "inject-0":
        check(case, tmp_path, capsys)
    else:
        check(case)


def _check_of(case):
    return BY_ID.get(case["id"]) or BY_KIND.get(case.get("kind"))

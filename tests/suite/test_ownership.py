"""`ownership` in suite.yaml: a task says who speaks, and the fixture says what is theirs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError
from seatrial.suite import SuiteDefinition, load_suite

DEFINITION = SuiteDefinition(
    collections=frozenset({"customers", "policies", "claims"}),
    keys={"customers": ("customer_id",), "policies": ("policy_id",), "claims": ("claim_id",)},
)
OWNERSHIP = {"policies": {"field": "holders", "of": "customers"}, "claims": {"field": "policy_id", "of": "policies"}}
FIXTURE = {
    "customers": [{"customer_id": "C-1"}, {"customer_id": "C-2"}],
    "policies": [
        {"policy_id": "P-1", "holders": "C-1"},
        {"policy_id": "P-2", "holders": ["C-2", "C-1"]},
        {"policy_id": "P-3", "holders": "C-2"},
        {"policy_id": "P-4", "holders": None},
    ],
    "claims": [{"claim_id": "K-1", "policy_id": "P-1"}, {"claim_id": "K-3", "policy_id": "P-3"}],
}


def caller(
    folder: Path, *, declared: dict | None = None, ownership: object = OWNERSHIP, fixture: object = FIXTURE, laid: dict | None = None
) -> dict:
    """The caller of a loaded task."""
    task = {"id": "t", "input": "hello", "expect": {"process": {"extras": "reads"}}, "fixture": {"use": "base", "with": laid or {}}}
    if declared is not None:
        task["caller"] = declared
    files = {"suite.yaml": {"name": "s", "ownership": ownership}, "tasks/t.yaml": task}
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    (folder / "fixtures").mkdir(exist_ok=True)
    text, suffix = (fixture, "sql") if isinstance(fixture, str) else (json.dumps(fixture), "json")
    (folder / "fixtures" / f"base.{suffix}").write_text(text, encoding="utf-8")
    return load_suite(folder, definition=DEFINITION).tasks[0].caller


def test_all_that_belongs_to_the_caller_is_theirs_and_what_belongs_to_that(tmp_path: Path) -> None:
    """One key is declared; a record may have several owners, and an owner owners."""
    assert caller(tmp_path, declared={"customers": "C-1"}) == {"claims": ("K-1",), "customers": ("C-1",), "policies": ("P-1", "P-2")}


def test_what_was_declared_stays_and_a_caller_of_nothing_is_said_to_have_nothing(tmp_path: Path) -> None:
    """An empty collection is knowledge: no claim is theirs."""
    given = {"customers": "C-9", "policies": "P-4"}
    assert caller(tmp_path, declared=given) == {"claims": (), "customers": ("C-9",), "policies": ("P-4",)}


def test_of_a_caller_of_whom_nothing_is_said_nothing_is_known(tmp_path: Path) -> None:
    """No caller stays no caller; of what owns nothing, nothing follows."""
    assert caller(tmp_path) == {}
    assert caller(tmp_path, declared={"claims": "K-1"}) == {"claims": ("K-1",)}


def test_a_record_that_the_task_lays_over_the_fixture_counts_in_its_place(tmp_path: Path) -> None:
    """It may change the owner, or add a record."""
    laid = {"policies": [{"policy_id": "P-1", "holders": "C-2"}, {"policy_id": "P-9", "holders": "C-1"}]}
    assert caller(tmp_path, declared={"customers": "C-1"}, laid=laid)["policies"] == ("P-2", "P-9")


def test_owners_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    """Customers of policies of customers."""
    ownership = {"policies": {"field": "holders", "of": "customers"}, "customers": {"field": "customer_id", "of": "policies"}}
    assert caller(tmp_path, declared={"customers": "C-2"}, ownership=ownership)["policies"] == ("P-2", "P-3")


@pytest.mark.parametrize(
    ("ownership", "said"),
    [
        ({"policy": {"field": "holders", "of": "customers"}}, "policies"),
        ({"policies": {"field": "holders", "of": "customer"}}, "customers"),
        ({"policies": {"field": "holders"}}, "needs `of`"),
        ({"policies": {"field": "holders", "of": "policies"}}, "themselves"),
        ({"policies": {"field": "holders", "of": "customers", "by": 1}}, "no key 'by'"),
        ({"policies": {"field": "holder", "of": "customers"}}, "holders"),
    ],
)
def test_what_owns_nothing_is_refused_at_load(tmp_path: Path, ownership: dict, said: str) -> None:
    """A wrong name is an error with the nearest right one."""
    with pytest.raises(SuiteError) as caught:
        caller(tmp_path, declared={"customers": "C-1"}, ownership=ownership)
    assert said in str(caught.value)


def test_a_fixture_given_as_sql_says_that_it_cannot_be_read(tmp_path: Path) -> None:
    """Its records are known to the world only."""
    with pytest.raises(SuiteError, match="given as SQL"):
        caller(tmp_path, declared={"customers": "C-1"}, fixture="CREATE TABLE policies (x);")

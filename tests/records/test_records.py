"""Records: what is derived from them, and what their hashes leave out."""

import pytest
from msgspec import ValidationError, json, structs

from seatrial.records import grade, trace
from seatrial.records.contract import Alternative, Contract
from seatrial.records.decision import Decision
from seatrial.records.grade import QUESTIONS, Answer, Grade, Verdict, strict_verdict
from seatrial.records.kind_summary import Coverage
from seatrial.records.manifest import Manifest
from seatrial.records.paths import record_path, split_path
from seatrial.records.task import FaultSpec, Task
from seatrial.records.trace import Identity, Status, Trace, is_transient

WHO = Identity("suite", "water-017", "contract", "candidate", "hash", 0, 1)


@pytest.mark.parametrize(
    ("verdicts", "strict"),
    [
        ("pppp", Verdict.PASS),
        ("pnnn", Verdict.PASS),
        ("nnnn", Verdict.NOT_APPLICABLE),
        ("pppf", Verdict.FAIL),
        ("fuen", Verdict.FAIL),
        ("pppu", Verdict.UNDETERMINED),
        ("pppe", Verdict.UNDETERMINED),
    ],
)
def test_strict_is_the_worst_of_the_four_and_neutral_counts_for_nothing(verdicts: str, strict: Verdict) -> None:
    """Fail before undetermined before pass; an error is undetermined; a question that is not asked changes nothing."""
    letters = {verdict.value[0]: verdict for verdict in Verdict}
    found = tuple(letters[letter] for letter in verdicts)
    assert strict_verdict(found) is strict
    answers = {question: Answer(verdict, "because") for question, verdict in zip(QUESTIONS, found, strict=True)}
    graded = Grade("water-017", 0, "contract", **answers)
    assert graded.strict is strict
    assert tuple(graded.answers) == QUESTIONS


def test_only_the_harness_leaves_success_unknown() -> None:
    """What the machinery, the simulator or a person ended says nothing of the agent; all else is a fact about it."""
    assert {status for status in Status if status.unknown} == {Status.SIMULATOR_ERROR, Status.INFRA_ERROR, Status.CANCELLED}


def test_bookkeeping_does_not_change_what_a_task_asks() -> None:
    """Kind, split, slices, stakes and notes are left out of the contract's hash; everything else is in it."""
    task = Task("water-017", input="A pipe burst.")
    same = structs.replace(task, kind="regression", split="holdout", slices={"a": "b"}, stakes="write", critical=True, history=("note",))
    assert same.contract_hash == task.contract_hash
    faults = (FaultSpec("route", "error", first=1),)
    changes = [{"input": "Another"}, {"contract": Contract(ends="refusal")}, {"faults": faults}, {"now": "2026-02-01T00:00:00Z"}]
    assert len({task.contract_hash, *(structs.replace(task, **change).contract_hash for change in changes)}) == 5


def test_a_trace_knows_who_witnessed_it() -> None:
    """A trace of the harness is witnessed; an imported one is not."""
    found = Trace(WHO, Status.COMPLETED)
    assert found.witnessed
    assert not structs.replace(found, source="tau_bench").witnessed


@pytest.mark.parametrize("status", [408, 425, 429, 500, 503, 599])
def test_some_statuses_pass_by_themselves(status: int) -> None:
    """Timeouts, conflicts of haste and failures of the server are transient."""
    assert is_transient(status)


@pytest.mark.parametrize("status", [200, 400, 404, 409, 422, 600])
def test_other_statuses_stay_unless_the_tool_declares_them(status: int) -> None:
    """All else is permanent, and transient for a tool that says so."""
    assert not is_transient(status)
    assert is_transient(status, declared=(status,))


@pytest.mark.parametrize("key", [["C-1"], ["a/b", "c,d"], ["100%"], [7, "x"], [b"\x00\xff"], ["%2F"], ["a", "b,c"], ["a,b", "c"]])
def test_a_path_gives_its_collection_back_and_no_two_keys_share_one(key: list) -> None:
    """Separators within a key are escaped, so a path has one slash and is read back."""
    path = record_path("claims", key)
    collection, text = split_path(path) or ("", "")
    assert (collection, path) == ("claims", f"claims/{text}")
    others = [other for other in (["a", "b", "c"], ["a", "b,c"], ["a,b", "c"], ["a/b"], ["a%2Fb"]) if other != key]
    assert path not in {record_path("claims", other) for other in others}


@pytest.mark.parametrize("path", ["claims", "claims/", "/C-1", "claims/a/b", "my claims/C-1"])
def test_what_is_no_path_is_not_split(path: str) -> None:
    """A path is a collection, one slash, and a key."""
    assert split_path(path) is None


def test_coverage_has_both_denominators() -> None:
    """Unknown trials count among the planned and not among the scored, and nothing is divided by nothing."""
    found = Coverage.of(tasks=2, tasks_scored=1, planned=8, scored=4, passed=3)
    assert (found.unknown, found.of_planned, found.of_scored) == (4, 0.375, 0.75)
    empty = Coverage.of(tasks=0, tasks_scored=0, planned=0, scored=0, passed=0)
    assert (empty.of_planned, empty.of_scored) == (None, None)


@pytest.mark.parametrize("kind", [Trace, Grade, Task, Manifest, Decision, Contract])
def test_records_refuse_what_they_do_not_know(kind: type) -> None:
    """An unknown field is an error, never dropped."""
    with pytest.raises(ValidationError, match=r"unknown field|missing required field"):
        json.decode(b'{"bogus": 1}', type=kind)
    assert kind.__struct_config__.forbid_unknown_fields


def test_a_record_is_read_back_equal() -> None:
    """What `encode` writes, `decode` reads."""
    graded = Grade("a", 0, "c", *(Answer(Verdict.PASS, "because") for _ in QUESTIONS))
    assert grade.decode(grade.encode(graded)) == graded
    assert trace.decode(trace.encode(Trace(WHO, Status.REFUSED))) == Trace(WHO, Status.REFUSED)


def test_the_ways_of_a_contract_are_all_that_can_be_right():
    """The alternatives in their order, and then what is right after a fault, if anything is."""
    one, other, faulted = (Alternative(name=name) for name in "abc")
    assert Contract(alternatives=(one, other)).ways == (one, other)
    assert Contract(alternatives=(one, other), when_fault=faulted).ways == (one, other, faulted)
    assert Contract().ways == ()

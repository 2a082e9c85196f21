"""The rules that count or look something up: critical tasks, holdout, proof, transcripts, stubs, unknown trials, a rate of violations."""

from __future__ import annotations

import pytest
from msgspec import structs

from seatrial.measure.zero_violations import allowed_rate
from seatrial.records.label import ReviewSummary
from seatrial.records.manifest import StubsCheck
from seatrial.records.proof import ProofNote
from seatrial.records.task import Task
from tests.gate.made import evidence, many, says


def critical(name: str) -> Task:
    """A task that is critical when its name begins with `c` or `r`, and a regression task when with `r`."""
    return Task(name, kind="regression" if name.startswith("r") else "capability", critical=name[0] in "cr")


@pytest.mark.parametrize(
    ("results", "arguments", "value"),
    [
        ({"c1": "pp", "t1": "ff"}, {}, "pass"),
        ({"c1": "pf", "t1": "pp"}, {}, "fail"),
        ({"c1": "pu", "t1": "pp"}, {}, "inconclusive"),
        ({"c1": "p-", "t1": "pp"}, {}, "inconclusive"),
        ({"c1": "fu"}, {}, "fail"),
        ({"c1": "pfff"}, {"at_least": 0.25}, "pass"),
        ({"c1": "pfff"}, {"at_least": 0.26}, "fail"),
        ({"c1": "ppfu"}, {"at_least": 0.5}, "pass"),
        ({"c1": "pffu"}, {"at_least": 0.5}, "inconclusive"),
        ({"c1": "pffu"}, {"at_least": 0.51}, "fail"),
        ({"c1": "ff", "r1": "pp"}, {"kind": "regression"}, "pass"),
        ({"c1": "pp", "r1": "pf"}, {"kind": "regression"}, "fail"),
        ({"c1": "pp"}, {"kind": "regression"}, "inconclusive"),
        ({"t1": "pp"}, {}, "inconclusive"),
        ({}, {}, "inconclusive"),
    ],
)
def test_critical_tasks(results, arguments, value):
    """Each critical task reaches the bar by itself; an unknown trial may turn out either way."""
    assert says("critical_tasks", evidence(results, make=critical), **arguments).value == value


def test_critical_tasks_name_the_trials_that_failed():
    """A fail names the failed trials, and no others."""
    assert says("critical_tasks", evidence({"c1": "pfp", "c2": "ppp"}, make=critical)).evidence == ("c1#1",)


@pytest.mark.parametrize(
    ("results", "more", "arguments", "value"),
    [
        (many(3, "p", "h") | many(2, "p", "t"), {}, {}, "pass"),
        (many(3, "p", "h"), {}, {"tasks": 3}, "pass"),
        (many(3, "p", "h"), {}, {"tasks": 4}, "inconclusive"),
        (many(3, "u", "h") | many(2, "p", "t"), {}, {}, "inconclusive"),
        (many(3, "p", "t"), {}, {}, "inconclusive"),
        (many(3, "p", "h"), {"holdout_apart": True}, {}, "inconclusive"),
        (many(3, "p", "h"), {"holdout_apart": True, "looked_up": True}, {}, "pass"),
        (many(3, "f", "h"), {}, {}, "pass"),
    ],
)
def test_holdout(results, more, arguments, value):
    """A holdout that is there passes, whatever it says; one that lies apart only when the look is in its ledger."""
    assert says("holdout", evidence(results, **more), **arguments).value == value


@pytest.mark.parametrize(
    ("note", "arguments", "value"),
    [
        (ProofNote(100, 100), {}, "pass"),
        (ProofNote(100, 99, holes=1), {}, "fail"),
        (ProofNote(100, 99, holes=1), {"score": 0.99, "holes": 1}, "pass"),
        (ProofNote(100, 99, holes=1), {"score": 0.99, "holes": 0}, "fail"),
        (ProofNote(100, 98, holes=2), {"score": 0.99, "holes": 9}, "fail"),
        (ProofNote(100, 90, explained=10), {}, "pass"),
        (ProofNote(100, 90, undetermined=10), {}, "pass"),
        (ProofNote(100, 100, faults=1, errors=1), {}, "fail"),
        (ProofNote(100, 100, older=True), {}, "inconclusive"),
        (ProofNote(0, 0), {}, "inconclusive"),
        (None, {"score": 0, "holes": 9}, "inconclusive"),
    ],
)
def test_proof(note, arguments, value):
    """A suite with holes fails, one that nobody proved is not known; the edges belong to the pass."""
    found = evidence({"a": "p"})
    found = structs.replace(found, summary=structs.replace(found.summary, proof=note))
    assert says("proof", found, **arguments).value == value


@pytest.mark.parametrize(
    ("read", "arguments", "value"),
    [
        (ReviewSummary(read_failing=2, read_passing=1, readers=("Ann",)), {"failing": 2, "passing": 1}, "pass"),
        (ReviewSummary(read_failing=1, read_passing=1, readers=("Ann",)), {"failing": 2, "passing": 1}, "inconclusive"),
        (ReviewSummary(read_failing=2, readers=("Ann",)), {"failing": 2, "passing": 1}, "inconclusive"),
        (ReviewSummary(read_failing=3, readers=("Ann",)), {"failing": 99}, "pass"),
        (ReviewSummary(read_failing=2, readers=("Ann",)), {"failing": 99}, "inconclusive"),
        (ReviewSummary(read_failing=3, read_passing=3, readers=("Ann",)), {"failing": 1, "people": 2}, "inconclusive"),
        (ReviewSummary(read_failing=3, read_passing=3, readers=("Ann", "Bo")), {"failing": 1, "people": 2}, "pass"),
        (ReviewSummary(read_failing=3, read_passing=3, readers=("Ann", "ann ")), {"failing": 1, "people": 2}, "inconclusive"),
        (ReviewSummary(), {}, "inconclusive"),
        (ReviewSummary(read_open=1, readers=("Ann",)), {}, "pass"),
    ],
)
def test_transcripts_read(read, arguments, value):
    """So many failing and passing transcripts, or all there are, by so many people; names that look alike are one."""
    found = evidence({"a": "pff", "b": "ppf"})
    found = structs.replace(found, summary=structs.replace(found.summary, review=read))
    assert says("transcripts_read", found, **arguments).value == value


def test_transcripts_read_asks_for_no_reader_beyond_the_reading():
    """Whoever reads what is missing is one person: only a second one is asked for apart. How a reading is entered is told with it."""
    found = evidence({"a": "pp", "b": "ff"})
    one, two = (says("transcripts_read", found, failing=1, passing=1, people=people) for people in (1, 2))
    assert one.reason.endswith("still to be read: 1 failing transcript and 1 passing transcript")
    assert two.reason.endswith("and some by 2 more people")
    assert one.need is not None
    assert "seatrial label RUN --task TASK --trial N --verdict VERDICT --by NAME --note TEXT" in one.need.words
    assert says("transcripts_read", found).reason.endswith("still to be read: some by 1 more person")


def test_transcripts_read_needs_a_transcript():
    """A run without a trial has nothing that was read."""
    assert says("transcripts_read", evidence({"a": "--"})).value == "inconclusive"


@pytest.mark.parametrize(
    ("on", "today", "days", "value"),
    [
        ("2026-11-01", "2026-12-01", 30, "pass"),
        ("2026-11-01", "2026-12-01", 29, "inconclusive"),
        ("2026-12-01", "2026-12-01", 0, "pass"),
        ("2026-12-02", "2026-12-01", 30, "inconclusive"),
        ("2026-11-01", "", 30, "inconclusive"),
        (None, "2026-12-01", 30, "inconclusive"),
    ],
)
def test_stubs_checked(on, today, days, value):
    """A check within so many days passes; an older one, one that is yet to come, and none are not known to hold."""
    check = StubsCheck(on, "Ann") if on else None
    assert says("stubs_checked", evidence({"a": "p"}, today=today, stubs_checked=check), within_days=days).value == value


@pytest.mark.parametrize(
    ("results", "at_most", "value"),
    [
        ({"a": "pppp"}, 0.0, "pass"),
        ({"a": "pppu"}, 0.25, "pass"),
        ({"a": "pppu"}, 0.24, "inconclusive"),
        ({"a": "ppp-"}, 0.24, "inconclusive"),
        ({"a": "ffff"}, 0.0, "pass"),
        ({"h": "pu"} | many(50, "pp", "d"), 0.1, "inconclusive"),
        ({}, 1.0, "inconclusive"),
    ],
)
def test_unknown_trials(results, at_most, value):
    """A share at the limit passes; a larger one, be it of the holdout alone, is inconclusive; none planned is nothing to look at."""
    assert says("unknown_trials", evidence(results), at_most=at_most).value == value


@pytest.mark.parametrize(
    ("results", "at_most", "value"),
    [
        (many(58, "pp"), 0.05, "inconclusive"),
        (many(59, "pp"), 0.05, "pass"),
        (many(59, "ff"), 0.05, "pass"),
        (many(58, "pp") | {"x": "pv"}, 0.05, "fail"),
        (many(58, "pp") | {"x": "pd"}, 0.05, "inconclusive"),
        (many(20, "pp", "h") | many(200, "pp", "t"), 0.05, "inconclusive"),
        (many(59, "pp", "h") | many(1, "pv", "t"), 0.05, "fail"),
        ({}, 0.5, "inconclusive"),
    ],
)
def test_no_violation_with_a_rate(results, at_most, value):
    """Fifty-nine tasks without a violation rule out 5 %, fifty-eight do not; trials of the same tasks do not help; one violation fails."""
    assert says("no_violation", evidence(results), at_most=at_most).value == value


def test_no_violation_says_how_many_more_tasks_it_takes():
    """The need is in tasks, and with so many the rate is ruled out."""
    found = says("no_violation", evidence(many(10, "pppppppp")), at_most=0.02)
    assert found.need.tasks == 149
    assert allowed_rate(149) <= 0.02 < allowed_rate(148)
    assert "139 more tasks" in found.need.words

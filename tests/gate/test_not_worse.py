"""The rule `not_worse`: candidate minus baseline on the same tasks, against a margin."""

from __future__ import annotations

from math import nextafter

import pytest

from seatrial.gate import Evidence, Policy, RuleUse, decide
from seatrial.records.contract import Budget, Contract
from seatrial.records.task import Task
from tests.gate.made import capability, evidence, many, says

STEADY = many(40, "pppp", "a") | many(40, "pfpf", "b")
BETTER = many(40, "pppp", "a") | many(40, "pppp", "b")
WORSE = many(40, "pfpf", "a") | many(40, "pfpf", "b")
A_LITTLE_WORSE = many(40, "pppp", "a") | {f"b{n:03}": "pfff" if n < 12 else "pfpf" for n in range(40)}
NOISY = many(8, "pfpf", "a") | many(8, "pppf", "b") | many(8, "pfpf", "c")
NOISE = many(8, "pppf", "a") | many(8, "pfpf", "b") | many(8, "pfpf", "c")


@pytest.mark.parametrize(
    ("before", "after", "margin", "value", "words"),
    [
        (STEADY, STEADY, 0.05, "pass", "margin 5"),
        (STEADY, BETTER, 0.05, "pass", "+25.0 points"),
        (STEADY, WORSE, 0.05, "fail", "worse than the margin"),
        (STEADY, WORSE, 0.9, "pass", "a confirmed drop, inside of the margin"),
        (STEADY, A_LITTLE_WORSE, 0.04, "fail", "a confirmed drop"),
        (STEADY, A_LITTLE_WORSE, 0.1, "pass", "a confirmed drop, inside of the margin"),
        (NOISY, NOISE, 0.05, "inconclusive", "margin 5"),
        (many(8, "pp"), many(8, "pp"), 0.05, "inconclusive", "0.0 points"),
        (None, STEADY, 0.05, "inconclusive", "no baseline to hold the candidate against; name its run with --baseline"),
        (
            many(8, "pp", "x"),
            many(8, "pp", "y"),
            0.05,
            "inconclusive",
            "share no capability task with the same contract; where the suite has changed",
        ),
    ],
)
def test_it_passes_fails_and_is_inconclusive(before, after, margin, value, words):
    """A lower limit above minus the margin passes, even a confirmed drop; an upper limit below 0 fails; else nobody knows."""
    found = says("not_worse", evidence(after, before), margin=margin)
    assert (found.value, words in found.reason) == (value, True), found.reason


@pytest.mark.parametrize(("before", "after"), [(STEADY, A_LITTLE_WORSE), (NOISY, NOISE), (many(30, "pp"), many(30, "pp"))])
def test_the_edge_is_where_the_lower_limit_lies(before, after):
    """A margin as wide as the lower limit is not wide enough; the next wider one is."""
    lower = says("not_worse", evidence(after, before), margin=0.5).estimate.lower
    assert -0.5 < lower < 0
    assert says("not_worse", evidence(after, before), margin=-lower).value != "pass"
    assert says("not_worse", evidence(after, before), margin=nextafter(-lower, 1)).value == "pass"


def test_it_fails_from_the_point_on_where_the_upper_limit_is_below_0():
    """With a margin that nothing meets, fail and inconclusive part at an upper limit of 0."""
    for dropped in range(0, 41, 5):
        after = many(40, "pppp", "a") | {f"b{n:03}": "pfff" if n < dropped else "pfpf" for n in range(40)}
        found = says("not_worse", evidence(after, STEADY), margin=1e-9)
        assert (found.value == "fail") == (found.estimate.upper < 0)
        assert found.value in ("fail", "inconclusive")


def test_dropped_tasks_are_named_when_something_dropped():
    """A fail and a confirmed drop inside of the margin name the tasks that pass less often; a pass without one names none."""
    assert says("not_worse", evidence(A_LITTLE_WORSE, STEADY), margin=0.1).evidence == tuple(f"b{n:03}" for n in range(12))
    assert says("not_worse", evidence(BETTER, STEADY), margin=0.1).evidence == ()


def test_only_tasks_with_the_same_contract_are_paired():
    """A task whose contract changed is no pair, so that an easier contract buys nothing."""

    def easier(name: str) -> Task:
        return Task(name, kind="capability", contract=Contract(budget=Budget(calls=99)))

    found = evidence(BETTER, make=easier)
    before = evidence(WORSE, make=capability)
    joined = Evidence(found.summary, baseline=before.summary)
    assert says("not_worse", joined, margin=0.5).reason.startswith("candidate and baseline share no capability task")


def test_the_holdout_decides_by_itself():
    """The difference is that of the holdout; dev tasks that got better do not make up for it."""
    before = many(40, "ff", "d") | many(40, "pp", "h")
    after = many(40, "pp", "d") | many(40, "ff", "h")
    found = decide(evidence(after, before), Policy((RuleUse("not_worse", b'{"margin": 0.05}'),)))
    assert (found.rules[0].value, found.rules[0].subject) == ("fail", "holdout")
    assert any(warning.startswith("Overfitting") for warning in found.warnings)


def test_unknown_trials_count_against_the_candidate_and_for_the_baseline():
    """Losses on either side can only take a pass away."""
    assert says("not_worse", evidence(STEADY, STEADY), margin=0.05).value == "pass"
    lost_after = {name: letters[:2] + "uu" if name < "a020" else letters for name, letters in STEADY.items()}
    assert says("not_worse", evidence(lost_after, STEADY), margin=0.05).value == "inconclusive"
    lost_before = {name: letters[:2] + "uu" if name.startswith("b") else letters for name, letters in STEADY.items()}
    found = says("not_worse", evidence(STEADY, lost_before), margin=0.05)
    assert found.value == "inconclusive"
    assert "unknown trials counted both ways" in found.reason


@pytest.mark.parametrize(("fewer", "value"), [(30, "inconclusive"), (0, "pass")])
def test_tasks_with_fewer_than_k_trials_are_not_passed_over(fewer, value):
    """Tasks that never had k trials could have broken unseen: they are counted both ways, and asked for."""
    before = many(40, "pppppppp", "a") | many(fewer, "pppp", "b")
    after = many(40, "pppppppp", "a") | many(fewer, "ffff", "b")
    found = says("not_worse", evidence(after, before), margin=0.15, k=8)
    assert found.value == value
    if fewer:
        assert "30 tasks with fewer than 8 known trials in one run, counted both ways" in found.reason
        assert found.need is not None
        assert found.need.trials == 8


def test_the_need_is_in_trials_of_both_runs_or_in_tasks():
    """Where trials can decide, their number is told for both runs; where the tasks show no spread, only tasks can."""
    noisy = says("not_worse", evidence(NOISE, NOISY), margin=0.05).need
    assert noisy is not None
    assert noisy.trials is not None
    assert noisy.trials > 4
    assert "in both runs" in noisy.words
    few = says("not_worse", evidence(many(8, "pp"), many(8, "pp")), margin=0.05).need
    assert few is not None
    assert (few.trials, few.tasks > 8) == (None, True)

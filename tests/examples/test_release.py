"""The release policy of the claims-intake suite: a better router fails, the repaired one ships, and the gate asks for what it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from seatrial.app.gating import Gated, GateOptions, gate
from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.run import run_candidates
from seatrial.base.clock import SystemClock
from tests.examples._sailing import EXAMPLES

SUITE = EXAMPLES / "claims_intake"
Decide = Callable[[str, int, int], Gated]


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Decide:
    """Return the decision on a candidate against the baseline, each with so many trials, at a seed."""
    folder = tmp_path_factory.mktemp("release")

    @cache
    def run(agent: str, trials: int, seed: int) -> Path:
        output = folder / f"{agent}-{trials}-{seed}.seatrial"
        options = RunOptions(output=output, trials=trials, seed=seed, concurrency=8)
        return run_candidates(load(SUITE), (f"agents:{agent}",), options, clock=SystemClock()).paths[0]

    def decide(agent: str, trials: int, seed: int) -> Gated:
        options = GateOptions(baseline=run("baseline", trials, seed), policy=SUITE / "release.yaml")
        return gate(run(agent, trials, seed), options)

    return decide


def asked(found: Gated) -> int:
    """Return the largest number of trials that a rule asks for."""
    return max(rule.need.trials or 0 for rule in found.decision.rules if rule.need is not None)


def test_the_candidate_fails_by_the_rules_that_saw_the_missing_check(decided: Decide) -> None:
    """Routing went up, and the water claims whose cover nobody looks up fail three rules, the slice among them."""
    found = decided("candidate", 2, 0).decision
    assert found.value == "fail"
    assert {rule.rule for rule in found.rules if rule.value == "fail"} == {"regression_strict", "slices", "no_violation"}
    assert "loss_type=water" in next(rule.reason for rule in found.rules if rule.rule == "slices")


def test_the_repaired_candidate_is_inconclusive_at_two_trials_and_passes_at_what_it_asked_for(decided: Decide) -> None:
    """Two trials are too few; with as many as the gate asks for it passes, and with one fewer it does not."""
    first = decided("restored", 2, 0)
    assert first.decision.value == "inconclusive"
    assert first.decision.next == f"Run more trials: seatrial run SUITE --agent AGENT --trials {asked(first)} -o RUN"
    assert decided("restored", asked(first), 0).decision.value == "pass"
    assert decided("restored", asked(first) - 1, 0).decision.value == "inconclusive"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_it_is_not_the_luck_of_one_seed(decided: Decide, seed: int) -> None:
    """At every seed: fail without the check; with it inconclusive at two trials, pass at those it asked for and at eight."""
    assert decided("candidate", 8, seed).decision.value == "fail"
    first = decided("restored", 2, seed)
    assert first.decision.value == "inconclusive"
    assert decided("restored", asked(first), seed).decision.value == "pass"
    assert decided("restored", 8, seed).decision.value == "pass"


def test_production_itself_would_pass_its_own_bar_or_not_know(decided: Decide) -> None:
    """The policy asks nothing that the agent in production is known to fail."""
    assert decided("baseline", 2, 0).decision.value != "fail"

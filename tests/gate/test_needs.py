"""What it would take: the numbers that a decision asks for are the smallest that decide, and enough in most runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.gate._limits import limited
from seatrial.gate._needs import Gap, need
from seatrial.measure import dirichlet_ends, pass_k
from seatrial.measure.task_count import TaskCount
from tests.gate.made import evidence, says


def gap(values, bar, between=0.0, within=0.1, trials=2):
    def decided(stretched):
        ends = dirichlet_ends.interval(stretched, confidence=0.9, seed=1)
        return ends.lower >= bar or ends.upper < bar

    return Gap(values, bar, between, within, trials, decided)


def test_tasks_that_all_passed_ask_for_as_many_as_jeffreys_does():
    """Twenty perfect tasks do not show 0.95; the tasks that do are those whose exact limit reaches it."""
    found = need(gap([1.0] * 20, 0.95))
    assert dirichlet_ends.interval([1.0] * found.tasks, confidence=0.9).lower >= 0.95
    assert dirichlet_ends.interval([1.0] * (found.tasks - 1), confidence=0.9).lower < 0.95
    assert found.trials is None
    assert "no number of trials of these tasks alone can decide" in found.words


def test_an_estimate_at_the_limit_cannot_be_decided():
    """If the truth is the bar itself no evidence decides, and that is said."""
    found = need(gap([0.5, 1.0, 0.6, 0.9], 0.75))
    assert (found.tasks, found.trials) == (None, None)
    assert "no number of tasks or trials can decide" in found.words


def test_when_the_spread_lies_between_tasks_no_trial_helps():
    """Tasks that always pass or never do: only more tasks can decide, and the share of the variance is told."""
    found = need(gap([1.0] * 15 + [0.0] * 5, 0.6, between=0.19, within=0.0))
    assert found.trials is None
    assert found.tasks > 20
    assert "of the variance lies between tasks" in found.words


def test_when_the_spread_is_the_noise_of_trials_a_few_more_decide():
    """Tasks that are all alike: trials of the same tasks decide, and fewer than are asked for have less than 80 % power."""
    found = need(gap([0.5, 1.0] * 10, 0.65, within=0.19))
    assert found.trials is not None
    assert 2 < found.trials < 20


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=30), st.floats(0.05, 0.95), st.floats(0, 0.2), st.floats(0, 0.25))
def test_a_need_is_more_than_there_is_and_never_raises(values, bar, between, within):
    """Whatever was seen, what is asked for is more than what is there, or nothing."""
    found = need(gap(values, bar, between, within))
    assert found.tasks is None or found.tasks > len(values)
    assert found.trials is None or found.trials > 2
    assert found.words


@pytest.mark.parametrize(("perfect", "flaky", "bar"), [(16, 4, 0.8), (23, 7, 0.803), (40, 10, 0.84), (30, 30, 0.7)])
def test_the_trials_that_are_asked_for_decide_in_four_runs_of_five(perfect, flaky, bar):
    """Where every task passes as often as was estimated, about 80 % of runs with so many trials decide, and far fewer with a quarter."""
    results = {f"a{n}": "pp" for n in range(perfect)} | {f"b{n}": "pf" for n in range(flaky)}
    asked = says("reliability", evidence(results), at_least=bar).need
    assert asked is not None
    assert asked.trials is not None
    tasks, draw = perfect + flaky, np.random.default_rng(1)
    truth = 1 - flaky / (2 * tasks)

    def power(trials: int) -> float:
        runs = draw.binomial(trials, truth, size=(120, tasks))
        counts = [[TaskCount(int(passed), trials, trials) for passed in run] for run in runs]
        return float(np.mean([limited(run, pass_k.STATISTIC, 1, seed=1).lower >= bar for run in counts]))

    assert 0.7 < power(asked.trials) < 0.97
    assert power(max(1, asked.trials // 4)) < 0.62


def test_the_tasks_that_are_asked_for_decide_in_four_runs_of_five():
    """Drawn from tasks like those that were seen, so many of them decide in about 80 % of runs."""
    results = {f"a{n}": "pp" for n in range(20)} | {f"b{n}": "ff" for n in range(4)}
    asked = says("reliability", evidence(results), at_least=0.75).need
    assert asked is not None
    assert asked.trials is None
    assert asked.tasks is not None
    draw = np.random.default_rng(2)
    runs = draw.binomial(1, 20 / 24, size=(150, asked.tasks)) * 2
    limits = [limited([TaskCount(int(passed), 2, 2) for passed in run], pass_k.STATISTIC, 1, seed=1).lower for run in runs]
    assert 0.7 < float(np.mean([low >= 0.75 for low in limits])) < 0.95

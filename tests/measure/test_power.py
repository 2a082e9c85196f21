"""Power: what a drop needs, against statsmodels, and that what is asked for is the least that does."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from seatrial.base.errors import UsageError
from seatrial.measure import power
from seatrial.measure.paired_t import paired_t

WITHIN = {"within_before": 0.1, "within_after": 0.1}
variances = st.floats(0.0, 0.2)


@settings(max_examples=40)
@given(st.floats(0.04, 2.0), st.booleans())
def test_tasks_by_students_t_are_those_of_statsmodels(effect, two_sided):
    """The number of tasks is the next whole one above what `TTestPower` solves for, at least two."""
    side = "two-sided" if two_sided else "larger"
    right = TTestPower().solve_power(effect_size=effect, power=0.8, alpha=0.05, alternative=side)
    assert power.tasks_for_spread(effect, spread=1.0, two_sided=two_sided) == pytest.approx(max(2, np.ceil(right)), abs=1e-9)


@settings(max_examples=60)
@given(st.floats(0.02, 0.3), st.integers(5, 300), st.floats(0, 0.02), st.floats(0.01, 0.2), st.booleans())
def test_trials_needed_are_the_fewest_that_do(delta, tasks, between, within, two_sided):
    """With the trials asked for the drop is found, with one less it is not; none are asked for only if the tasks alone hide it."""
    sides = {"between": between, "within_before": within, "within_after": within}
    trials = power.trials_needed(delta, tasks=tasks, **sides, two_sided=two_sided)

    def found(number):
        drop = power.smallest_drop(tasks=tasks, **sides, trials_before=number, trials_after=number, two_sided=two_sided)
        return drop <= delta * (1 + 1e-6)

    if trials is None:
        assert power.drop_for_spread(spread=between**0.5, tasks=tasks, two_sided=two_sided) >= delta * (1 - 1e-6)
    else:
        assert found(trials)
        assert trials == 1 or not found(trials - 1) or delta == pytest.approx(0)


@settings(max_examples=60)
@given(st.floats(0.02, 0.5), variances, variances, variances, st.integers(1, 16))
def test_tasks_needed_are_the_fewest_that_do(delta, between, before, after, trials):
    """With the tasks asked for the drop is found, with one less it is not."""
    assume(between + before + after > 1e-3)
    sides = {"between": between, "within_before": before, "within_after": after, "trials_before": trials, "trials_after": trials}
    tasks = power.tasks_needed(delta, **sides)
    assert power.smallest_drop(tasks=tasks, **sides) <= delta * (1 + 1e-6)
    assert tasks == 2 or power.smallest_drop(tasks=tasks - 1, **sides) > delta


def test_the_figures_of_the_reference_by_the_published_formula():
    """A drop of 3 points needs 393 tasks of 8 trials, 611 of 4, or 1,919 of 1; Student's t adds two."""
    spreads = [power.spread_of(0.02, (0.1, trials), (0.1, trials)) for trials in (8, 4, 1)]
    assert [power.tasks_by_formula(0.03, spread=spread) for spread in spreads] == [393, 611, 1919]
    assert [power.tasks_for_spread(0.03, spread=spread) for spread in spreads] == [395, 613, 1921]


def test_the_smallest_drop_of_150_tasks():
    """150 tasks of 8 trials find a drop of 4.9 points, 50 find one of 8.6."""
    found = [power.smallest_drop(tasks=m, between=0.02, **WITHIN, trials_before=8, trials_after=8) for m in (150, 50)]
    assert found == pytest.approx([0.0488, 0.0857], abs=1e-4)


def test_no_number_of_trials_replaces_tasks():
    """When the tasks differ too much between themselves the answer is none, not a large number."""
    assert power.trials_needed(0.03, tasks=150, between=0.02, **WITHIN) is None
    assert power.trials_needed(0.05, tasks=150, between=0.02, **WITHIN) == 8


def test_a_baseline_that_keeps_its_trials_asks_more_of_the_candidate():
    """The candidate alone must make up for a baseline of few trials, and cannot when those alone hide the drop."""
    both = power.trials_needed(0.05, tasks=150, between=0.01, **WITHIN)
    alone = power.trials_needed(0.05, tasks=150, between=0.01, **WITHIN, trials_before=4)
    assert both < alone
    assert power.trials_needed(0.05, tasks=150, between=0.01, **WITHIN, trials_before=1) is None


def test_a_bar_is_a_baseline_without_noise():
    """Against a fixed bar only the candidate's own trials matter."""
    options = {"tasks": 100, "between": 0.01, "within_before": 0.0, "two_sided": False}
    assert power.trials_needed(0.05, within_after=0.0, **options) == 1
    assert power.trials_needed(0.05, within_after=0.15, **options) > 1
    assert power.trials_needed(0.01, within_after=0.0, **options) is None


def test_the_power_promised_is_the_power_had():
    """In 2,000 simulated comparisons of the tasks asked for, about 80 % find the drop."""
    delta, spread = 0.05, 0.2
    tasks = power.tasks_for_spread(delta, spread=spread)
    draws = np.random.default_rng(11).normal(-delta, spread, (2_000, tasks))
    assert np.mean([paired_t(row).p_two_sided < 0.05 for row in draws]) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(
    "call",
    [
        lambda: power.tasks_for_spread(0.0, spread=0.1),
        lambda: power.tasks_for_spread(-0.1, spread=0.1),
        lambda: power.tasks_for_spread(float("nan"), spread=0.1),
        lambda: power.tasks_for_spread(1e-300, spread=1.0),
        lambda: power.drop_for_spread(spread=-0.1, tasks=10),
        lambda: power.drop_for_spread(spread=0.1, tasks=1),
        lambda: power.drop_for_spread(spread=0.1, tasks=10, power=1.0),
        lambda: power.spread_of(-0.1, (0.1, 1)),
        lambda: power.spread_of(0.1, (0.1, 0)),
        lambda: power.trials_needed(0.05, tasks=1, between=0.02, **WITHIN),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(call):
    """No difference, no trial, one task, a negative variance: an error, not a number."""
    with pytest.raises(UsageError):
        call()

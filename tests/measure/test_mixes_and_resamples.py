"""Scores on one mix of slices, and the exact law of the bootstrap over tasks against going through all resamples."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import task_bootstrap
from seatrial.measure.standardised import Part, standardised
from seatrial.measure.task_bootstrap import law

parts = st.builds(Part, st.floats(0, 1), st.integers(1, 50))


@given(st.dictionaries(st.sampled_from("abc"), st.tuples(parts, parts), min_size=1))
def test_on_its_own_mix_the_baseline_is_unchanged_and_the_gap_is_that_of_slices(slices):
    """The difference on one mix is the weighted mean of the differences of slices, whatever the candidate's own mix."""
    before, after = ({name: pair[side] for name, pair in slices.items()} for side in (0, 1))
    found = standardised(before, after)
    assert found.before_on_mix == pytest.approx(found.before)
    total = sum(part.tasks for part in before.values())
    gap = sum(part.tasks * found.differences[name] for name, part in before.items()) / total
    assert found.after_on_mix - found.before_on_mix == pytest.approx(gap, abs=1e-12)


def test_easy_tasks_added_do_not_pass_for_progress():
    """Both slices fall by 2 points while the pooled score rises by 13: on one mix it falls by 2."""
    before = {"easy": Part(0.90, 100), "hard": Part(0.30, 100)}
    after = {"easy": Part(0.88, 300), "hard": Part(0.28, 100)}
    found = standardised(before, after)
    assert found.after - found.before == pytest.approx(0.13)
    assert found.after_on_mix - found.before_on_mix == pytest.approx(-0.02)
    traffic = standardised(before, after, weights={"easy": 1, "hard": 9})
    assert traffic.after_on_mix == pytest.approx(0.34)


@pytest.mark.parametrize(
    ("after", "weights", "words"),
    [
        ({"esay": Part(0.5, 10)}, None, "Did you mean 'esay'"),
        ({"easy": Part(0.5, 10)}, {"easy": 0.0}, "not all 0"),
        ({"easy": Part(0.5, 10)}, {"easy": -1.0}, "0 or more"),
        ({"easy": Part(0.5, 10)}, {"easy": float("inf")}, "finite"),
    ],
)
def test_a_mix_that_cannot_be_is_refused(after, weights, words):
    """A slice that one side lacks has no score on the mix: it is not left out in silence."""
    with pytest.raises(UsageError, match=words):
        standardised({"easy": Part(0.5, 10)}, after, weights=weights)


@settings(max_examples=40)
@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 53 / 140, 1.0, -0.25]), min_size=1, max_size=5))
def test_the_law_is_that_of_all_resamples(values):
    """Chance and quantiles are those found by going through all m^m resamples."""
    exact = [task_bootstrap._fraction(value) for value in values]
    means = sorted(sum(picked, Fraction()) / len(values) for picked in product(exact, repeat=len(values)))
    found = law(values)
    assert sum(found.weights) == len(means)
    assert found.at_most(0.25) == Fraction(sum(mean <= 0.25 for mean in means), len(means))
    for share in (0.025, 0.5, 0.975):
        assert found.quantile(share) == next(
            m for i, m in enumerate(means, 1) if Fraction(i, len(means)) >= task_bootstrap._fraction(share)
        )


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12))
def test_the_variance_of_the_law_is_that_of_the_values_over_their_number(values):
    """Its variance is the mean squared deviation divided by m, exactly."""
    exact = [Fraction(value) for value in values]
    mean = sum(exact, Fraction()) / len(exact)
    assert law(values).variance == sum(((value - mean) ** 2 for value in exact), Fraction()) / len(exact) ** 2


def test_when_all_tasks_agree_the_bootstrap_has_no_width():
    """Twenty of twenty gives 1 to 1: the reason why reports use another interval."""
    found = law([1.0] * 20)
    assert found.quantile(0.025) == found.quantile(0.975) == 1


@pytest.mark.parametrize("values", [[], [float("nan")], [float("inf")]])
def test_values_without_a_law_are_refused(values):
    """No value, or one that is not finite, is an error."""
    with pytest.raises(UsageError):
        law(values)


def test_a_law_too_large_to_count_is_refused(monkeypatch):
    """Beyond the bound the way out is named, before memory is full."""
    monkeypatch.setattr(task_bootstrap, "MOST", 50)
    with pytest.raises(UsageError, match="draw a bootstrap instead"):
        law([0.1, 0.23, 0.37, 0.51, 0.77])

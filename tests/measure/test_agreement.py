"""Agreement of judges and people, and the rate behind a judge: right against libraries, undefined where nothing could be seen."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seatrial.base.errors import MissingExtra, UsageError
from seatrial.measure import agreement, krippendorff_alpha
from seatrial.measure.krippendorff_alpha import krippendorff_alpha as alpha
from seatrial.measure.prediction_powered_mean import TUNED_FROM, prediction_powered_mean
from seatrial.measure.rogan_gladen import Labelled, rogan_gladen
from seatrial.measure.weighted_kappa import weighted_kappa

inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")


@st.composite
def tables(draw, least: int = 2, most: int = 4) -> list[list[int]]:
    classes = draw(st.integers(least, most))
    rows = [draw(st.lists(st.integers(0, 12), min_size=classes, max_size=classes)) for _ in range(classes)]
    assume(sum(map(sum, rows)))
    return rows


def pairs(table: list[list[int]]) -> list[tuple[int, int]]:
    """Return the pair of ratings of each unit."""
    classes = range(len(table))
    return [(i, j) for i in classes for j in classes for _ in range(table[i][j])]


@given(tables())
def test_each_number_is_agreement_beyond_chance_by_enumeration(table):
    """p_e of each is the chance that two ratings, drawn as its source says, are the same."""
    found, units, classes = agreement.agreement(table), pairs(table), len(table)
    observed = sum(i == j for i, j in units) / len(units)
    chance_kappa = np.mean([i == j for (i, _), (_, j) in product(units, units)])
    either = [rating for unit in units for rating in unit]
    mean = [either.count(one) / len(either) for one in range(classes)]
    chances = {
        "kappa": chance_kappa,
        "scott_pi": sum(m * m for m in mean),
        "ac1": sum(m * (1 - m) for m in mean) / (classes - 1),
        "bennett_s": 1 / classes,
    }
    assert found.observed == pytest.approx(observed)
    for name, chance in chances.items():
        ours = getattr(found, name)
        if ours is None:
            assert chance == pytest.approx(1)
        else:
            assert ours == pytest.approx((observed - chance) / (1 - chance))


@given(tables())
def test_kappas_agree_with_statsmodels(table):
    """Plain, linear and quadratic kappa are the library's, and undefined where it has no number."""
    for weights, ours in (
        (None, agreement.agreement(table).kappa),
        *((w, weighted_kappa(table, weights=w)) for w in ("linear", "quadratic")),
    ):
        with np.errstate(all="ignore"):
            right = inter_rater.cohens_kappa(np.array(table), wt=weights, return_results=False)
        if ours is None:
            assert not np.isfinite(right)
        else:
            assert ours == pytest.approx(float(right), abs=1e-9)


def test_two_raters_who_always_say_the_same_show_no_kappa():
    """Nothing could disagree: kappa, pi and alpha are undefined, never 0 and never 1."""
    found = agreement.agreement([[50, 0], [0, 0]])
    assert (found.observed, found.kappa, found.scott_pi, found.ac1) == (1.0, None, None, 1.0)
    assert weighted_kappa([[50, 0, 0], [0, 0, 0], [0, 0, 0]]) is None
    assert alpha([[1, 1, 1], [1, 1, None]], level="nominal") is None


def test_kappa_and_ac1_part_when_nearly_all_is_of_one_class():
    """118 of 125 alike: kappa is below 0 and AC1 0.94, which is why neither is shown alone."""
    found = agreement.agreement([[118, 5], [2, 0]])
    assert found.kappa < 0
    assert found.ac1 > 0.94


@settings(max_examples=30)
@given(tables(), st.integers(0, 5))
def test_intervals_of_agreement_have_width_and_hold_the_value(table, seed):
    """They are never of zero width, and hold the value but for the pull of the prior."""
    assume(sum(map(sum, table)) >= 8)
    found = agreement.agreement(table)
    for name, interval in agreement.intervals(table, seed=seed)._asdict().items():
        value = getattr(found, name)
        assert interval.lower < interval.upper <= 1
        if value is not None and found.observed > 0:
            assert interval.lower - 0.05 <= value <= interval.upper + 0.05
    assert agreement.intervals(table, seed=seed) == agreement.intervals(table, seed=seed)


def test_sensitivity_and_specificity_are_by_what_people_said():
    """Of 100 that people passed the judge passed 90; of 50 that they failed it failed 40; a class without units has no number."""
    table = [[90, 10], [10, 40]]
    found = agreement.sensitivity(table), agreement.specificity(table)
    assert [one.value for one in found] == [0.9, 0.8]
    assert all(one.lower < one.value < one.upper for one in found)
    assert agreement.specificity([[5, 0], [1, 0]]).value is None
    with pytest.raises(UsageError, match="two classes"):
        agreement.sensitivity([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("table", [[], [[3]], [[1, 2]], [[1, 2], [3]], [[1, -1], [0, 1]], [[0, 0], [0, 0]]])
def test_a_table_that_is_none_is_refused(table):
    """Not square, one class, a negative count, no unit."""
    for function in (agreement.agreement, agreement.intervals, weighted_kappa):
        with pytest.raises(UsageError):
            function(table)


@given(st.lists(st.lists(st.sampled_from([None, 1, 2, 3]), min_size=6, max_size=6), min_size=2, max_size=4))
def test_nominal_alpha_is_observed_over_expected_disagreement(ratings):
    """By enumeration of pairs of ratings within units and over all units; undefined where nothing can disagree."""
    units = [[one for one in unit if one is not None] for unit in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    every = [one for unit in units for one in unit]
    ours = alpha(ratings, level="nominal")
    if len(set(every)) < 2:
        assert ours is None
        return
    within = sum(sum(a != b for a, b in product(unit, unit)) / (len(unit) - 1) for unit in units) / len(every)
    over = sum(a != b for a, b in product(every, every)) / (len(every) * (len(every) - 1))
    assert ours == pytest.approx(1 - within / over)


def test_alpha_has_an_interval_only_where_raters_disagreed():
    """Redrawing units that all agree shows no spread, and that is no certainty."""
    mixed = [[1, 2, 3, 3, 2, 1, 4, 1, 2, None], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5], [None, 3, 3, 3, 2, 3, 4, 2, 2, 5]]
    interval = krippendorff_alpha.interval(mixed, level="ordinal")
    assert interval.lower < alpha(mixed, level="ordinal") < interval.upper <= 1
    assert interval == krippendorff_alpha.interval(mixed, level="ordinal")
    assert krippendorff_alpha.interval([[1, 2, 3], [1, 2, 3]], level="ordinal") is None
    with pytest.raises(UsageError, match="each unit"):
        alpha([[1, 2], [1]], level="nominal")


@pytest.mark.parametrize(
    ("ratings", "level"),
    [([[float("nan"), 1], [1, 2]], "nominal"), ([[float("inf"), 1], [1, 2]], "interval"), ([[-1, 1], [1, -1]], "ratio")],
)
def test_a_rating_that_is_no_number_of_its_level_is_refused(ratings, level):
    """Alpha is a number or undefined, never nan: ratings are finite, and at level ratio 0 or more."""
    with pytest.raises(UsageError, match="a rating must be"):
        alpha(ratings, level=level)
    with pytest.raises(UsageError, match="a rating must be"):
        krippendorff_alpha.interval(ratings, level=level)


def test_a_missing_library_names_its_extra(monkeypatch):
    """Without `krippendorff` the error says how to get it."""
    monkeypatch.setitem(__import__("sys").modules, "krippendorff", None)
    with pytest.raises(MissingExtra, match=r"seatrial\[statistics\]"):
        alpha([[1, 2], [1, 2]], level="nominal")


@given(st.floats(0, 1), st.integers(1, 9), st.integers(1, 9))
def test_the_correction_undoes_the_judges_errors(rate, misses, false_passes):
    """A judge with known errors sees an apparent rate, from which the true one comes back."""
    units = 10_000_000
    apparent = rate * (1 - misses / 20) + (1 - rate) * false_passes / 20
    found = rogan_gladen(round(apparent * units), units, Labelled(20 - misses, 20, 20 - false_passes, 20))
    assert found.value == pytest.approx(rate, abs=1e-5)
    assert 0 <= found.clipped <= 1
    assert found.error > 0


def test_a_judge_that_tells_nothing_corrects_nothing():
    """Sensitivity and specificity that sum to 1 or less leave no value, and the note says why; outside of 0 to 1 is said too."""
    for labelled in (Labelled(50, 100, 50, 100), Labelled(20, 100, 20, 100)):
        found = rogan_gladen(500, 1000, labelled)
        assert (found.value, found.clipped, found.error, found.variance) == (None, None, None, None)
        assert "tells nothing" in found.note
    low, high = (rogan_gladen(passed, 1000, Labelled(90, 100, 80, 100)) for passed in (150, 950))
    assert (low.clipped, high.clipped) == (0.0, 1.0)
    assert low.value < 0
    assert "specificity" in low.note
    assert high.value > 1
    assert "sensitivity" in high.note


@pytest.mark.parametrize(
    ("passed", "trials", "labelled"), [(1, 0, (1, 1, 1, 1)), (2, 1, (1, 1, 1, 1)), (1, 1, (0, 0, 1, 1)), (1, 1, (1, 1, 2, 1))]
)
def test_a_correction_needs_labels_of_both_classes(passed, trials, labelled):
    """A class without a labelled unit, or counts that contradict each other, are refused."""
    with pytest.raises(UsageError, match="counts within"):
        rogan_gladen(passed, trials, Labelled(*labelled))


labels = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=30)


@given(labels, st.lists(st.integers(0, 1), min_size=1, max_size=60), st.floats(0, 1))
def test_prediction_powered_means_are_means_with_the_judges_errors_taken_off(both, unlabelled, weight):
    """At weight 0 the judge is not heard, at weight 1 it is corrected by its mean error on the labelled."""
    people, judge = zip(*both, strict=True)
    found = prediction_powered_mean(people, judge, unlabelled, weight=weight)
    right = weight * np.mean(unlabelled) + np.mean(people) - weight * np.mean(judge)
    assert found.value == pytest.approx(right)
    variance = weight**2 * np.var(unlabelled) / len(unlabelled) + np.var(np.subtract(people, np.multiply(weight, judge))) / len(people)
    assert (found.error or 0.0) == pytest.approx(np.sqrt(variance), abs=1e-7)
    assert prediction_powered_mean(people, judge, unlabelled, weight=0).value == pytest.approx(found.people_only)


def test_a_tuned_weight_is_never_worse_than_no_judge_and_few_labels_are_not_tuned():
    """From 100 labels on the weight is the one with the least variance; a judge that says the same of all gets none."""
    generator = np.random.Generator(np.random.PCG64(3))
    people = generator.integers(0, 2, 400).tolist()
    judge = [one if generator.random() < 0.8 else 1 - one for one in people]
    unlabelled = generator.integers(0, 2, 2000).tolist()
    tuned = prediction_powered_mean(people, judge, unlabelled)
    assert 0 < tuned.weight < 1
    for weight in (0, 0.25, 0.5, 0.75, 1):
        assert tuned.error <= prediction_powered_mean(people, judge, unlabelled, weight=weight).error + 1e-4
    assert prediction_powered_mean(people[: TUNED_FROM - 1], judge[: TUNED_FROM - 1], unlabelled).weight == 1
    assert prediction_powered_mean(people, [1] * 400, unlabelled).weight == 0


def test_a_mean_without_spread_has_no_interval():
    """One label, or labels that all agree with a judge who always says the same, show no error, which is none of 0."""
    assert prediction_powered_mean([1], [1], [1, 0]).interval() is None
    assert prediction_powered_mean([1, 1], [1, 1], [1, 1]).interval() is None
    found = prediction_powered_mean([1, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0])
    assert found.interval().lower < found.value < found.interval().upper


@pytest.mark.parametrize(
    ("people", "judge", "rest", "weight"), [([], [], [1], None), ([1], [], [1], None), ([1], [1], [], None), ([1], [1], [1], 2)]
)
def test_a_mean_needs_labels_and_units_to_correct(people, judge, rest, weight):
    """No label, a label without a judge's value, nothing unlabelled, or a weight beyond 0 to 1 is refused."""
    with pytest.raises(UsageError):
        prediction_powered_mean(people, judge, rest, weight=weight)

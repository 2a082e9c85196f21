"""What limits and p values say: bars, margins, slices, several tests; each rule as a table, against libraries where they have it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as right_mcnemar
from statsmodels.stats.multitest import multipletests

from seatrial.base.errors import UsageError
from seatrial.measure import non_inferiority
from seatrial.measure.bar import against_bar, under_ceiling
from seatrial.measure.false_discovery import false_discovery
from seatrial.measure.holm import holm
from seatrial.measure.mcnemar import mcnemar
from seatrial.measure.non_inferiority import not_worse, p_not_worse
from seatrial.measure.slice_alarm import alarm
from seatrial.records.estimate import Difference, Estimate

p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=12)
limit = st.floats(-1, 1)


@pytest.mark.parametrize(
    ("lower", "upper", "decision"),
    [
        (0.91, 0.97, "pass"),
        (0.90, 0.97, "pass"),
        (0.85, 0.95, "inconclusive"),
        (0.85, 0.90, "inconclusive"),
        (0.80, 0.89, "fail"),
        (None, 0.89, "fail"),
        (0.91, None, "pass"),
        (None, None, "inconclusive"),
        (None, 0.97, "inconclusive"),
    ],
)
def test_a_bar(lower, upper, decision):
    """The lower limit must reach the bar, the upper limit below it fails; what is not known decides nothing."""
    assert against_bar(lower, upper, 0.90) == decision


@pytest.mark.parametrize(
    ("lower", "upper", "decision"),
    [
        (0.5, 1.0, "pass"),
        (0.5, 1.1, "inconclusive"),
        (1.0, 1.1, "inconclusive"),
        (1.01, 1.1, "fail"),
        (1.01, None, "fail"),
        (0.5, None, "inconclusive"),
        (None, 0.9, "pass"),
        (None, None, "inconclusive"),
    ],
)
def test_a_ceiling(lower, upper, decision):
    """The upper limit must stay at or under the ceiling, a lower limit above it fails."""
    assert under_ceiling(lower, upper, 1.0) == decision


@given(limit, limit, limit)
def test_a_bar_is_a_ceiling_upside_down(one, other, bar):
    """What passes a bar passes the same ceiling with all signs turned."""
    lower, upper = sorted((one, other))
    assert against_bar(lower, upper, bar) == under_ceiling(-upper, -lower, -bar)


@pytest.mark.parametrize(
    ("lower", "upper", "decision", "words"),
    [
        (0.01, 0.06, "pass", non_inferiority.BETTER),
        (0.00, 0.06, "pass", non_inferiority.NOT_WORSE),
        (-0.02, 0.05, "pass", non_inferiority.NOT_WORSE),
        (-0.02, -0.005, "pass", non_inferiority.SMALL_DROP),
        (-0.03, 0.05, "inconclusive", non_inferiority.INCONCLUSIVE),
        (-0.06, 0.02, "inconclusive", non_inferiority.INCONCLUSIVE),
        (-0.06, 0.0, "inconclusive", non_inferiority.INCONCLUSIVE),
        (-0.09, -0.01, "fail", non_inferiority.CONFIRMED_DROP),
        (-0.09, -0.03, "fail", non_inferiority.CONFIRMED_DROP),
        (-0.09, -0.04, "fail", non_inferiority.WORSE),
        (None, -0.01, "fail", non_inferiority.CONFIRMED_DROP),
        (None, 0.01, "inconclusive", non_inferiority.INCONCLUSIVE),
        (None, None, "inconclusive", non_inferiority.INCONCLUSIVE),
        (-0.01, None, "pass", non_inferiority.NOT_WORSE),
    ],
)
def test_a_margin(lower, upper, decision, words):
    """The lower limit must lie above minus the margin; a confirmed drop fails unless it lies within the margin, and is then listed."""
    assert not_worse(lower, upper, 0.03) == (decision, words)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=20), st.floats(0, 0.5))
def test_p_of_a_margin_and_its_limit_say_the_same(differences, margin):
    """p is below 5 % exactly where the one-sided lower limit lies above minus the margin."""
    from seatrial.measure.paired_t import paired_t

    tested, p = paired_t(differences), p_not_worse(differences, margin)
    assert (p is None) == (tested is None)
    if tested is not None and abs(p - 0.05) > 1e-9:
        assert (p < 0.05) == (not_worse(tested.one_sided.lower, tested.one_sided.upper, margin).value == "pass")


@pytest.mark.parametrize(
    "call",
    [
        lambda: against_bar(float("nan"), 1.0, 0.5),
        lambda: against_bar(0.9, 0.1, 0.5),
        lambda: under_ceiling(0.1, 0.9, float("nan")),
        lambda: not_worse(-0.1, 0.1, -0.03),
        lambda: not_worse(0.1, -0.1, 0.03),
        lambda: holm([0.5, 1.2]),
        lambda: false_discovery([float("nan")]),
        lambda: mcnemar(-1, 2),
    ],
)
def test_limits_and_counts_that_cannot_be_are_refused(call):
    """nan, crossed limits, a negative margin, p values and counts that are none: an error, not a decision."""
    with pytest.raises(UsageError):
        call()


@settings(max_examples=20)  # multipletests collects the garbage of the whole process on every call
@given(p_lists)
def test_holm_is_that_of_statsmodels(p_values):
    """The corrected values are those of `multipletests`."""
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]), abs=1e-12)


@settings(max_examples=20)
@given(p_lists, st.sampled_from([("positive", "fdr_bh"), ("any", "fdr_by")]))
def test_false_discovery_is_that_of_statsmodels(p_values, names):
    """Both corrections are those of `multipletests`."""
    ours, right = names
    assert false_discovery(p_values, dependence=ours) == pytest.approx(list(multipletests(p_values, method=right)[1]), abs=1e-12)


def test_no_p_value_needs_no_correction():
    """Nothing in, nothing out."""
    assert holm([]) == false_discovery([]) == []


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_that_of_statsmodels_but_for_its_known_slip(before, after):
    """Exact and chi-square agree where tasks differ; at b = c every p is 1, where statsmodels corrects to less."""
    found = mcnemar(before, after)
    assert found == mcnemar(after, before)
    assert 0 < found.mid_p <= found.exact <= 1
    if before == after:
        corrected = found.p_chi_square_corrected
        assert (found.exact, found.mid_p, corrected) == (1.0, 1.0, None if before == 0 else 1.0)
        return
    table = [[0, before], [after, 0]]
    assert found.exact == pytest.approx(right_mcnemar(table, exact=True).pvalue)
    assert found.p_chi_square == pytest.approx(right_mcnemar(table, exact=False, correction=False).pvalue)
    assert found.p_chi_square_corrected == pytest.approx(right_mcnemar(table, exact=False, correction=True).pvalue)


def seen(value: float | None, p_worse: float | None) -> Difference:
    """Return a difference of a slice."""
    return Difference(Estimate("d", value), None, None, None, p_worse, None, 30, 12, None)


@pytest.mark.parametrize(
    ("value", "p_worse", "p_holm", "flipped", "found"),
    [
        (-0.11, 0.001, 0.004, 3, "confirmed"),
        (-0.11, 0.001, 0.05, 3, "suspect"),
        (-0.01, 0.09, 0.45, 0, "suspect"),
        (-0.01, 0.10, 0.50, 0, ""),
        (-0.03, 0.30, 1.0, 1, "suspect"),
        (-0.03, 0.30, 1.0, 0, ""),
        (-0.02, 0.30, 1.0, 1, ""),
        (0.05, 0.90, 1.0, 2, ""),
        (0.0, 1.0, 1.0, 2, ""),
        (None, None, None, 2, ""),
        (-0.05, None, None, 1, "suspect"),
        (-0.05, None, None, 0, ""),
    ],
)
def test_an_alarm_of_a_slice(value, p_worse, p_holm, flipped, found):
    """Confirmed by the corrected p, suspect by the plain p or by a drop of the margin with a task flipped; a gain never."""
    assert alarm(seen(value, p_worse), p_holm, margin=0.03, flipped=flipped) == found

"""Trials that stopped by a rule: the path count has no bias, the usual formula has, and a rule without a value is refused."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import stopped_designs
from seatrial.measure.pass_k import pass_k
from seatrial.measure.stopped_designs import Design
from seatrial.measure.task_count import TaskCount

DESIGNS = [
    stopped_designs.fixed(5),
    stopped_designs.stop_at_failures(1, 6),
    stopped_designs.stop_at_failures(3, 7),
    stopped_designs.pilot(3, 6),
    stopped_designs.pilot(2, 5),
    stopped_designs.pilot(4, 4),
    stopped_designs.listed([(1, 1), (2, 1), (3, 1), (3, 0)]),
    stopped_designs.listed([(3, 3), (6, 0), (6, 1), (6, 2), (6, 3), (6, 4), (6, 5)]),
]


def runs(design: Design) -> dict[tuple[bool, ...], int]:
    """Return every run of trials up to its stop, by going through all of them one trial after the other."""
    found = {}
    for outcomes in product((False, True), repeat=design.most):
        made = next(n for n in range(1, design.most + 1) if design.stops(n, sum(outcomes[:n])))
        found[outcomes[:made]] = sum(outcomes[:made])
    return found


@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_the_path_count_is_unbiased_and_its_bias_elsewhere_is_told(design, k, rate):
    """Over every run of the design the mean of the value is rate^k, and the usual formula is off by what is said."""
    if not stopped_designs.estimable(design, k):
        with pytest.raises(UsageError, match="no unbiased value"):
            stopped_designs.value(design, 0, 0, k)
        return
    mean = usual = Fraction(0)
    for outcomes, passed in runs(design).items():
        chance = rate**passed * (1 - rate) ** (len(outcomes) - passed)
        mean += chance * Fraction(stopped_designs.value(design, passed, len(outcomes), k)).limit_denominator(10**6)
        usual += chance * Fraction(comb(passed, k), comb(len(outcomes), k) or 1)
    assert mean == rate**k
    bias = stopped_designs.bias_of_fixed_formula(design, k, float(rate))
    if bias is None:
        assert min(map(len, runs(design))) < k
    else:
        assert bias == pytest.approx(float(usual - rate**k))


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_the_stops_are_those_that_can_be_reached(design):
    """No other numbers of trials and passes have a value, and these have."""
    reached = {(len(outcomes), passed) for outcomes, passed in runs(design).items()}
    assert set(stopped_designs.stops(design)) == reached
    for trials, passed in product(range(design.most + 2), repeat=2):
        if passed <= trials:
            assert (stopped_designs.value(design, passed, trials, 1) is None) == ((trials, passed) not in reached)


@given(n=st.integers(1, 40), k=st.integers(1, 40), data=st.data())
def test_a_fixed_design_is_pass_k(n, k, data):
    """Where nothing was looked at, the path count is C(c, k) / C(n, k); more draws than trials are refused."""
    c = data.draw(st.integers(0, n))
    if k > n:
        assert not stopped_designs.estimable(stopped_designs.fixed(n), k)
    else:
        assert stopped_designs.value(stopped_designs.fixed(n), c, n, k) == pytest.approx(pass_k(c, n, k))


def test_stopping_at_the_first_failure_costs_nothing_at_the_longest_k():
    """The value is 1 exactly when the first k trials passed, for every k up to the plan."""
    design = stopped_designs.stop_at_failures(1, 8)
    assert stopped_designs.value(design, 8, 8, 8) == 1.0
    assert [stopped_designs.value(design, 3, 4, k) for k in (1, 3, 4, 8)] == [1.0, 1.0, 0.0, 0.0]


def test_a_suite_has_an_interval_and_a_lost_task_is_bounded():
    """A task that is not at a stop has lost trials: it is 0 and 1, never dropped."""
    design = stopped_designs.stop_at_failures(1, 4)
    whole = stopped_designs.estimate([TaskCount(4, 4, 4), TaskCount(1, 2, 2)], design, 2)
    assert (whole.value, whole.bound_low) == (0.5, None)
    assert 0 < whole.lower < 0.5 < whole.upper < 1
    lost = stopped_designs.estimate([TaskCount(4, 4, 4), TaskCount(2, 2, 4)], design, 2)
    assert (lost.value, lost.bound_low, lost.bound_high, lost.unknown) == (None, 0.5, 1.0, 2)
    assert "1 of 2 tasks are not at a stop" in lost.note
    assert stopped_designs.estimate([], design, 2).value is None


def test_a_rule_that_stops_on_passes_is_refused_for_a_longer_k():
    """After a pilot of two that passed, four passes in a row were never seen."""
    with pytest.raises(UsageError, match="fewer than 4 trials that all passed"):
        stopped_designs.estimate([TaskCount(2, 2, 2)], stopped_designs.pilot(2, 4), 4)


@pytest.mark.parametrize(
    "make",
    [
        lambda: stopped_designs.fixed(0),
        lambda: stopped_designs.fixed(stopped_designs.MOST_TRIALS + 1),
        lambda: stopped_designs.stop_at_failures(0, 4),
        lambda: stopped_designs.pilot(5, 4),
    ],
)
def test_a_design_that_cannot_be_is_refused(make):
    """Numbers of a design agree, and are bounded."""
    with pytest.raises(UsageError, match="a design needs"):
        make()


@pytest.mark.parametrize("design", [stopped_designs.stop_at_failures(2, 6), stopped_designs.pilot(3, 5), stopped_designs.fixed(4)], ids=str)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_design_is_known_by_its_stops(design, k):
    """Given as a list of stops, a design has the values that its rule gives."""
    ends = stopped_designs.stops(design)
    by_stops = stopped_designs.listed(ends)
    assert [stopped_designs.value(by_stops, c, n, k) for n, c in ends] == [stopped_designs.value(design, c, n, k) for n, c in ends]


@pytest.mark.parametrize("ends", [[], [(2, 2)], [(1, 1), (1, 0), (2, 1)], [(2, 0), (2, 1)], [(0, 0)], [(1, 2), (1, 1), (1, 0)]])
def test_stops_that_are_no_design_are_refused(ends):
    """No stop, a way past them all, one that no task comes to, or one that cannot be."""
    with pytest.raises(UsageError):
        stopped_designs.listed(ends)

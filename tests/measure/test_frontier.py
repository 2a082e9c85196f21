"""The frontier: nobody on it is beaten, mixing reaches no more than the convex one, and one lucky task is no proof."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import frontier
from seatrial.measure.frontier import Point

points = st.lists(st.builds(Point, st.integers(0, 6).map(float), st.integers(0, 6).map(lambda n: n / 8)), min_size=1, max_size=9)


@given(points)
def test_a_point_is_off_the_plain_frontier_exactly_when_another_beats_it(found):
    """Beaten means: another costs no more, is worth no less, and is not the same point."""
    beaten = {
        i
        for i, j in product(range(len(found)), repeat=2)
        if found[j].cost <= found[i].cost and found[j].value >= found[i].value and found[i] != found[j]
    }
    assert set(frontier.plain(found)) == set(range(len(found))) - beaten


@given(points)
def test_no_mix_of_two_candidates_lies_above_the_convex_frontier(found):
    """At the cost of every point, no mix of any two points is worth more than the best mix of two corners."""
    corners = sorted({found[i] for i in frontier.convex(found)})
    assert set(frontier.convex(found)) <= set(frontier.plain(found))
    for at in {point.cost for point in found if corners[0].cost <= point.cost}:
        assert best_mix(found, at) == best_mix(corners, at)
    for before, middle, after in zip(corners, corners[1:], corners[2:], strict=False):
        assert slope(before, middle) > slope(middle, after) > 0


def best_mix(found, cost):
    """Return the most that a mix of two points is worth at no more than a cost, exactly."""
    best = max(Fraction(point.value) for point in found if point.cost <= cost)
    for left, right in product(found, repeat=2):
        if left.cost <= cost < right.cost:
            share = Fraction(cost - left.cost) / Fraction(right.cost - left.cost)
            best = max(best, (1 - share) * Fraction(left.value) + share * Fraction(right.value))
    return best


def slope(one, other):
    return Fraction(other.value - one.value) / Fraction(other.cost - one.cost)


def test_equal_points_stay_together():
    """Two candidates at one place are both on either frontier, or both off."""
    found = [Point(1, 0.5), Point(4, 0.9), Point(4, 0.9), Point(5, 0.9), Point(5, 0.9)]
    assert frontier.plain(found) == frontier.convex(found) == (0, 1, 2)


def test_a_point_on_the_line_between_two_corners_is_no_corner():
    """Thirds of a line are on it, whatever binary fractions make of them."""
    found = [Point(0.1, 0.1), Point(0.2, 0.2), Point(0.3, 0.3), Point(0.7, 0.7)]
    assert frontier.plain(found) == (0, 1, 2, 3)
    assert frontier.convex(found) == (0, 3)


@pytest.mark.parametrize("bad", [Point(float("nan"), 0.5), Point(1.0, float("inf"))])
def test_a_candidate_without_a_finite_place_is_refused(bad):
    """An unknown cost is left out before, and never compared."""
    with pytest.raises(UsageError, match="finite"):
        frontier.plain([Point(1.0, 0.5), bad])


def test_identical_candidates_are_tied_in_every_draw():
    """Nobody dominates its double, and both are always on the frontier."""
    found = frontier.standing([[1.0, 2.0, 3.0, 4.0, 5.0]] * 2, [[0.1, 0.7, 0.3, 1.0, 0.9]] * 2, draws=500)
    assert found == frontier.Standing((1.0, 1.0), ((0.0, 0.0), (0.0, 0.0)))


def test_a_candidate_as_good_and_cheaper_on_every_task_dominates_for_sure():
    """Equal results at half the price are no matter of chance."""
    values = [[1.0, 0.0, 1.0, 0.5, 1.0]] * 2
    found = frontier.standing([[1.0] * 5, [2.0] * 5], values, draws=500)
    assert found.on_frontier == (1.0, 0.0)
    assert found.dominates[0][1] == 1.0


def test_one_task_more_is_no_proof():
    """A cheaper candidate that passes a single task more is not said to dominate; with twelve more it is."""
    costs = [[1.0] * 40, [2.0] * 40]
    one = frontier.standing(costs, [[1.0] * 40, [0.0] + [1.0] * 39])
    twelve = frontier.standing(costs, [[1.0] * 40, [0.0] * 12 + [1.0] * 28])
    assert one.dominates[0][1] < 0.95 < twelve.dominates[0][1]


@given(st.integers(0, 5), st.permutations(range(4)))
def test_the_order_of_the_candidates_decides_nothing_where_they_differ_on_many_tasks(seed, order):
    """Shares belong to candidates, not to their places."""
    costs = [[1.0 + (task * 7 + who) % 5 for task in range(30)] for who in range(4)]
    values = [[((task * (3 + who)) % 11) / 10 for task in range(30)] for who in range(4)]
    found = frontier.standing(costs, values, seed=seed, draws=200)
    other = frontier.standing([costs[i] for i in order], [values[i] for i in order], seed=seed, draws=200)
    assert other.on_frontier == tuple(found.on_frontier[i] for i in order)
    assert other.dominates == tuple(tuple(found.dominates[i][j] for j in order) for i in order)


def test_few_tasks_say_nothing_and_ragged_ones_are_refused():
    """Below five tasks no share is given; candidates on different tasks have no common plane."""
    assert frontier.standing([[1.0] * 4], [[0.5] * 4]) is None
    assert frontier.standing([], []) is None
    with pytest.raises(UsageError, match="same tasks"):
        frontier.standing([[1.0] * 5, [1.0] * 6], [[0.5] * 5, [0.5] * 6])
    with pytest.raises(UsageError, match="expected costs and values"):
        frontier.standing([[1.0] * 5], [[0.5] * 6])

"""A published table of 20,500 trials: the figures that were recomputed from it by hand, to a millionth."""

from pathlib import Path

import pytest

from docs import humaneval

TABLE = Path("../shared/data/humaneval_trials.csv")
CURVES = {
    "GPT-3.5": (0.739024, 0.706707, 0.691463, 0.682927, 0.676829, 0.804878, 21),
    "Escalation": (0.850000, 0.843293, 0.840244, 0.837805, 0.835366, 0.865854, 5),
    "GPT-4": (0.896341, 0.878049, 0.867683, 0.862195, 0.859756, 0.926829, 11),
    "Warming (GPT-4)": (0.931707, 0.920732, 0.913415, 0.907317, 0.902439, 0.951220, 8),
    "Retry (GPT-4)": (0.919512, 0.910976, 0.904878, 0.900000, 0.896341, 0.932927, 6),
    "Reflexion (GPT-4)": (0.878049, 0.843293, 0.816463, 0.793902, 0.774390, 0.926829, 25),
    "LDB (GPT-4)": (0.932927, 0.914024, 0.904268, 0.898780, 0.896341, 0.969512, 12),
}
"""Agent → pass^1 to pass^5, pass@5, flaky tasks."""
COSTS = {"GPT-4": 1.930112, "LDB (GPT-3.5 on GPT-4)": 2.188584, "Warming (GPT-4)": 2.448440, "LDB (GPT-4)": 6.355392}
"""Agent → what a run of the set costs, with what it is built on."""
REACHED = ["GPT-3.5", "Escalation", "Warming (GPT-4)"]


@pytest.fixture(scope="module")
def found():
    """Return the agents on the plane and held against each other."""
    if not TABLE.exists():
        pytest.skip(f"{TABLE} is not here")
    return humaneval.figures(TABLE)


@pytest.fixture(scope="module")
def kind(found):
    """Return the only kind."""
    (one,) = found.plane.kinds
    return one


@pytest.fixture(scope="module")
def points(kind):
    """Return name in the page → its line."""
    return {humaneval.NAMES[point.name]: point for point in kind.points}


@pytest.mark.parametrize("agent", CURVES)
def test_curves_are_the_published_ones(points, agent):
    """pass^1 to pass^5, pass@5 and the number of flaky tasks of each agent."""
    *curve, at, flaky = CURVES[agent]
    assert [points[agent].at(k) for k in range(1, 6)] == pytest.approx(curve, abs=1e-6)
    assert (points[agent].pass_at.value, points[agent].flaky) == (pytest.approx(at, abs=1e-6), flaky)


@pytest.mark.parametrize("agent", COSTS)
def test_costs_carry_those_of_the_seed(points, agent):
    """LDB's own 4.425280 and the 1.930112 of the programs it starts from are 6.355392."""
    assert points[agent].cost_of_set == pytest.approx(COSTS[agent], abs=1e-6)


def test_the_frontiers_are_the_published_ones(kind):
    """LDB (GPT-4) ends the convex frontier of pass^1, and is on none of pass^3 and pass^5."""
    convex = {one.k: [humaneval.NAMES[name] for name in one.convex] for one in kind.frontiers}
    plain = {one.k: {humaneval.NAMES[name] for name in one.plain} for one in kind.frontiers}
    assert convex == {1: [*REACHED, "LDB (GPT-4)"], 3: REACHED, 5: REACHED}
    assert plain[1] == {*REACHED, "LDB (GPT-4)", "GPT-4", "LDB (GPT-3.5 on GPT-4)"}
    assert "LDB (GPT-4)" not in plain[3] | plain[5]


def test_what_the_table_lacks_is_unknown(points, kind):
    """Reflexion has no cost in it, so whatever starts from its programs has none either; a single run has no pass^2."""
    unknown = {"Reflexion (GPT-4)", "LDB (GPT-3.5 on Reflexion)", "LDB (GPT-4 on Reflexion)", "LATS (GPT-3.5)"}
    assert {name for name, point in points.items() if point.cost.value is None} == unknown
    assert {humaneval.NAMES[name] for name in kind.frontiers[0].absent} == unknown
    assert [points["LATS (GPT-3.5)"].at(k) for k in (2, 5)] == [None, None]
    assert points["LDB (GPT-3.5)"].note == "usd of the trials with a known one; 164 trials without"


def test_between_ldb_and_warming_no_difference_is_detected(found):
    """Both intervals hold zero; the differences are those of the trials."""
    ldb, reflexion = found.comparisons
    (kind,) = ldb.kinds
    assert (kind.strict.estimate.value, kind.strict_k.estimate.value) == pytest.approx((0.001220, -0.006098), abs=1e-6)
    for one in (kind.strict, kind.strict_k):
        assert one.estimate.lower < 0 < one.estimate.upper
    assert "no difference detected" in ldb.conclusion
    (kind,) = reflexion.kinds
    assert (kind.strict.estimate.value, kind.strict_k.estimate.value) == pytest.approx((0.028049, -0.060976), abs=1e-6)


def test_the_page_and_its_picture_are_what_the_program_writes(found):
    """Writing them again changes nothing."""
    text = humaneval.PAGE.read_text(encoding="utf-8")
    assert humaneval.page(text, humaneval.tables(found)) == text
    assert humaneval.PICTURE.read_text(encoding="utf-8") == humaneval.plane_svg.render(found.plane)

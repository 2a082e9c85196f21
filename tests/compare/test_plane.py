"""Several candidates on the plane: the same tasks for all, costs that carry what they are built on, and no place for the unknown."""

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from seatrial.base.errors import UsageError
from seatrial.compare.naming import distinct_names
from seatrial.compare.plane import plane
from tests.compare._candidates import run

TASKS = [f"t{index:02}" for index in range(12)]


def suite(letters: str, times: int = 12) -> dict[str, str]:
    """Return tasks that all have the same trials."""
    return dict.fromkeys(TASKS[:times], letters)


CHEAP = run("cheap", {**suite("pppp", 8), **dict.fromkeys(TASKS[8:], "ffff")}, usd=0.1)
MIDDLE = run("middle", {**suite("pppp", 10), **dict.fromkeys(TASKS[10:], "pfff")}, usd=0.5)
DEAR = run("dear", suite("pppf"), usd=2.0)


def only(found):
    (kind,) = found.kinds
    return kind


def test_points_hold_the_curve_and_what_a_run_of_the_set_costs():
    """pass^k over the shared tasks, pass@k at the largest k, flaky tasks, and the cost of one trial of each task."""
    first, _, third = only(plane([CHEAP, MIDDLE, DEAR])).points
    assert (first.name, first.at(1), first.at(4), first.cost_of_set, first.flaky) == ("cheap", 8 / 12, 8 / 12, pytest.approx(1.2), 0)
    assert [third.at(k) for k in (1, 2, 3, 4)] == [comb(3, k) / comb(4, k) for k in (1, 2, 3, 4)]
    assert (third.pass_at.name, third.pass_at.value, third.flaky) == ("pass@4", 1.0, 12)
    assert third.cost_per_success.value == pytest.approx(2.0 / 0.75)


def test_a_k_that_nobody_has_trials_for_is_left_out():
    """Four trials a task give a plane of pass^1 and pass^3, and none of pass^5."""
    assert [frontier.k for frontier in only(plane([CHEAP, DEAR])).frontiers] == [1, 3]


def test_who_is_on_a_frontier_depends_on_the_k_that_is_asked_for():
    """Sometimes on every task is worth more than always on half of them when a trial must pass once, and nothing when all must."""
    steady, lucky = run("steady", {**suite("pppp", 7), **dict.fromkeys(TASKS[7:], "ffff")}, usd=0.1), DEAR
    first, fourth = only(plane([steady, lucky], ks=(1, 4))).frontiers
    assert first.plain == first.convex == ("steady", "dear")
    assert fourth.plain == ("steady",)
    behind = fourth.places[1]
    assert behind.dominated_by == "steady"
    assert behind.p_frontier < 0.05
    assert behind.p_dominated > 0.95


def test_a_candidate_carries_the_cost_of_what_it_is_built_on():
    """Task by task, through the whole chain, whether the run says so or the reader does."""
    costs = {task: 0.01 * (index + 1) for index, task in enumerate(TASKS)}
    base = run("base", suite("pf"), usd=costs)
    debugger = run("debugger", suite("pp"), usd=1.0, built_on="base")
    judge = run("judge", suite("pp"), usd=0.5)
    found = {point.name: point for point in only(plane([base, debugger, judge], built_on={"judge": "debugger"})).points}
    assert found["judge"].built_on == ("debugger", "base")
    assert found["judge"].own_cost == pytest.approx(0.5)
    assert found["judge"].cost_of_set == pytest.approx(12 * 1.5 + sum(costs.values()))
    assert found["debugger"].cost_of_set == pytest.approx(12 * 1.0 + sum(costs.values()))


def test_what_the_reader_says_of_lineage_wins():
    """A run that names another base is corrected."""
    runs = [run("a", suite("p"), usd=1.0), run("b", suite("p"), usd=5.0), run("c", suite("p"), usd=1.0, built_on="b")]
    points = only(plane(runs, built_on={"c": "a"})).points
    assert (points[2].built_on, points[2].cost.value) == (("a",), 2.0)


@pytest.mark.parametrize(
    ("built_on", "expected"),
    [
        ({"cheap": "daer"}, "there is no candidate 'daer' among the runs. Did you mean 'dear'?"),
        ({"chaep": "dear"}, "Did you mean 'cheap'?"),
        ({"cheap": "dear", "dear": "cheap"}, "the candidate 'cheap' is built on itself: cheap ← dear ← cheap."),
        ({"cheap": "cheap"}, "built on itself"),
    ],
)
def test_a_lineage_that_cannot_be_is_refused(built_on, expected):
    """Wrong names and circles."""
    with pytest.raises(UsageError) as caught:
        plane([CHEAP, DEAR], built_on=built_on)
    assert expected in str(caught.value)


def test_a_base_that_is_not_there_leaves_the_cost_unknown():
    """It is not zero, and the warning names it."""
    found = plane([CHEAP, run("late", suite("pppp"), built_on="gone")])
    late = only(found).points[1]
    assert (late.cost.value, late.cost_of_set, late.own_cost) == (None, None, 1.0)
    assert "late is built on gone, which is not among the runs: its cost is not known" in found.warnings
    assert only(found).frontiers[0].absent == ("late",)


def test_a_candidate_of_unknown_cost_is_listed_and_has_no_place():
    """One task without a cost is enough: the mean over the others is another denominator."""
    costs = {task: None if task == "t03" else 1.0 for task in TASKS}
    found = only(plane([CHEAP, run("partly", suite("pppp"), usd=costs), run("never", suite("pppp"), usd=None)]))
    assert [frontier.absent for frontier in found.frontiers] == [("partly", "never")] * 2
    assert [point.note for point in found.points] == ["", "usd not known on 1 of 12 tasks", "usd not known on 12 of 12 tasks"]
    assert found.points[1].at(1) == 1.0


def test_nobody_with_a_known_cost_is_an_empty_plane_and_no_error():
    """The curves are still there."""
    found = only(plane([run("a", suite("pp"), usd=None), run("b", suite("pf"), usd=None)]))
    assert [frontier.places for frontier in found.frontiers] == [()]
    assert found.equal_budget == ()
    assert [point.at(1) for point in found.points] == [1.0, 0.5]


def test_other_costs_are_planes_too():
    """Calls and seconds are as good an axis as dollars; tokens that nobody counted are not."""
    found = {unit: only(plane([CHEAP, DEAR], cost=unit)).points[0].cost.value for unit in ("calls", "seconds", "tokens")}
    assert found == {"calls": 2.0, "seconds": 1.5, "tokens": None}


def test_unknown_trials_give_bounds_and_no_place_at_that_k():
    """A task with three known trials has a pass^3 and no pass^4: there the candidate is absent, with bounds in its curve."""
    holey = run("holey", {**suite("pppp"), "t00": "pppu"})
    found = plane([CHEAP, holey], ks=(1, 3, 4))
    assert [frontier.absent for frontier in only(found).frontiers] == [(), (), ("holey",)]
    last = only(found).points[1].pass_k[3]
    assert (last.value, last.bound_low, last.bound_high) == (None, pytest.approx(11 / 12), 1.0)
    assert "capability: trials of unknown success, neither passed nor failed: holey (1)" in found.warnings


def test_a_single_trial_gives_no_pass_k_beyond_1():
    """It is not available, and says why; the candidate keeps its place on the plane of pass^1."""
    found = only(plane([CHEAP, run("once", suite("p"), usd=0.05)]))
    once = found.points[1]
    assert [one.value for one in once.pass_k] == [1.0, None, None, None]
    assert once.pass_k[2].note == "not available: 1 trial a task"
    assert [frontier.absent for frontier in found.frontiers] == [(), ("once",)]


def test_only_shared_tasks_count_and_the_others_are_counted():
    """Every candidate on the same tasks: what one lacks nobody counts, and another contract is another task."""
    more = run("more", {**suite("pppp"), "extra": "ffff"})
    found = plane([CHEAP, more])
    assert (only(found).tasks, only(found).left_out, only(found).points[1].at(1)) == (12, 1, 1.0)
    assert any("1 task that not all runs have" in warning for warning in found.warnings)
    with pytest.raises(UsageError, match="no task is shared"):
        plane([CHEAP, run("other", suite("pppp"), input="something else")])


def test_kinds_are_never_pooled():
    """Capability and regression have a plane each."""
    mixed = [run(name, suite("pp"), kind="regression") for name in ("a", "b")]
    assert [kind.kind for kind in plane(mixed).kinds] == ["regression"]
    with pytest.raises(UsageError, match="no task is shared"):
        plane([mixed[0], run("c", suite("pp"))])


def test_candidates_of_one_name_are_told_apart():
    """Both keep their own line; a version stands beside the name only where it tells them apart."""
    assert [point.name for point in only(plane([CHEAP, CHEAP, DEAR])).points] == ["cheap", "cheap #2", "dear"]
    newer = structs.replace(CHEAP, candidate=structs.replace(CHEAP.candidate, version="2"))
    assert [point.name for point in only(plane([CHEAP, newer, newer])).points] == ["cheap", "cheap 2", "cheap 2 #2"]


def test_another_agent_of_the_same_name_is_not_called_the_same_again():
    """Where the code changed and the version did not, the short hash tells them apart; a number means the same candidate once more."""
    changed = structs.replace(CHEAP, candidate_hash="b059ccfa00000000")
    first = f"cheap {CHEAP.candidate_hash[:8]}"
    assert distinct_names([CHEAP, changed, changed, DEAR]) == (first, "cheap b059ccfa", "cheap b059ccfa #2", "dear")
    newer = structs.replace(changed, candidate=structs.replace(CHEAP.candidate, version="2"))
    assert distinct_names([CHEAP, newer]) == ("cheap", "cheap 2")


@pytest.mark.parametrize(
    ("runs", "more", "expected"),
    [([CHEAP], {}, "two runs or more"), ([CHEAP, DEAR], {"cost": "eur"}, "known: usd"), ([CHEAP, DEAR], {"ks": (0,)}, "1 or more")],
)
def test_what_makes_no_plane_is_refused(runs, more, expected):
    """One run, a unit that is none, a k below 1."""
    with pytest.raises(UsageError, match=expected):
        plane(runs, **more)


def test_a_cheaper_candidate_gets_the_money_of_a_dearer_one():
    """Retried by the oracle four times and paid for by attempts; held against the dearer one, paired by task."""
    flaky = run("flaky", suite("pfff"), usd=0.1)
    rows = only(plane([flaky, DEAR])).equal_budget
    oracle, majority = rows
    assert (oracle.name, oracle.baseline, oracle.selector, oracle.k, oracle.all_used) == ("dear", "flaky", "oracle", 4, True)
    assert (oracle.success, oracle.attempts, oracle.cost) == (1.0, pytest.approx(2.5), pytest.approx(0.25))
    assert oracle.difference.estimate.value == pytest.approx(-0.25)
    assert (majority.selector, majority.k, majority.success) == ("majority", 3, 0.0)


def test_retries_carry_their_violations():
    """An attempt that breaks a rule spoils the task, however often it is tried."""
    careless = run("careless", suite("pvvv"), usd=0.1)
    (oracle, _) = only(plane([careless, DEAR])).equal_budget
    assert oracle.success == pytest.approx(0.25)
    assert oracle.violated == pytest.approx(0.75)


def test_nothing_is_tried_again_where_a_write_may_be_committed():
    """Tasks with stakes count with their first trial, and the row counts them."""
    bold, dear = run("bold", suite("pfff"), usd=0.1, stakes="write"), run("dear", suite("pppf"), usd=2.0, stakes="write")
    oracle = only(plane([bold, dear])).equal_budget[0]
    assert (oracle.success, oracle.cost, oracle.single) == (pytest.approx(0.25), pytest.approx(0.1), 12)


def test_no_row_where_the_money_buys_no_second_trial():
    """A cheaper candidate that can be tried only once is what the frontier already shows."""
    assert only(plane([run("near", suite("pfff"), usd=1.9), DEAR])).equal_budget == ()


@settings(max_examples=8)
@given(st.lists(st.lists(st.sampled_from(["pp", "pf", "ff"]), min_size=6, max_size=6), min_size=2, max_size=4), st.integers(0, 3))
def test_a_plane_is_a_function_of_its_runs_and_seed(words, seed):
    """Drawn twice it is the same; the frontier is never empty, and its members are dominated by nobody at all."""
    runs = [run(f"c{index}", dict(zip(TASKS, letters, strict=False)), usd=1.0 + index) for index, letters in enumerate(words)]
    found = plane(runs, seed=seed, ks=(1, 2))
    assert found == plane(runs, seed=seed, ks=(1, 2))
    for frontier in only(found).frontiers:
        assert set(frontier.convex) <= set(frontier.plain)
        assert frontier.places[0].name in frontier.plain
        for place in frontier.places:
            better = [one for one in frontier.places if one.cost <= place.cost and one.value >= place.value and one is not place]
            assert place.plain == all((one.cost, one.value) == (place.cost, place.value) for one in better)

"""Differences on shared tasks, their slices, costs and money."""

from __future__ import annotations

import pytest
from msgspec import structs

from seatrial.compare import compare
from seatrial.compare.differences import pass_difference
from seatrial.compare.lineage import lineage_of
from seatrial.compare.money import error_usd
from seatrial.compare.pairing import paired
from seatrial.compare.plane import plane
from seatrial.measure.paired_difference import difference
from seatrial.records.comparison import Comparison, MoneyLine
from seatrial.records.manifest import Business, SliceCost
from seatrial.records.summary import RunSummary
from tests.compare.runs import always, never, run, some, task, tasks


def test_the_kinds_are_never_pooled():
    """What capability gains does not soften what regression loses."""
    found = [*tasks(12, "c"), *tasks(12, "r", "regression")]
    falls = run(found, lambda one, _trial: "fppp" if one.startswith("c") else "pppp")
    rises = run(found, lambda one, _trial: "fppp" if one.startswith("r") else "pppp", name="candidate")
    by_kind = {kind.kind: kind.strict.estimate.value for kind in compare(falls, rises).kinds}
    assert by_kind == {"capability": 1.0, "regression": -1.0}


def test_the_number_is_that_of_the_statistic():
    """The comparison computes nothing of its own: difference, interval and p are those of `measure.paired_difference`."""
    both = tasks(14)
    before, after = ({one.id: (index * step) % 5 for index, one in enumerate(both)} for step in (1, 2))
    found = compare(run(both, some(before)), run(both, some(after))).kinds[0].strict
    right = difference([n / 4 for n in before.values()], [n / 4 for n in after.values()], name="pass^1", seed=0)
    assert found.estimate.value == pytest.approx(right.estimate.value)
    assert (found.estimate.lower, found.p_value, found.detectable) == pytest.approx((right.estimate.lower, right.p_value, right.detectable))


def test_unknown_trials_give_bounds_and_are_never_dropped_silently():
    """What was not run is neither passed nor failed: the bounds hold both ends, and the count is a warning."""
    both = tasks(2)
    found = compare(run(both, always), run(both, lambda one, trial: "" if one == "t-000" and trial > 1 else "pppp"))
    estimate = found.kinds[0].strict.estimate
    assert (estimate.value, estimate.unknown) == (0.0, 2)
    assert (estimate.bound_low, estimate.bound_high) == (-0.25, 0.0)
    assert any("without a known result: 0 before, 2 after" in line for line in found.warnings)


def test_tasks_with_too_few_trials_for_k_are_left_out_and_counted():
    """pass^3 of a task with two known trials is not known, and the note says how many such tasks there are."""
    both = tasks(3)
    before, after = run(both, always), run(both, lambda one, trial: "" if one == "t-000" and trial > 1 else "pppp")
    found = pass_difference(paired(before, after).shared, "strict", k=3)
    assert (found.tasks, found.estimate.note) == (2, "1 of 3 shared tasks left out: too few known trials")


def test_a_task_that_no_unknown_trial_could_change_is_known():
    """One failed and one unknown trial of two: pass^2 is 0 for sure, so that the number is that of all tasks and its bounds are it."""
    both = tasks(2)
    before = run(both, lambda one, _trial: "fppp" if one == "t-000" else "pppp", trials=2)
    after = run(both, lambda one, trial: "pppp" if one == "t-000" else ("" if trial else "fppp"), trials=2)
    found = compare(before, after).kinds[0].strict_k
    estimate = found.estimate
    assert (estimate.name, estimate.value, found.tasks, estimate.note) == ("pass^2", 0.0, 2, "")
    assert (estimate.bound_low, estimate.bound_high) == (0.0, 0.0)


def test_settled_tasks_are_not_taken_in_beside_others_that_are_not():
    """Tasks are not chosen by how they ended: beside one that could still be 0 or 1, one that is 0 for sure is left out as well."""
    both = tasks(3)
    lost = {"t-000": "fppp", "t-001": "pppp"}
    after = run(both, lambda one, trial: "pppp" if one == "t-002" else ("" if trial else lost[one]), trials=2)
    found = pass_difference(paired(run(both, always, trials=2), after).shared, "strict", k=2)
    assert (found.tasks, found.estimate.value) == (1, 0.0)
    assert "2 of 3 shared tasks left out: too few known trials" in found.estimate.note


def test_shared_tasks_without_enough_known_trials_are_not_called_unshared():
    """Where no shared task has a known result in both runs, the note says so and not that no task is shared."""
    both = tasks(3)
    before, after = run(both, always), run(both, lambda one, trial: "" if one == "t-000" or trial else "pppp")
    pairs = paired(before, after).shared
    assert pass_difference(pairs, "strict", k=2).estimate.note == "of 3 shared tasks none has enough known trials in both runs"
    assert pass_difference(pairs, "strict").estimate.note == "1 of 3 shared tasks left out: too few known trials"
    assert pass_difference((), "strict").estimate.note == "no task is shared"
    silent = run(both, lambda _task, _trial: "nppp")
    assert pass_difference(paired(silent, silent).shared, "outcome").estimate.note == "no shared task asks for it"


def test_k_is_the_smaller_headline_or_the_one_that_is_asked_for():
    """Without --k the runs' own k counts, and never more than the fewest planned trials."""
    before, after = run(tasks(3), always, trials=4), run(tasks(3), always, trials=2)
    assert compare(before, after).kinds[0].headline_k == 2
    assert compare(before, after, k=1).kinds[0].strict_k.estimate.name == "pass^1"


def test_the_order_of_tasks_changes_nothing():
    """The same runs with their rows in another order are the same comparison."""
    both = tasks(15, loss="water")
    before, after = run(both, some({one.id: index % 5 for index, one in enumerate(both)})), run(both, always)
    turned = [structs.replace(one, tasks=one.tasks[::-1]) for one in (before, after)]
    assert compare(*turned) == compare(before, after)


def slices_of(found: Comparison) -> dict[str, str]:
    """Return value of each slice → its alarm."""
    return {part.value: part.alarm for kind in found.kinds for part in kind.slices}


def test_a_slice_that_falls_behind_a_better_whole_is_confirmed():
    """The whole gets better, one slice of it worse beyond chance; that slice is named, with the tasks that flipped."""
    found = [*tasks(12, "w", loss="water"), *tasks(60, "f", loss="fire")]
    before = run(found, lambda one, _trial: "pppp" if one.startswith("w") else "fppp")
    compared = compare(before, run(found, lambda one, _trial: "fppp" if one.startswith("w") else "pppp"))
    assert compared.kinds[0].strict.estimate.value > 0
    assert slices_of(compared) == {"water": "confirmed", "fire": ""}
    water = next(part for part in compared.kinds[0].slices if part.value == "water")
    assert (water.flips, water.flipped[0]) == (12, "w-000")


def test_a_small_slice_has_counts_only_and_can_be_suspect():
    """Below ten tasks there is no interval and no p; a task that flipped still asks for a reader."""
    found = tasks(9, loss="water")
    small = compare(run(found, always), run(found, lambda one, _trial: "fppp" if one == "t-000" else "pppp")).kinds[0].slices[0]
    assert (small.strict.estimate.lower, small.strict.p_worse, small.p_holm) == (None, None, None)
    assert (small.alarm, small.flipped) == ("suspect", ("t-000",))


def test_p_grows_with_the_number_of_slices():
    """One slice among many needs a smaller p of its own than one alone."""

    def corrected(others: int) -> float:
        found = [*tasks(12, "w", loss="water"), *(one for other in range(others) for one in tasks(10, f"o{other}", loss=f"o{other}"))]
        passed = {one.id: 3 if one.id.startswith("w") and int(one.id[-1]) % 2 else 4 for one in found}
        compared = compare(run(found, always), run(found, some(passed)))
        return next(part.p_holm for part in compared.kinds[0].slices if part.value == "water")

    assert corrected(0) < corrected(2) < corrected(5)


def test_costs_are_a_ratio_of_tasks():
    """Twice the price on every task is a ratio of two; a unit that nobody knows has no line."""
    found = tasks(8)
    costs = {line.unit: line for line in compare(run(found, always, usd=0.01), run(found, always, usd=0.02)).kinds[0].costs}
    assert (costs["usd"].before, costs["usd"].after) == pytest.approx((0.01, 0.02))
    assert costs["usd"].ratio.value == pytest.approx(2.0)
    assert "tokens" not in costs


def test_a_candidate_that_is_built_on_the_other_costs_what_both_cost():
    """The two-run comparison carries the base's cost task by task, as the plane does, whoever says so and on whichever side."""
    both = tasks(6)
    base, ext = run(both, always, name="base", usd=0.10), run(both, always, name="ext", usd=0.01)
    says = structs.replace(ext, candidate=structs.replace(ext.candidate, built_on="base"))
    told = lineage_of((base, ext), ("base", "ext"), {"ext": "base"})
    for found in (compare(base, says), compare(base, ext, lineage=told)):
        (usd,) = (line for line in found.kinds[0].costs if line.unit == "usd")
        assert (usd.before, usd.after, usd.ratio.value) == pytest.approx((0.10, 0.11, 1.1))
        assert (found.baseline.built_on, found.candidate.built_on) == ((), ("base",))
        points = plane((base, ext), built_on={"ext": "base"}).kinds[0].points
        assert [point.cost.value for point in points] == pytest.approx([usd.before, usd.after])
    (turned,) = (line for line in compare(says, base).kinds[0].costs if line.unit == "usd")
    assert (turned.before, turned.after) == pytest.approx((0.11, 0.10))


def test_a_base_that_is_not_compared_leaves_no_cost_and_is_named():
    """Its own part alone is not what it costs: no cost is shown, and a warning says why."""
    both = tasks(6)
    ext = run(both, always, name="ext", usd=0.01)
    found = compare(run(both, always, usd=0.10), structs.replace(ext, candidate=structs.replace(ext.candidate, built_on="gone")))
    assert found.kinds[0].costs == ()
    assert "ext is built on gone, which is not among the runs: its cost is not known." in found.warnings


def with_costs(summary: RunSummary, usd: list[float]) -> RunSummary:
    """Return a run whose tasks cost so much."""
    rows = (structs.replace(row, costs=structs.replace(row.costs, usd=cost)) for row, cost in zip(summary.tasks, usd, strict=True))
    return structs.replace(summary, tasks=tuple(rows))


def test_the_ratio_is_the_geometric_mean_with_its_interval():
    """Half the price on one task and twice on another is no change; tasks that were free on one side are left out and counted."""
    found = run(tasks(6), always)
    (usd,) = [
        line
        for line in compare(with_costs(found, [1.0] * 6), with_costs(found, [2.0, 0.5, 2.0, 0.5, 2.0, 0.5])).kinds[0].costs
        if line.unit == "usd"
    ]
    assert usd.ratio.value == pytest.approx(1.0)
    assert usd.ratio.lower < 1 < usd.ratio.upper
    assert usd.ratio.lower * usd.ratio.upper == pytest.approx(1.0)
    (free,) = [
        line for line in compare(with_costs(found, [0.0, *[1.0] * 5]), with_costs(found, [2.0] * 6)).kinds[0].costs if line.unit == "usd"
    ]
    assert (free.ratio.tasks, free.ratio.value) == (5, pytest.approx(2.0))
    assert "1 task that cost nothing on one side left out" in free.ratio.note


BUSINESS = Business(per_day=100, error_usd=10, slices=(SliceCost("loss", "water", 50), SliceCost("channel", "phone", 30)))


def money(found: Comparison) -> dict[str, MoneyLine]:
    """Return name → line."""
    return {line.name: line for line in found.money}


def test_differences_become_cases_and_money_a_day():
    """Half of the tasks wrong before and none after, at 100 a day and 10 dollars an error: 50 cases and 500 dollars fewer."""
    found = tasks(20)
    before = run(found, some({one.id: 2 for one in found}), usd=0.01)
    lines = money(compare(before, run(found, always, usd=0.03, business=BUSINESS)))
    assert (lines["wrong a day"].before, lines["wrong a day"].after, lines["wrong a day"].difference.value) == (50, 0, -50)
    assert lines["errors in money a day"].difference.value == pytest.approx(-500)
    assert lines["cost a day"].difference.value == pytest.approx(2.0)
    assert lines["price of an avoided error"].difference.value == pytest.approx(0.04)
    assert "an error costs $10.00" in lines["price of an avoided error"].difference.note


def test_right_for_the_wrong_reason_is_counted_by_itself():
    """It is no error in money today, and its cases a day are shown."""
    found = tasks(20)
    lines = money(compare(run(found, always), run(found, lambda _task, trial: "pfpp" if trial else "pppp", business=BUSINESS)))
    assert lines["right for the wrong reason a day"].difference.value == pytest.approx(75)
    assert lines["errors in money a day"].difference.value == 0


def test_the_dearest_slice_counts():
    """A task in two dear slices costs what the dearer one says; one in none costs what holds for all."""
    row = run([task("a", loss="water", channel="phone")], always).tasks[0]
    assert error_usd(row, BUSINESS) == 50
    assert error_usd(structs.replace(row, slices={"channel": "phone"}), BUSINESS) == 30
    assert error_usd(structs.replace(row, slices={}), BUSINESS) == 10
    assert error_usd(structs.replace(row, slices={}), Business(per_day=1)) is None


def test_nothing_is_projected_without_traffic_and_error_cost():
    """No number is made up: without traffic there is no day, and without anything no money at all."""
    found = tasks(5)
    assert compare(run(found, never), run(found, always)).money == ()
    assert set(money(compare(run(found, never), run(found, always, business=Business(error_usd=5))))) == {"price of an avoided error"}


def test_better_and_not_dearer_has_no_price():
    """An error that was avoided for nothing has no price, and the note says so."""
    found = tasks(5)
    line = money(compare(run(found, never), run(found, always, business=Business(error_usd=5))))["price of an avoided error"]
    assert line.difference.value is None
    assert "nothing more is paid" in line.difference.note

"""The difference of two scores splits into the agent's share and the set's, and the split adds up."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.compare import compare
from seatrial.compare.adding_up import GRID, adding_up, on_grid
from seatrial.compare.decomposition import decompose
from seatrial.compare.pairing import paired
from seatrial.compare.wording import points, printed_ends, printed_parts
from tests.compare.runs import always, never, run, some, task, tasks

SIDES = st.dictionaries(
    st.sampled_from([f"t-{index}" for index in range(9)]),
    st.tuples(st.integers(0, 7), st.sampled_from(("capability", "regression")), st.sampled_from((8, 9))),
    max_size=9,
)
"""Task → passed trials of seven, kind, and ceiling of calls: another ceiling is another contract."""


def sailed(side: dict[str, tuple[int, str, int]]):
    """Return the run of generated tasks."""
    found = [task(name, kind, calls=calls) for name, (_, kind, calls) in side.items()]
    return run(found, some({name: passed for name, (passed, _, _) in side.items()}), trials=7)


@settings(max_examples=25, deadline=None)
@given(SIDES, SIDES)
def test_the_parts_add_up_exactly(before, after):
    """Whatever was added, removed, changed or moved: agent and set make the total, in floats, without an error."""
    pairing = paired(sailed(before), sailed(after))
    for kind in ("capability", "regression"):
        found = decompose(pairing, kind, "strict")
        if found.agent is None:
            assert all(part.effect is None for part in found.parts)
        else:
            assert found.agent + sum(part.effect for part in found.parts) == found.total == found.after - found.before


@settings(max_examples=25, deadline=None)
@given(SIDES, SIDES)
def test_every_part_is_what_the_formula_says(before, after):
    """Each part is within a step of the grid of the exact fraction of its definition."""
    found = decompose(paired(sailed(before), sailed(after)), "capability", "strict")
    old, new = ({n: Fraction(p, 7) for n, (p, kind, _) in side.items() if kind == "capability"} for side in (before, after))
    shared = [name for name in old if name in new and before[name][2] == after[name][2]]
    if shared:
        agent = sum((new[name] - old[name] for name in shared), Fraction()) / len(shared)
        mean = sum((new[name] for name in shared), Fraction()) / len(shared)
        added = sum((score - mean for name, score in new.items() if name not in before), Fraction()) / len(new)
        assert abs(Fraction(found.agent) - agent) < Fraction(1, GRID)
        assert abs(sum(Fraction(part.effect) for part in found.parts if part.name == "added") - added) < Fraction(1, GRID)


def test_easy_tasks_that_were_added_are_the_sets_doing():
    """A deterministic agent that is run on thirty more easy tasks scores higher, and none of that is the agent's."""
    hard, easy = tasks(20, "hard"), tasks(30, "easy")
    solved = some({one.id: 4 * (one.id.startswith("easy") or index % 2) for index, one in enumerate([*hard, *easy])})
    found = compare(run(hard, solved), run([*hard, *easy], solved, name="candidate"))
    split = found.kinds[0].decompositions[0]
    assert (split.before, split.after, split.agent) == (pytest.approx(0.5), pytest.approx(0.8), 0.0)
    assert [(part.name, part.tasks, part.effect) for part in split.parts] == [("added", 30, split.total)]
    assert "the whole capability score moved by +30.0 points, 0.0 from the agent and +30.0 from tasks added" in found.conclusion


def test_another_contract_is_another_task():
    """A task whose contract changed is compared with nothing, and is counted with the set."""
    found = compare(run([task("a"), task("b", calls=8)], never), run([task("a"), task("b", calls=9)], always))
    (kind,) = found.kinds
    assert (kind.tasks, found.changed, found.added, found.removed) == (1, ("b",), (), ())
    assert [(part.name, part.tasks) for part in kind.decompositions[0].parts] == [("changed", 1)]


def test_a_task_that_changed_its_kind_has_moved():
    """A capability task that became a regression task is no pair: its rise would be in two scores at once."""
    found = compare(run([task("a"), task("b")], always), run([task("a"), task("b", "regression")], always))
    assert found.moved == ("b",)
    assert [(kind.kind, kind.tasks) for kind in found.kinds] == [("capability", 1), ("regression", 0)]


def test_without_a_shared_task_nothing_is_the_agents():
    """Scores of two sets that share nothing cannot be told apart, and that is said."""
    found = compare(run(tasks(3, "a"), never), run(tasks(3, "b"), always))
    split = found.kinds[0].decompositions[0]
    assert (split.agent, [part.effect for part in split.parts]) == (None, [None, None])
    assert found.conclusion.startswith("Nothing can be said of ")


def test_a_task_without_a_known_result_is_the_sets():
    """A shared task that one run never scored moves its whole score, and not the agent's share."""
    both = tasks(4)
    found = compare(run(both, always), run(both, lambda one, _trial: "" if one == "t-000" else "pppp"))
    (kind,) = found.kinds
    assert (kind.tasks, kind.dropped, kind.decompositions[0].agent) == (4, 1, 0.0)
    assert [(part.name, part.tasks) for part in kind.decompositions[0].parts] == [("unscored", 1)]


@given(st.lists(st.fractions(-1, 1, max_denominator=1000), min_size=1, max_size=6), st.booleans())
def test_rounded_parts_keep_their_sum_and_nothing_stays_nothing(parts, up):
    """Every rounded part is less than a step away, a part of exactly nothing stays nothing, and the sum is the total."""
    exact = sum(parts, Fraction())
    total = on_grid(exact, 1000) if up else (exact * 1000).__floor__()
    found = adding_up(parts, total, 1000)
    assert sum(found) == total
    for part, steps in zip(parts, found, strict=True):
        assert abs(part * 1000 - steps) < 1
        assert part != 0 or steps == 0


@settings(max_examples=25, deadline=None)
@given(SIDES, SIDES)
def test_what_is_printed_adds_up(before, after):
    """The points that a reader sees make the total that a reader sees, and lead from one score to the other."""
    found = decompose(paired(sailed(before), sailed(after)), "capability", "strict")
    if found.agent is not None:
        parts, total = printed_parts(found)
        shown = [Fraction(text.replace("−", "-")) for text in (*parts, total)]
        low, high = (Fraction(end.removesuffix(" %")) for end in printed_ends(found).split(" → "))
        assert sum(shown[:-1]) == shown[-1] == high - low


def test_the_agents_share_is_printed_as_the_difference_of_the_shared_tasks_is():
    """What is lost by rounding is made up for by the set's parts where they can, so that one number is not written in two ways."""
    before = {"t-000": 1, "t-001": 2, "t-002": 4}
    after = {"t-000": 7, "t-001": 2, "t-002": 2, "n-000": 2, "n-001": 6}
    old, new = (run([task(name) for name in side], some(side), trials=7) for side in (before, after))
    (kind,) = compare(old, new).kinds
    assert points(kind.strict.estimate.value) == "+19.0"
    assert printed_parts(kind.decompositions[0]) == (["+19.0", "+2.0"], "+21.0")

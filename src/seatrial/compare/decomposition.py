"""Where the difference of two scores comes from: the agent, or the set.

With B and A the mean over all scored tasks of the baseline's run and of the candidate's, and B' and A' the same over the tasks S that both
share, the difference splits exactly:

    A - B  =  (A' - B')  +  (A - A')  +  (B' - B)
    total     the agent     new tasks    tasks that are gone

A task i outside of S adds (a_i - A') / M_A to the second part, or (B' - b_i) / M_B to the third, M being the tasks of each run; so each
reason for which a task is not shared has its own exact part. Everything is computed in fractions.

Assumption: the shared tasks speak for the agent; that it would have moved alike on the other tasks is not claimed.
Source: the shift-share identity of Kitagawa 1955, JASA 50, on the tasks of two runs; `docs/comparing.md` shows it with numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, get_args

from seatrial.compare.adding_up import GRID, adding_up, on_grid
from seatrial.compare.pairing import Pairing
from seatrial.records.comparison import Decomposition, SetChange, SetPart
from seatrial.records.grade import Criterion
from seatrial.records.summary import TaskRow
from seatrial.records.task import Kind

CHANGES: tuple[SetChange, ...] = get_args(SetChange)
"""Reasons for which a task is not shared, in the order in which they are shown."""


class _Unshared(NamedTuple):
    """A scored task of one run that the pairs leave out."""

    change: SetChange
    task: str
    score: Fraction


class _Scores(NamedTuple):
    """The scored tasks of one kind, by what became of them."""

    before: list[Fraction]
    """Of the shared tasks, in the baseline's run."""
    after: list[Fraction]
    """Of the shared tasks, in the candidate's run."""
    gone: list[_Unshared]
    """Of the baseline's run alone."""
    new: list[_Unshared]
    """Of the candidate's run alone."""


def decompose(pairing: Pairing, kind: Kind, criterion: Criterion) -> Decomposition:
    """Return where the difference of two scores of one kind comes from.

    Args:
        pairing: The tasks of both runs.
        kind: The kind.
        criterion: What counts as a pass.

    Returns:
        The parts, whose floats add up exactly; only those that have tasks.
    """
    scores = _scores(pairing, kind, criterion)
    before = _mean([*scores.before, *(one.score for one in scores.gone)])
    after = _mean([*scores.after, *(one.score for one in scores.new)])
    # A task whose contract changed is one task, though both runs have it.
    counts = {change: len({one.task for one in (*scores.gone, *scores.new) if one.change == change}) for change in CHANGES}
    if before is None or after is None or not scores.before:
        parts = tuple(SetPart(change, counts[change], None) for change in CHANGES if counts[change])
        low, high = (None if mean is None else on_grid(mean) for mean in (before, after))
        return Decomposition(criterion, _share(low), _share(high), None if low is None or high is None else _share(high - low), None, parts)
    agent = _exact(scores.after) - _exact(scores.before)
    effects = _effects(scores)
    low, high = on_grid(before), on_grid(after)
    steps = adding_up([agent, *(effects[change] for change in CHANGES)], high - low)
    parts = (SetPart(change, counts[change], step / GRID) for change, step in zip(CHANGES, steps[1:], strict=True) if counts[change])
    return Decomposition(criterion, low / GRID, high / GRID, (high - low) / GRID, steps[0] / GRID, tuple(parts))


def _effects(scores: _Scores) -> dict[SetChange, Fraction]:
    """Return what each change of the set adds to the difference."""
    before, after = _exact(scores.before), _exact(scores.after)
    effects = dict.fromkeys(CHANGES, Fraction(0))
    for change, _, score in scores.new:
        effects[change] += (score - after) / (len(scores.after) + len(scores.new))
    for change, _, score in scores.gone:
        effects[change] += (before - score) / (len(scores.before) + len(scores.gone))
    return effects


def _scores(pairing: Pairing, kind: Kind, criterion: Criterion) -> _Scores:
    """Return the scores of one kind's tasks; tasks without a known result have none."""
    shared = [(score(pair.before, criterion), score(pair.after, criterion)) for pair in pairing.shared_of(kind)]
    both = [(old, new) for old, new in shared if old is not None and new is not None]
    gone, new = list(_unshared(pairing, kind, criterion, 0)), list(_unshared(pairing, kind, criterion, 1))
    return _Scores([old for old, _ in both], [new for _, new in both], gone, new)


def _unshared(pairing: Pairing, kind: Kind, criterion: Criterion, side: int) -> Iterator[_Unshared]:
    """Yield the scored tasks of one run that the pairs leave out, each with the reason."""
    groups: tuple[tuple[SetChange, Sequence[TaskRow]], ...] = (
        ("added", pairing.added if side else ()),
        ("removed", () if side else pairing.removed),
        ("changed", [pair[side] for pair in pairing.changed]),
        ("moved", [pair[side] for pair in pairing.moved]),
        ("unscored", [pair[side] for pair in pairing.shared if score(pair[1 - side], criterion) is None]),
    )
    for change, rows in groups:
        for row in rows:
            found = score(row, criterion) if row.kind == kind else None
            if found is not None:
                yield _Unshared(change, row.task, found)


def score(row: TaskRow, criterion: Criterion) -> Fraction | None:
    """Return the share of a task's known trials that passed; `None`: none is known.

    Args:
        row: The task's line.
        criterion: What counts as a pass.
    """
    passed, scored = (row.passed, row.scored) if criterion == "strict" else (row.outcome_passed, row.outcome_scored)
    return Fraction(passed, scored) if scored else None


def _exact(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return _exact(values) if values else None


def _share(steps: int | None) -> float | None:
    return None if steps is None else steps / GRID

"""What became of each shared task: gained, lost, gained by a shortcut, or right for the wrong reason.

A gain of outcome on a task where a required call stopped running, with more right answers for the wrong reason than before, is a
*shortcut*: it is shown first, and it is not progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from seatrial.compare.decomposition import score
from seatrial.compare.differences import count_of
from seatrial.compare.pairing import Pair
from seatrial.records.comparison import LostStep, Movement, MovementSide, PairedTask, TaskSide
from seatrial.records.grade import Criterion, Verdict
from seatrial.records.summary import TaskRow, TrialRow


def moved_tasks(pairs: Sequence[Pair]) -> tuple[PairedTask, ...]:
    """Return every shared task on which anything moved, by task id.

    Args:
        pairs: The shared tasks.
    """
    return tuple(_paired_task(pair) for pair in pairs if _moved(pair))


def is_shortcut(task: PairedTask) -> bool:
    """Return whether outcome was gained where a required call stopped running.

    Args:
        task: A shared task.
    """
    return bool(task.lost_steps) and change(task, "outcome") > 0 and _wrong(task.after) > _wrong(task.before)


def is_moved_away(task: PairedTask) -> bool:
    """Return whether the outcome is not better and yet more often right for the wrong reason.

    Args:
        task: A shared task.
    """
    return change(task, "outcome") <= 0 and _wrong(task.after) > _wrong(task.before)


def change(task: PairedTask, criterion: Criterion) -> Fraction:
    """Return how the share of passed trials changed; 0 where it is not known on one side.

    Args:
        task: A shared task.
        criterion: What counts as a pass.
    """
    before, after = (_score(side, criterion) for side in (task.before, task.after))
    return Fraction(0) if before is None or after is None else after - before


def flipped(pair: Pair) -> bool:
    """Return whether a task always passed before and now fails half of its trials or more.

    Args:
        pair: A shared task.
    """
    return is_flip((pair.before.passed, pair.before.scored), (pair.after.passed, pair.after.scored))


def is_flip(before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Return whether what always passed now fails half of its trials or more.

    Args:
        before: Passed and scored trials of the baseline.
        after: Those of the candidate.
    """
    (old_passed, old_scored), (passed, scored) = before, after
    return 0 < old_scored == old_passed and 0 < scored >= 2 * passed


def movement(pairs: Sequence[Pair]) -> Movement:
    """Return how right outcomes and the way to them moved, in trials.

    Args:
        pairs: The shared tasks.
    """
    return Movement(_movement_side([pair.before for pair in pairs]), _movement_side([pair.after for pair in pairs]))


def lost_steps(pair: Pair) -> tuple[LostStep, ...]:
    """Return the required calls that never ran in a larger share of the scored trials than before, most trials first.

    Args:
        pair: A shared task.
    """
    old, new = pair
    if not old.scored or not new.scored:
        return ()
    before = {(row.requirement, row.call): row.never_ran for row in old.unmet}
    steps = (LostStep(row.requirement, row.call, before.get((row.requirement, row.call), 0), row.never_ran) for row in new.unmet)
    lost = (step for step in steps if Fraction(step.after, new.scored) > Fraction(step.before, old.scored))
    return tuple(sorted(lost, key=lambda step: (-step.after, step.requirement, step.call)))


def _moved(pair: Pair) -> bool:
    """Return whether strict, outcome or the way to it moved."""
    old, new = pair
    return (
        (score(old, "strict"), score(old, "outcome")) != (score(new, "strict"), score(new, "outcome"))
        or (old.wrong_reason, old.violated) != (new.wrong_reason, new.violated)
        or bool(lost_steps(pair))
    )


def _paired_task(pair: Pair) -> PairedTask:
    """Return a shared task as it is shown."""
    old, new = pair
    return PairedTask(
        task=new.task,
        kind=new.kind,
        split=new.split,
        stakes=new.stakes,
        slices=new.slices,
        critical=new.critical,
        before=_side(old),
        after=_side(new),
        lost_steps=lost_steps(pair),
        show=_shown(pair),
    )


def _side(row: TaskRow) -> TaskSide:
    """Return one run's side of a task."""
    return TaskSide(
        passed=row.passed,
        scored=row.scored,
        unknown=row.unknown,
        outcome_passed=row.outcome_passed,
        outcome_scored=row.outcome_scored,
        wrong_reason=row.wrong_reason,
        violated=row.violated,
        reason=row.reason,
    )


def _shown(pair: Pair) -> tuple[int | None, int | None]:
    """Return the trial of each run to look at: where it got worse a strict one beside one that is not, else the other way round."""
    old, new = pair
    worse = (score(new, "strict") or 0) < (score(old, "strict") or 0) or new.wrong_reason > old.wrong_reason
    before, after = (_fitting(row, strict=strict) for row, strict in zip(pair, (worse, not worse), strict=True))
    # Trials of one index had the same weather, so that what differs between them is the agent.
    known = set(before)
    same = next((index for index in after if index in known), None)
    return (same, same) if same is not None else (_first(before, old), _first(after, new))


def _fitting(row: TaskRow, *, strict: bool) -> list[int]:
    """Return the trials that were strict, or those that failed: right answers for the wrong reason first, then by index."""
    fitting = [trial for trial in row.trials if trial.strict is (Verdict.PASS if strict else Verdict.FAIL)]
    return [trial.trial for trial in sorted(fitting, key=lambda trial: (not _right_wrongly(trial), trial.trial))]


def _first(fitting: Sequence[int], row: TaskRow) -> int | None:
    """Return the first trial that fits, else the first that there is."""
    return next(iter((*fitting, *(trial.trial for trial in row.trials))), None)


def _right_wrongly(trial: TrialRow) -> bool:
    return trial.outcome is Verdict.PASS and Verdict.FAIL in (trial.process, trial.safety)


def _movement_side(rows: Sequence[TaskRow]) -> MovementSide:
    """Return how the trials of some tasks ended in one run."""
    right, wrong_reason = sum(row.outcome_passed for row in rows), sum(row.wrong_reason for row in rows)
    scored, asked = sum(row.outcome_scored for row in rows), sum(count_of(row, "outcome").planned for row in rows)
    return MovementSide(right - wrong_reason, wrong_reason, scored - right, asked - scored)


def _score(side: TaskSide, criterion: Criterion) -> Fraction | None:
    passed, scored = side.counted(criterion)
    return Fraction(passed, scored) if scored else None


def _wrong(side: TaskSide) -> Fraction:
    return Fraction(side.wrong_reason, side.outcome_scored or 1)

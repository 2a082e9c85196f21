"""Withhold the holdout: the same summary with its tasks under other names, and without what they ask or why a trial failed.

What stays are numbers, and the names that they are counted under: slices, rules, the world's tools. Another name is a hash of the task's
own, so that it is the same in every run and two runs can still be compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from msgspec import structs

from seatrial.base.canonical import content_hash
from seatrial.base.wording import count
from seatrial.records.label import DoubtReview, LabelNote, ReviewSummary, TrialReview
from seatrial.records.summary import RunSummary, TaskRow, TrialRow, UnmetRow, ViolationRow, WrongReason
from seatrial.records.task import Task

WITHHELD = "withheld"
"""What stands where a text was."""
_PREFIX = "holdout-"
_SHORT, _LONG = 8, 32
"""Digits of a hash; the long form only where two short ones are the same."""


@dataclass(frozen=True)
class Withholding:
    """What of a run may be named.

    Args:
        aliases: Id of each holdout task → the name that it stands under.
        requirements: Ids of required calls that tasks outside of the holdout have as well.
        tools: Names of tools that the world has, or that were called outside of the holdout.
    """

    aliases: Mapping[str, str]
    requirements: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def named(self, task: str) -> str:
        """Return the name that a task may be shown under."""
        return self.aliases.get(task, task)

    def requirement(self, name: str) -> str:
        """Return the name that a required call of a holdout task may be shown under."""
        return name if not name or name in self.requirements else f"{WITHHELD}-{content_hash(name)[:_SHORT]}"


def held_of(tasks: Iterable[Task]) -> set[str]:
    """Return the ids of those of some tasks that are of the holdout.

    Args:
        tasks: The tasks.
    """
    return {task.id for task in tasks if task.split == "holdout"}


def aliases_of(tasks: Iterable[Task]) -> dict[str, str]:
    """Return id → another name for those of some tasks that are of the holdout, each name once.

    Args:
        tasks: The tasks.
    """
    hashes = {task: content_hash(task) for task in held_of(tasks)}
    short = [digits[:_SHORT] for digits in hashes.values()]
    return {task: _PREFIX + digits[: _SHORT if short.count(digits[:_SHORT]) == 1 else _LONG] for task, digits in hashes.items()}


def withholding_of(tasks: Iterable[Task], tools: Collection[str]) -> Withholding:
    """Return what of a run may be named.

    Args:
        tasks: All tasks of the run.
        tools: Names of tools that the world has, or that were called outside of the holdout.
    """
    tasks = tuple(tasks)
    openly = [task for task in tasks if task.split != "holdout"]
    ways = [way.process for task in openly for way in task.contract.alternatives if way.process is not None]
    requirements = frozenset(required.id for process in ways for required in process.required)
    return Withholding(aliases_of(tasks), requirements, frozenset(tools))


def withheld(summary: RunSummary, withholding: Withholding) -> RunSummary:
    """Return a summary in which the holdout's tasks are withheld; every count and every estimate is as it was.

    Args:
        summary: The summary, not yet decided on: a decision names tasks in its reasons.
        withholding: What may be named.
    """
    held = sum(row.task in withholding.aliases for row in summary.tasks)
    if not held:
        return summary
    return structs.replace(
        summary,
        tasks=tuple(sorted((_task(row, withholding) for row in summary.tasks), key=lambda row: (row.split == "holdout", row.task))),
        wrong_reasons=_wrong_reasons(summary.wrong_reasons, withholding),
        worst=tuple(withholding.named(task) for task in summary.worst),
        tools=tuple(row for row in summary.tools if row.tool in withholding.tools),
        safety=structs.replace(summary.safety, shown=tuple(_violation(row, withholding) for row in summary.safety.shown)),
        review=_review(summary.review, withholding),
        notes=(*summary.notes, note(held)),
        withheld=held,
    )


def note(tasks: int) -> str:
    """Return the sentence that says how many tasks are withheld.

    Args:
        tasks: How many.
    """
    stand, its = ("stands under another name", "its") if tasks == 1 else ("stand under other names", "their")
    closed = f"{its} content, reasons and traces are withheld (--reveal)"
    return f"{count(tasks, 'holdout task')} {stand}: {'it is' if tasks == 1 else 'they are'} part of all numbers; {closed}."


def withheld_review(review: TrialReview, withholding: Withholding) -> TrialReview:
    """Return the review of a trial, withheld when its task is of the holdout.

    Args:
        review: Doubts and labels of one trial.
        withholding: What may be named.
    """
    if review.task not in withholding.aliases:
        return review
    return structs.replace(
        review,
        task=withholding.named(review.task),
        reason=WITHHELD,
        doubts=tuple(_doubt(doubt) for doubt in review.doubts),
        labels=tuple(_label(label) for label in review.labels),
    )


def _task(row: TaskRow, withholding: Withholding) -> TaskRow:
    """Return the row of one task."""
    if row.task not in withholding.aliases:
        return row
    return structs.replace(
        row,
        task=withholding.named(row.task),
        reason=_closed(row.reason),
        unmet=tuple(_unmet(unmet, withholding) for unmet in row.unmet),
        trials=tuple(_trial(trial) for trial in row.trials),
    )


def _closed(text: str) -> str:
    """Return what stands in place of a text; where there was none, there is none."""
    return WITHHELD if text else ""


def _unmet(row: UnmetRow, withholding: Withholding) -> UnmetRow:
    return structs.replace(row, requirement=withholding.requirement(row.requirement))


def _trial(row: TrialRow) -> TrialRow:
    return structs.replace(row, reason=_closed(row.reason), step=None)


def _wrong_reasons(rows: Iterable[WrongReason], withholding: Withholding) -> tuple[WrongReason, ...]:
    """Return the rows, most trials first; among equals those that can be read stand in front."""
    found = [_wrong_reason(row, withholding) if row.task in withholding.aliases else row for row in rows]
    return tuple(sorted(found, key=lambda row: (-row.count, row.reason == WITHHELD, row.task)))


def _wrong_reason(row: WrongReason, withholding: Withholding) -> WrongReason:
    named, requirement = withholding.named(row.task), withholding.requirement(row.requirement)
    return structs.replace(row, task=named, reason=WITHHELD, requirement=requirement, step=None)


def _violation(row: ViolationRow, withholding: Withholding) -> ViolationRow:
    if row.task not in withholding.aliases:
        return row
    return structs.replace(row, task=withholding.named(row.task), reason=WITHHELD)


def _review(review: ReviewSummary, withholding: Withholding) -> ReviewSummary:
    return structs.replace(review, shown=tuple(withheld_review(one, withholding) for one in review.shown))


def _doubt(doubt: DoubtReview) -> DoubtReview:
    return structs.replace(doubt, reason=WITHHELD)


def _label(label: LabelNote) -> LabelNote:
    return structs.replace(label, note=WITHHELD)

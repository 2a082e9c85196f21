"""Doubts and labels in words: one way for the queue, for one trial, and for the reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seatrial.base.wording import count
from seatrial.records.label import DoubtReview, LabelNote, ReviewSummary, TrialReview
from seatrial.report._grid import Section
from seatrial.report._plain import plain, short
from seatrial.report._wording import filled_in

_STANDING = {
    "counts": "",
    "superseded": "superseded by a later label of the same reviewer",
    "other trace": "counts no more: the trial ran again since",
    "other doubt": "counts no more: the rules doubt something else now",
    "no doubt": "settles nothing: no rule has a doubt here",
    "lifts nothing": "lifts nothing: no label takes a violation away",
}
_NAMED = 8
_TRIALS = 8
FAILED_ANYWAY = "The run has failed for other reasons: no label can make it pass."
"""Said with a queue whose labels could not change the decision."""


def alike(reviews: Iterable[TrialReview]) -> list[list[TrialReview]]:
    """Return trials in groups that are one question to a reviewer: the same task, doubts in the same words, the same said of them.

    Args:
        reviews: The trials.
    """
    groups: dict[object, list[TrialReview]] = {}
    for one in reviews:
        doubts = tuple((doubt.rule, doubt.reason, doubt.safe, doubt.against) for doubt in one.doubts)
        # What was said of a trial is told with it; a trial without a doubt has nothing to share.
        alone = one.trial if one.labels or not doubts else None
        groups.setdefault((one.task, one.way_out, doubts, alone), []).append(one)
    return list(groups.values())


def trials_line(reviews: Sequence[TrialReview]) -> str:
    """Return the task and the trials of a group: `water-001#0, #1`."""
    more = f" and {len(reviews) - _TRIALS:,} more" if len(reviews) > _TRIALS else ""
    return f"{plain(reviews[0].task)}{', '.join(f'#{one.trial}' for one in reviews[:_TRIALS])}{more}"


def doubt_line(doubt: DoubtReview) -> str:
    """Return one doubt and where it stands."""
    where = f"step {doubt.step}" + ("" if doubt.attempt is None else f" of abandoned attempt {doubt.attempt + 1}")
    return f"{where}: {plain(doubt.rule)}: {short(doubt.reason, 240)} – {_votes(doubt)}"


def _votes(doubt: DoubtReview) -> str:
    """Return what reviewers say of a doubt, and what is missing."""
    safe = f"safe: {plain(', '.join(doubt.safe))}" if doubt.safe else "nobody says safe yet"
    if doubt.settled:
        return f"settled by {plain(', '.join(doubt.safe))}"
    if doubt.against:
        return f"{safe}; not agreed: {plain(', '.join(doubt.against))}"
    return f"{safe}; {count(doubt.missing, 'more reviewer')} needed"


def label_line(label: LabelNote) -> str:
    """Return one label and what it is worth."""
    rule = f" of {plain(label.rule)}" if label.rule else ""
    worth = f" ({_STANDING[label.standing]})" if _STANDING[label.standing] else ""
    return f"{label.verdict}{rule} by {plain(label.by)} on {plain(label.at)}: {short(label.note, 240)}{worth}"


def state_line(review: TrialReview) -> str:
    """Return in one sentence what is open on a trial."""
    if review.violated_by:
        return f"A violation by the word of {plain(', '.join(review.violated_by))}: the run fails."
    if review.way_out == "label":
        return "Waits until two different reviewers say safe."
    if review.way_out == "regrade":
        return "No label settles this: a rule could not be judged. Judge again with the suite."
    if review.way_out == "run again":
        return "No label settles this: the trial was cut off. Run it again."
    return "Nothing is open."


def commands(reviews: Sequence[TrialReview], run: str) -> tuple[str, ...]:
    """Return what to type about trials that are alike: what to read first, and what to say of each, or what else to do.

    Args:
        reviews: The trials.
        run: Name of the run file.
    """
    names = {"RUN": run, "TASK": plain(reviews[0].task)}
    read = f"read: seatrial show RUN TASK --trial {reviews[0].trial}"
    give = "label: seatrial label RUN --task TASK --trial {} --verdict VERDICT --by NAME --note TEXT"
    again = {
        "regrade": ["again: seatrial regrade RUN --suite SUITE"],
        "run again": ["again: seatrial run SUITE --agent AGENT -o RUN"],
        "label": [give.format(one.trial) for one in reviews[:_TRIALS]],
    }
    lines = (read, *again.get(reviews[0].way_out, ()))
    return tuple(filled_in(line, names).partition(": ")[2] for line in lines)


def trial_section(review: TrialReview) -> Section:
    """Return the doubts and labels of one trial."""
    doubts = (f"doubt at {doubt_line(doubt)}" for doubt in review.doubts)
    return Section("Doubts and labels", None, (*doubts, *(label_line(label) for label in review.labels), state_line(review)))


def queue_section(review: ReviewSummary, *, hopeless: bool = False) -> Section | None:
    """Return the review queue of a run and what labels settled; `None`: there is nothing to say.

    Args:
        review: The queue.
        hopeless: Whether the run has failed anyway.
    """
    lines = [*_queue(review), *([FAILED_ANYWAY] if hopeless and review.waiting else []), *_worth(review)]
    return Section("Review", None, tuple(lines)) if lines else None


def _queue(review: ReviewSummary) -> list[str]:
    """Return the trials that wait, the first by name."""
    groups = alike([one for one in review.shown if one.way_out == "label"])[:_NAMED]
    more = review.waiting - sum(map(len, groups))
    title = f"{count(review.waiting, 'trial')} cannot be decided by rules; two reviewers must read each: seatrial label RUN"
    named = [f"  {trials_line(group)}: {doubt_line(next(doubt for doubt in group[0].doubts if not doubt.settled))}" for group in groups]
    return [title, *named, *([f"  and {count(more, 'more trial')}."] if more > 0 else [])] if review.waiting else []


def _worth(review: ReviewSummary) -> list[str]:
    """Return what labels did."""
    settled = f"{count(review.settled_doubts, 'doubt')} on {count(review.settled_trials, 'trial')} settled by labels of"
    broken = f"{count(review.violated_trials, 'trial')} labelled a violation by"
    stale = f"{count(review.stale, 'label')} {'counts' if review.stale == 1 else 'count'}"
    found = [
        f"{settled} {plain(', '.join(review.reviewers))}." if review.settled_doubts else "",
        f"{broken} {plain(', '.join(review.violated_by))}: the run fails." if review.violated_trials else "",
        f"{stale} no more: the trial ran again, or the rules doubt something else now." if review.stale else "",
        f"No label settles {count(review.unjudged, 'trial')}: judge again with the suite, or run again." if review.unjudged else "",
    ]
    return [line for line in found if line]

"""Doubts and labels in words: one way for the queue, for one trial, and for the reports."""

from __future__ import annotations

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


def commands(review: TrialReview, run: str) -> tuple[str, ...]:
    """Return what to type about a trial that is open.

    Args:
        review: The trial.
        run: Name of the run file.
    """
    names = {"RUN": run, "TASK": plain(review.task)}
    read = f"read: seatrial show RUN TASK --trial {review.trial}"
    give = f"label: seatrial label RUN --task TASK --trial {review.trial} --verdict VERDICT --by NAME --note TEXT"
    again = {
        "regrade": "again: seatrial regrade RUN --suite SUITE",
        "run again": "again: seatrial run SUITE --agent AGENT -o RUN",
        "label": give,
    }
    lines = (read, again[review.way_out]) if review.way_out else (read,)
    return tuple(filled_in(line, names).partition(": ")[2] for line in lines)


def trial_section(review: TrialReview) -> Section:
    """Return the doubts and labels of one trial."""
    doubts = (f"doubt at {doubt_line(doubt)}" for doubt in review.doubts)
    return Section("Doubts and labels", None, (*doubts, *(label_line(label) for label in review.labels), state_line(review)))


def queue_section(review: ReviewSummary) -> Section | None:
    """Return the review queue of a run and what labels settled; `None`: there is nothing to say."""
    lines = [*_queue(review), *_worth(review)]
    return Section("Review", None, tuple(lines)) if lines else None


def _queue(review: ReviewSummary) -> list[str]:
    """Return the trials that wait, the first by name."""
    waiting = [one for one in review.shown if one.way_out == "label"][:_NAMED]
    more = review.waiting - len(waiting)
    title = f"{count(review.waiting, 'trial')} cannot be decided by rules; two reviewers must read each: seatrial label RUN"
    named = [f"  {plain(one.task)}#{one.trial}: {doubt_line(next(doubt for doubt in one.doubts if not doubt.settled))}" for one in waiting]
    return [title, *named, *([f"  and {more:,} more."] if more > 0 else [])] if review.waiting else []


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

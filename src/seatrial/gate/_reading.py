"""How many transcripts people have read, and who, in words: every decision says it."""

from __future__ import annotations

from seatrial.base.wording import count
from seatrial.gate._naming import named
from seatrial.records.label import ReviewSummary


def read_words(review: ReviewSummary) -> str:
    """Return what was read, and by whom, without a full stop.

    Args:
        review: The labels on a run, counted.
    """
    if not review.readers:
        return "nobody has read a transcript of this run"
    parts = f"{count(review.read_failing, 'failing transcript')} and {count(review.read_passing, 'passing transcript')}"
    unknown = f", and {review.read_open:,} with no known result," if review.read_open else ""
    return f"{parts}{unknown} read by {named(review.readers)}"

"""People have read transcripts: so many failing and so many passing ones, and so many people.

A label on a trial as it ran is a transcript that was read. Where a run has fewer failing or passing trials than are asked for, all of them
must be read.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from seatrial.base.wording import count
from seatrial.gate._choosing import Whole
from seatrial.gate._reading import read_words
from seatrial.gate.evidence import Evidence
from seatrial.records.decision import Need, RuleResult
from seatrial.records.label import ReviewSummary, look_alike_key
from seatrial.records.summary import RunSummary

NAME = "transcripts_read"

_HOW = "Label each transcript that was read: seatrial label RUN --task TASK --trial N --verdict VERDICT --by NAME --note TEXT"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """How many must be read, and by how many people."""

    failing: Whole = 0
    """Least number of failing trials that were read, or all when there are fewer."""
    passing: Whole = 0
    """Least number of passing trials that were read, or all when there are fewer."""
    people: Annotated[int, Meta(ge=1)] = 1
    """Least number of different people who read; names that look alike are one."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold what was read against what is asked for; it never fails a run, more can always be read.

    Args:
        evidence: The labels on the whole run are looked at.
        arguments: What must have been read.

    Returns:
        Inconclusive when too little was read, by too few, or when there is no trial to read; else pass.
    """
    review, missing = evidence.summary.review, _missing(evidence.summary, arguments)
    if not evidence.summary.trials_seen:
        return RuleResult(NAME, "inconclusive", "there is no transcript to read")
    if missing:
        reason = f"{read_words(review)}; still to be read: {' and '.join(missing)}"
        return RuleResult(NAME, "inconclusive", reason, need=Need(_HOW))
    return RuleResult(NAME, "pass", read_words(review))


def _missing(summary: RunSummary, arguments: Arguments) -> list[str]:
    """Return what is still to be read, in words."""
    strict = next(row for row in summary.questions if row.question == "strict")
    review = summary.review
    failing = min(arguments.failing, strict.failed) - review.read_failing
    passing = min(arguments.passing, strict.passed) - review.read_passing
    people = arguments.people - _people(review)
    if arguments.people == 1 and (failing > 0 or passing > 0):
        people = 0  # whoever reads these is one
    found = (
        (failing, f"{count(failing, 'failing transcript')}"),
        (passing, f"{count(passing, 'passing transcript')}"),
        (people, f"some by {'1 more person' if people == 1 else f'{people:,} more people'}"),
    )
    return [words for number, words in found if number > 0]


def _people(review: ReviewSummary) -> int:
    """Return how many different people read."""
    return len({look_alike_key(name) for name in review.readers})

"""Labels: what reviewers say of a trial whose safety the rules cannot decide. Opinions of people; never rewritten, only added to."""

from __future__ import annotations

import unicodedata
from typing import Literal, get_args

import msgspec
from msgspec import Struct

LabelVerdict = Literal["safe", "violation", "unclear"]
LABEL_VERDICTS: tuple[LabelVerdict, ...] = get_args(LabelVerdict)
"""What a reviewer may say of a trial."""
LABEL_VERSION = 1
"""Version of the stored shape of a label."""
REVIEWERS_NEEDED = 2
"""How many different reviewers must say `safe` to settle a doubt."""
LABEL_RULE = "reviewer"
"""The rule under which a violation is reported that a reviewer saw where no rule had a doubt."""


class DoubtPlace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which doubt a label speaks of: the rule and the step; another step is another doubt."""

    rule: str
    step: int
    attempt: int | None = None
    """Index of the abandoned attempt it lies in; `None`: the last."""


class Label(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one reviewer says of one trial."""

    task: str
    trial: int
    trace: str
    """Content hash of the trace that was read; a trial that ran again is another."""
    verdict: LabelVerdict
    by: str
    """The reviewer, as typed."""
    note: str
    """Why, in words."""
    at: str
    """When, ISO 8601 in UTC."""
    rule: str = ""
    """The rule it is limited to; empty: the whole trial."""
    doubts: tuple[DoubtPlace, ...] = ()
    """The doubts that stood when it was given, within its rule; empty: there was none."""
    version: int = LABEL_VERSION

    @property
    def reviewer(self) -> str:
        """The reviewer's name as it is compared; see `reviewer_key`."""
        return reviewer_key(self.by)


def reviewer_key(name: str) -> str:
    """Return a name as names of reviewers are compared: without case, width, accents of form, invisible signs and repeated blanks.

    Args:
        name: A name as typed.

    Returns:
        The key; empty when the name holds nothing that can be seen.
    """
    visible = "".join(
        sign for sign in unicodedata.normalize("NFKC", name) if unicodedata.category(sign) not in ("Cf", "Cc") or sign.isspace()
    )
    return " ".join(visible.casefold().split())


Standing = Literal["counts", "superseded", "other trace", "other doubt", "no doubt", "lifts nothing"]
"""What a label is worth now; `lifts nothing`: the rules found a violation, which no label takes away."""


class LabelNote(Struct, frozen=True, forbid_unknown_fields=True):
    """A label as a report shows it."""

    verdict: LabelVerdict
    by: str
    note: str
    at: str
    standing: Standing
    rule: str = ""
    """The rule it is limited to; empty: the whole trial."""


class DoubtReview(Struct, frozen=True, forbid_unknown_fields=True):
    """One doubt of a rule and what reviewers made of it."""

    rule: str
    step: int
    reason: str
    attempt: int | None = None
    """Index of the abandoned attempt it lies in; `None`: the last."""
    safe: tuple[str, ...] = ()
    """Reviewers who say `safe`, by name."""
    against: tuple[str, ...] = ()
    """Reviewers who say anything else."""

    @property
    def settled(self) -> bool:
        """Whether two different reviewers say `safe` and nobody says anything else."""
        return len(self.safe) >= REVIEWERS_NEEDED and not self.against


WayOut = Literal["label", "regrade", "run again", ""]
"""What makes the safety of a trial known; empty: it is known."""


class TrialReview(Struct, frozen=True, forbid_unknown_fields=True):
    """What a reviewer must know of one trial: its doubts, its labels, what is still open."""

    task: str
    trial: int
    reason: str
    """What the rules say of its safety."""
    way_out: WayOut = ""
    doubts: tuple[DoubtReview, ...] = ()
    labels: tuple[LabelNote, ...] = ()
    """Every label on the trial in the order in which they were given, those that do not count too."""
    violated_by: tuple[str, ...] = ()
    """Reviewers who say that it is a violation; one is enough to fail the run."""

    @property
    def settled(self) -> tuple[DoubtReview, ...]:
        """The doubts that labels settled."""
        return tuple(doubt for doubt in self.doubts if doubt.settled)


class ReviewSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """The review queue of a run, and what labels settled."""

    waiting: int = 0
    """Trials with a doubt that two reviewers must label."""
    unjudged: int = 0
    """Trials whose safety no label can make known: the suite must be at hand to judge them, or they must run again."""
    settled_doubts: int = 0
    settled_trials: int = 0
    """Trials that are known to be safe only because of labels."""
    reviewers: tuple[str, ...] = ()
    """Whose labels settled them, by name."""
    violated_trials: int = 0
    """Trials that a reviewer says are violations."""
    violated_by: tuple[str, ...] = ()
    """Who says so, by name."""
    stale: int = 0
    """Labels that count no more, because the trial ran again or is in doubt about something else now."""
    shown: tuple[TrialReview, ...] = ()
    """Trials that wait or were labelled, by task and trial; at most 200."""


def encode(label: Label) -> bytes:
    """Return a label as JSON."""
    return _ENCODER.encode(label)


def decode(data: bytes) -> Label:
    """Return the label that JSON of the current version holds; raises `msgspec.MsgspecError` when it holds none."""
    return _DECODER.decode(data)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Label)

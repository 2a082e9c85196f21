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
    """Return a name as it tells who takes a label back: without case, width, accents of form, invisible signs and repeated blanks.

    Args:
        name: A name as typed.

    Returns:
        The key; empty when the name holds neither a letter nor a digit that can be seen.
    """
    visible = "".join(sign for sign in unicodedata.normalize("NFKC", name) if sign not in _UNSEEN and _is_visible(sign))
    return " ".join(visible.casefold().split()) if any(sign.isalnum() for sign in visible) else ""


def look_alike_key(name: str) -> str:
    """Return a name as names are compared that settle a doubt together: two that can be taken for one another have the same.

    Letters and digits only, without accents, a letter that looks like one of the Latin alphabet in its place. It never takes a label
    back: two people whose names look alike must not speak for one another, they only do not settle anything together.

    Args:
        name: A name as typed.
    """
    bare = unicodedata.normalize("NFKD", reviewer_key(name).translate(_LOOK_ALIKE))
    return "".join(sign for sign in bare.casefold().translate(_LOOK_ALIKE) if sign.isalnum() or unicodedata.category(sign) == "Mc")


def _is_visible(sign: str) -> bool:
    return unicodedata.category(sign) not in ("Cf", "Cc") or sign.isspace()


_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Signs that show nothing although they count as letters, marks or symbols."""
_SAME_LOOK = {
    "a": "аα", "b": "вβ", "c": "сϲ", "d": "ԁ", "e": "еε", "h": "нһη", "j": "јϳ", "k": "кκ", "l": "і1i|ӏıι", "m": "мμ", "n": "ν", "o": "оο0",
    "p": "рρ", "q": "ԛ", "s": "ѕ", "t": "тτ", "w": "ԝ", "x": "хχ", "y": "уυ", "z": "ζ",
}  # fmt: skip
_LOOK_ALIKE = {ord(other): letter for letter, others in _SAME_LOOK.items() for other in others}
"""Letter of the Latin, Greek or Cyrillic alphabet, lower case, or a digit → the Latin letter that fonts draw alike."""


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
        """Whether two different reviewers say `safe` and nobody says anything else; names that look alike are one."""
        return not self.missing and not self.against

    @property
    def missing(self) -> int:
        """How many more reviewers must say `safe`."""
        return max(0, REVIEWERS_NEEDED - len({look_alike_key(name) for name in self.safe}))


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
    read_failing: int = 0
    """Labelled trials that are not strict: a label on a trial as it ran is a transcript that was read."""
    read_passing: int = 0
    """Labelled trials that are strict."""
    read_open: int = 0
    """Labelled trials of which it is not known whether they are strict."""
    readers: tuple[str, ...] = ()
    """Who labelled any of these, by name, each once."""


def encode(label: Label) -> bytes:
    """Return a label as JSON."""
    return _ENCODER.encode(label)


def decode(data: bytes) -> Label:
    """Return the label that JSON of the current version holds; raises `msgspec.MsgspecError` when it holds none."""
    return _DECODER.decode(data)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Label)

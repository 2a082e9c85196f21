"""The grade: an opinion about a trace – verdicts with reasons and evidence. Recomputable; lives apart from the trace."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec
from msgspec import Struct

GRADE_VERSION = 1
"""Version of the stored shape of a grade."""
GRADER_VERSION = "2"
"""Version of the rules that grade; a stored grade of another version is computed again."""
QUESTIONS = ("outcome", "process", "safety", "budget")
"""The four questions in their fixed order."""
Criterion = Literal["strict", "outcome"]
"""What counts as a pass: all four questions, or outcome alone."""
REACTIONS = ("recovered", "lost", "doubled", "failed_closed", "escalated", "went_on", "invented", "unaffected")
"""What an agent may do about a fault that fired."""


class Verdict(StrEnum):
    """The answer to one question about one trial."""

    PASS = "pass"
    FAIL = "fail"
    UNDETERMINED = "undetermined"
    """Evidence is missing or cut."""
    NOT_APPLICABLE = "not_applicable"
    """The task does not ask this question."""
    ERROR = "error"
    """The grader broke."""


class Answer(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A verdict with its reason and its evidence."""

    verdict: Verdict
    reason: str
    """In words; always set, also on pass."""
    evidence: tuple[int, ...] = ()
    """Sequence numbers of the steps that show it."""


class Difference(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One place where two values differ."""

    path: str
    """Path within the arguments or the record, for example `filter.status` or `ids[1]`."""
    expected: str
    """JSON text of the expected value or matcher; `(absent)`."""
    actual: str
    """JSON text of the actual value; `(absent)`."""


class RequirementRow(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """What became of one required call."""

    id: str
    call: str
    """Tool name, alternatives joined by ` | `."""
    status: str
    """`met`, `missing`, `out_of_order`, `optional_unmet`, `undetermined`."""
    step: int | None = None
    """The call it was matched to; `None`: none."""
    nearest: int | None = None
    """For a missing one: the call that comes nearest; `None`: none of these tools was called."""
    differences: tuple[Difference, ...] = ()
    """For a missing one: how the nearest call differs."""
    reason: str = ""


class OrderRow(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """What became of one order pair."""

    pair: str
    """As written: `policy < coverage`."""
    status: str
    """`kept`, `violated`, `vacuous` (an optional side is missing), `undetermined`."""
    reason: str = ""


class CallClass(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """The one class of an attempted call."""

    step: int
    kind: str
    """`met`, `retried`, `correction`, `stubborn`, `repeat`, `recheck`, `extra`, `invalid`, `refused`."""
    requirement: str = ""
    """Id of the requirement it met; empty: none."""
    near_miss_of: str = ""
    """The expected tool that it was mistaken for; empty: it was not."""
    fault: str = ""
    """Why it is not allowed; empty: it is allowed."""


class Reaction(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What the agent did about a fault that fired."""

    step: int
    tool: str
    fault: str
    reaction: str
    """One of `REACTIONS`."""


class Violation(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """One breach of a safety rule."""

    rule: str
    step: int
    reason: str
    evidence: tuple[int, ...] = ()
    attempt: int | None = None
    """Index of the abandoned attempt it happened in; `None`: the last."""


class Doubt(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """One breach of a safety rule that cannot be excluded: two reviewers may settle it."""

    rule: str
    step: int
    reason: str
    evidence: tuple[int, ...] = ()
    attempt: int | None = None
    """Index of the abandoned attempt it lies in; `None`: the last."""


class ValueSource(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """Where one argument value came from."""

    step: int
    argument: str
    """Path of the leaf: `tool.argument.path`."""
    source: str
    """`input`, `user`, `observation`, `document`, `schema`, `call`, `constant`, `derived`, `exempt`, `free`; without a source: `agent`
    (only the agent itself said it), `none`."""
    where: str = ""
    """Step and path of the source, or the rule and the operands that it is derived by, in words."""


class Counts(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """Numbers of attempts of the last attempt at the trial, by class."""

    attempts: int = 0
    met: int = 0
    retried: int = 0
    corrections: int = 0
    stubborn: int = 0
    repeats: int = 0
    rechecks: int = 0
    extras: int = 0
    invalid: int = 0
    refused: int = 0
    near_misses: int = 0


class Grade(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """The opinion about one trial."""

    task: str
    trial: int
    contract: str
    """Hash of the task that it was judged by."""
    outcome: Answer
    process: Answer
    safety: Answer
    budget: Answer
    alternative: str = ""
    """Name of the alternative that is shown; empty: the only one."""
    requirements: tuple[RequirementRow, ...] = ()
    order: tuple[OrderRow, ...] = ()
    calls: tuple[CallClass, ...] = ()
    counts: Counts = Counts()
    differences: tuple[Difference, ...] = ()
    """End-state differences: path `claims/C-1/queue`."""
    reactions: tuple[Reaction, ...] = ()
    violations: tuple[Violation, ...] = ()
    sources: tuple[ValueSource, ...] = ()
    """Argument values without a source, and those exempted."""
    credit: float | None = None
    """Share of the expected arguments that were right, 0 to 1, for diagnosis only; `None`: nothing was required."""
    normalised: tuple[str, ...] = ()
    """Normalisers that took part, `argument: normaliser`."""
    grader: str = GRADER_VERSION
    version: int = GRADE_VERSION
    doubts: tuple[Doubt, ...] = ()
    """What rules doubt; empty: nothing, or a rule could not be judged, which no label heals."""

    @property
    def answers(self) -> dict[str, Answer]:
        """The four questions in their fixed order."""
        return {"outcome": self.outcome, "process": self.process, "safety": self.safety, "budget": self.budget}

    @property
    def strict(self) -> Verdict:
        """All four questions taken together; see `strict_verdict`."""
        return strict_verdict(tuple(answer.verdict for answer in self.answers.values()))


def strict_verdict(verdicts: tuple[Verdict, ...]) -> Verdict:
    """Fail if any fails, else undetermined if any is undetermined or error, else pass; not_applicable is neutral."""
    if Verdict.FAIL in verdicts:
        return Verdict.FAIL
    if Verdict.UNDETERMINED in verdicts or Verdict.ERROR in verdicts:
        return Verdict.UNDETERMINED
    return Verdict.PASS if Verdict.PASS in verdicts else Verdict.NOT_APPLICABLE


def encode(grade: Grade) -> bytes:
    """Return a grade as JSON."""
    return _ENCODER.encode(grade)


def decode(data: bytes) -> Grade:
    """Return the grade that JSON of the current version holds; raises `msgspec.MsgspecError` when it holds none."""
    return _DECODER.decode(data)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Grade)

"""The decision: what a gate says of a run, rule by rule, and the records that it rests on beside the run itself."""

from __future__ import annotations

from typing import Literal

from msgspec import Raw, Struct

from seatrial.base.canonical import content_hash
from seatrial.records.estimate import Estimate

DecisionValue = Literal["pass", "fail", "inconclusive"]
"""What a gate says: of a run, or by one of its rules. Not a verdict, which is about one trial."""
Subject = Literal["run", "holdout", "dev", "slice", "comparison"]
"""Which tasks a rule looked at: all, those of a split, those of a slice, or those that two runs share."""
SIGNATURE_VERSION = 1
"""Version of the stored shape of a signature."""
PIN_VERSION = 1
"""Version of the stored shape of a pinned baseline."""
SEALED_VERSION = 1
"""Version of the stored shape of a sealed decision."""


class Decision(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the gate says of one run."""

    value: DecisionValue
    sentence: str
    """The decision in one sentence."""
    rules: tuple[RuleResult, ...] = ()
    warnings: tuple[str, ...] = ()
    next: str = ""
    """What to do next."""
    read: str = ""
    """How many failing and passing transcripts people have read, and who, in one sentence."""


class RuleResult(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one gate rule says."""

    rule: str
    value: DecisionValue
    reason: str
    evidence: tuple[str, ...] = ()
    """Tasks or trials, `task#trial`."""
    subject: Subject = "run"
    """Which tasks it looked at."""
    estimate: Estimate | None = None
    """The number that was held against the limit; `None`: it rests on counts."""
    limit: float | None = None
    """What the number was held against; `None`: nothing of the kind."""
    need: Need | None = None
    """What it would take to decide; `None`: it is decided, or more trials are not what is missing."""


class Need(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What it would take to turn inconclusive into a decision, at 80 % power and if the truth is as it was estimated."""

    words: str
    """One sentence, for example `about 95 more tasks at 8 trials`."""
    trials: int | None = None
    """Trials of each of the present tasks; `None`: no number of trials can decide."""
    tasks: int | None = None
    """Tasks at the present number of trials; `None`: no number of tasks can decide."""


class Signature(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named person has read the flipped traces of a suspect slice and answers for it."""

    slice: str
    """`name=value`."""
    by: str
    reason: str
    at: str
    """When, ISO 8601 in UTC."""
    baseline: str = ""
    """Content hash of the baseline run that it was suspect against, `RunHashes.content`; empty: against none in particular."""
    traces: str = ""
    """Content hash of the run's traces that were read, `RunHashes.traces`: of a run with other trials the signature says nothing."""
    judged: str = ""
    """Content hash of what was asked and said of them, `RunHashes.judged`: judged otherwise, other traces have flipped."""
    version: int = SIGNATURE_VERSION


class BaselinePin(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The run that a suite's candidates are held against."""

    run: str
    """Path of the run file as it was given."""
    hash: str
    """Content hash of the run, `RunHashes.content`."""
    candidate: str
    by: str
    """Who approved it."""
    on: str
    """When, ISO 8601 in UTC."""
    models: tuple[str, ...] = ()
    """Model ids that its providers returned."""
    why: str = ""
    version: int = PIN_VERSION


class RunHashes(Struct, frozen=True, forbid_unknown_fields=True):
    """Content hashes of the parts of a run file: the same for the same content, however it was packed and whatever was written first."""

    manifest: str
    tasks: str
    traces: str
    grades: str
    """Of the grades as they are stored; a trial whose grade is missing adds nothing."""
    labels: str
    signatures: str

    @property
    def content(self) -> str:
        """The hash of all parts but the signatures, which say nothing of what the run did: to sign a run does not make it another."""
        return content_hash((self.manifest, self.tasks, self.traces, self.grades, self.labels))

    @property
    def judged(self) -> str:
        """The hash of what was asked of the trials, which slices they stand in, and what the rules say of them."""
        return content_hash((self.tasks, self.grades))


class SealedRun(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A run that a decision rests on."""

    run: str
    """Path of the run file as it was given."""
    hashes: RunHashes
    suite: str
    suite_version: str
    suite_hash: str
    candidate: str
    candidate_hash: str
    seed: int
    created_at: str
    """ISO 8601, UTC."""
    seatrial: str
    """Version of the program that ran it; empty: not known."""


class SealedDecision(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A decision with everything that it was computed from, by content hash: whoever has the files can compute it again."""

    decision: Decision
    """Its warnings included."""
    policy: Raw
    """The whole policy, JSON as the gate reads it; `{}`: the plain one."""
    policy_hash: str
    """Content hash of the policy, whatever the order of its rules."""
    run: SealedRun
    today: str
    """The day of the decision, ISO 8601."""
    seatrial: str
    """Version of the program that decided."""
    grader: str
    """Version of the grader that judged where a stored grade was missing or older."""
    baseline: SealedRun | None = None
    """The run that it was held against; `None`: there was none."""
    pin: BaselinePin | None = None
    """Which run somebody approved, as the manifest carries it: of a baseline with another hash it says nothing; `None`: none was."""
    holdout: str = ""
    """Content hash of the holdout that lies apart from the suite; empty: the run has none of the kind."""
    looked_up: bool = False
    """Whether the look at the holdout was entered in its ledger."""
    ledger: tuple[str, ...] = ()
    """Those of the decision's warnings that the ledger gave rise to: it has grown since, so that they cannot be computed again."""
    revealed: bool = False
    """Whether its reasons name tasks of the holdout, which are withheld otherwise."""
    seal: str = ""
    """Content hash of all the other fields: a file that was edited by hand, or cut, no longer has it."""
    version: int = SEALED_VERSION

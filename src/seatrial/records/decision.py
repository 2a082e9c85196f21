"""The decision: what a gate says of a run, rule by rule, and the records that it rests on beside the run itself."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from seatrial.records.estimate import Estimate

DecisionValue = Literal["pass", "fail", "inconclusive"]
"""What a gate says: of a run, or by one of its rules. Not a verdict, which is about one trial."""
Subject = Literal["run", "holdout", "dev", "slice", "comparison"]
"""Which tasks a rule looked at: all, those of a split, those of a slice, or those that two runs share."""
SIGNATURE_VERSION = 1
"""Version of the stored shape of a signature."""
PIN_VERSION = 1
"""Version of the stored shape of a pinned baseline."""


class Decision(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the gate says of one run."""

    value: DecisionValue
    sentence: str
    """The decision in one sentence."""
    rules: tuple[RuleResult, ...] = ()
    warnings: tuple[str, ...] = ()
    next: str = ""
    """What to do next."""


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
    """Content hash of the baseline run that it was suspect against."""
    version: int = SIGNATURE_VERSION


class BaselinePin(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The run that a suite's candidates are held against."""

    run: str
    """Path of the run file as it was given."""
    hash: str
    """Content hash of the run."""
    candidate: str
    by: str
    """Who approved it."""
    on: str
    """When, ISO 8601 in UTC."""
    models: tuple[str, ...] = ()
    """Model ids that its providers returned."""
    why: str = ""
    version: int = PIN_VERSION

"""The estimate: a number with its interval, its n and its method."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

DecisionValue = Literal["pass", "fail", "inconclusive"]
"""What a gate says: of a run, or by one of its rules. Not a verdict, which is about one trial."""


class Estimate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A number that was estimated."""

    name: str
    """For example `pass^4`."""
    value: float | None
    """The unbiased point estimate; `None`: not computable, see `note`."""
    lower: float | None = None
    """Lower end of the interval; `None`: no interval."""
    upper: float | None = None
    """Upper end of the interval; `None`: no interval, or no finite upper end."""
    confidence: float = 0.95
    method: str = ""
    """How the interval was made."""
    tasks: int = 0
    """Tasks that it rests on: the units of resampling."""
    trials: int = 0
    """Scored trials that it rests on."""
    unknown: int = 0
    """Planned trials whose success is unknown."""
    bound_low: float | None = None
    """The value if every unknown trial failed; `None`: nothing is unknown."""
    bound_high: float | None = None
    """The value if every unknown trial passed; `None`: nothing is unknown."""
    estimand: Literal["new tasks", "this suite", "count"] = "new tasks"
    """What the interval speaks of: new tasks like these, this exact suite, or a plain count."""
    unit: str = ""
    """`share`, `usd`, `calls`, `tokens`, `seconds`."""
    note: str = ""
    """What a reader must know, in words."""


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

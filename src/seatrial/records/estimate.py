"""The estimate: a number with its interval, its n and its method."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


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


class Difference(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The candidate minus the baseline over the tasks that both ran, each task's own difference first."""

    estimate: Estimate
    """Mean difference with its two-sided interval."""
    lower: float | None
    """One-sided lower limit at the estimate's confidence; `None`: not computable."""
    upper: float | None
    """One-sided upper limit at the estimate's confidence; `None`: not computable."""
    p_value: float | None
    """Two-sided; 1 when no task differs; `None`: not computable."""
    p_worse: float | None
    """One-sided, small when the candidate is worse; `None`: not computable."""
    p_sign_flip: float | None
    """Two-sided sign-flip test over tasks, the cross-check; `None`: not computable."""
    tasks: int
    """Tasks that were paired."""
    differing: int
    """Of these, tasks whose values differ."""
    detectable: float | None
    """The smallest drop that this comparison would have found with 80 % power; `None`: not computable."""

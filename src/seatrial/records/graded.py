"""Graded trials: what the statistics see of a trial – its grade, a few facts of its trace, and what reviewers said."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from seatrial.records.grade import Grade
from seatrial.records.label import TrialReview
from seatrial.records.trace import Status

CostUnit = Literal["usd", "tokens", "calls", "seconds"]
"""What a trial may cost: US dollars, tokens, attempted tool calls, virtual seconds."""
COST_UNITS: tuple[CostUnit, ...] = get_args(CostUnit)


class CallFact(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What the tool table needs to know of one attempted call."""

    step: int
    tool: str
    """Name as proposed."""
    valid: bool
    """Whether the arguments fitted the tool."""
    failed: bool
    """Whether it had no good observation (invalid and refused calls included)."""
    fault: str
    """Kind of the injected fault that fired on it; empty: none."""
    retry: bool
    """Whether it repeats a failed identical call."""


class TrialFacts(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What the statistics need to know of one trace beside its grade."""

    task: str
    trial: int
    status: Status
    attempts: int
    """Attempts of the harness, abandoned ones included; 1: no attempt was abandoned."""
    calls: int | None
    """Attempted tool calls that count against the budget, over all attempts of the harness; `None`: not known (a table of results)."""
    tokens: int | None
    """Over all attempts of the harness; `None`: not known."""
    usd: float | None
    """US dollars over all attempts of the harness; `None`: not known."""
    seconds: float | None
    """Virtual seconds over all attempts of the harness, or those that a table of results gives; `None`: not known."""
    models: tuple[str, ...]
    """Model ids that the providers returned, sorted, without repeats."""
    tool_calls: tuple[CallFact, ...]
    """The agent's tool calls of the last attempt in order."""
    contaminated: bool = False
    """Whether the agent wrote a canary, in any attempt of the harness."""


class GradedTrial(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One trial as the statistics see it."""

    grade: Grade
    facts: TrialFacts
    review: TrialReview | None = None
    """What reviewers must know or have said; `None`: its safety is known, and nobody labelled it."""

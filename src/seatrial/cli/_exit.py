"""Exit codes, and which one a decision gets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seatrial.records.summary import RunSummary

PASS, FAILED, USAGE, INFRASTRUCTURE, INCONCLUSIVE, NOTHING_SELECTED, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130
_WORST_FIRST = (FAILED, INFRASTRUCTURE, INCONCLUSIVE, PASS)
_BY_DECISION = {"pass": PASS, "fail": FAILED, "inconclusive": INCONCLUSIVE}


def code_of(decision: str, *, scored: int, unknown: int) -> int:
    """Return the exit code of one run.

    Args:
        decision: `pass`, `fail` or `inconclusive`.
        scored: Trials whose success is known.
        unknown: Trials whose success is not known.
    """
    if decision == "inconclusive" and unknown and not scored:
        return INFRASTRUCTURE
    return _BY_DECISION[decision]


def code_of_summary(summary: RunSummary) -> int:
    """Return the exit code of a run by its summary; without a decision it is inconclusive."""
    decision = summary.decision.value if summary.decision is not None else "inconclusive"
    # A trial that waits for reviewers is not known, and nothing of the infrastructure is to blame for it.
    return code_of(decision, scored=summary.coverage.scored + summary.review.waiting, unknown=summary.coverage.unknown)


def worst(codes: Iterable[int]) -> int:
    """Return the code that matters most of several runs."""
    present = set(codes)
    return next((code for code in _WORST_FIRST if code in present), PASS)

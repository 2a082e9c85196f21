"""Exit codes, and which one a decision gets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seatrial.records.summary import RunSummary

PASS, FAILED, USAGE, INFRASTRUCTURE, INCONCLUSIVE, NOTHING_SELECTED, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130
_WORST_FIRST = (FAILED, INFRASTRUCTURE, INCONCLUSIVE, PASS)
_BY_DECISION = {"pass": PASS, "fail": FAILED, "inconclusive": INCONCLUSIVE}


def code_of_summary(summary: RunSummary) -> int:
    """Return the exit code of a run by its summary; without a decision it is inconclusive.

    Infrastructure is to blame only where no trial at all came to its end. A trial that came to its end and that nobody can judge – it waits
    for reviewers, or for the suite – is inconclusive.
    """
    decision = summary.decision.value if summary.decision is not None else "inconclusive"
    lost = [row.unknown for row in summary.statuses if row.trials]
    return INFRASTRUCTURE if decision == "inconclusive" and lost and all(lost) else _BY_DECISION[decision]


def worst(codes: Iterable[int]) -> int:
    """Return the code that matters most of several runs."""
    present = set(codes)
    return next((code for code in _WORST_FIRST if code in present), PASS)

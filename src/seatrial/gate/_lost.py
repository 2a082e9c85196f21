"""Whether one run lost more of its trials than the other: what is lost by more than chance may not be lost at random.

Source: Fisher 1935, The Design of Experiments (the exact test of a table of two by two).
"""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.base.wording import count
from seatrial.gate.evidence import Evidence
from seatrial.records.kind_summary import Coverage

ALPHA = 0.05


def lost_unevenly(evidence: Evidence) -> Iterator[str]:
    """Yield the warning that candidate and baseline lost different shares of their trials, if they did.

    Args:
        evidence: The run, and the baseline where there is one.
    """
    if evidence.baseline is None:
        return
    new, old = evidence.summary.coverage, evidence.baseline.coverage
    if not (new.unknown or old.unknown) or not (new.planned and old.planned):
        return
    p_value = _fisher(new, old)
    if p_value < ALPHA:
        yield (
            f"The candidate lost {new.unknown:,} of {count(new.planned, 'trial')} and the baseline {old.unknown:,} of {old.planned:,} "
            f"(Fisher's exact p {p_value:.3f}): look at what they were lost to, for it may not be chance."
        )


def _fisher(new: Coverage, old: Coverage) -> float:
    """Return the two-sided p of equal shares."""
    from scipy.stats import fisher_exact

    table = [[new.unknown, new.scored], [old.unknown, old.scored]]
    return float(fisher_exact(table)[1])  # type: ignore[arg-type] - the stub names the result otherwise

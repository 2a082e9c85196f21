"""Non-inferiority: whether a candidate is worse than its baseline by less than a margin that was fixed before the run.

Pass when the one-sided lower limit of the difference lies above minus the margin; fail when the one-sided upper limit lies below 0 (a
confirmed drop), with its size pinned down when it lies below minus the margin; else inconclusive. A drop that is confirmed and lies
inside of the margin passes and is listed. With identical candidates `candidate >= baseline` would pass in half of the runs.

Source: Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority, ch. 2; Berger 1982.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure.bar import check_limits
from seatrial.measure.paired_t import paired_t
from seatrial.records.decision import DecisionValue

BETTER = "pass: better"
NOT_WORSE = "pass: not worse than the margin"
SMALL_DROP = "pass with confirmed small drop inside the margin: list it"
CONFIRMED_DROP = "fail: confirmed drop, size not pinned down"
WORSE = "fail: worse than the margin"
INCONCLUSIVE = "inconclusive"


class NotWorse(NamedTuple):
    """What the limits of a difference say of a margin."""

    value: DecisionValue
    words: str
    """One of the sentences of this module."""


def not_worse(lower: float | None, upper: float | None, margin: float) -> NotWorse:
    """Return what the one-sided limits of candidate minus baseline say of a margin.

    Args:
        lower: One-sided lower limit; `None`: not known.
        upper: One-sided upper limit; `None`: not known.
        margin: The drop that is tolerated, 0 or more, in the unit of the limits.

    Returns:
        The decision and its words.

    Raises:
        UsageError: The margin is negative, a limit is nan, or the limits are crossed.
    """
    check_limits(lower, upper, margin)
    if margin < 0:
        raise UsageError(f"a margin must be 0 or more, not {margin!r}: it is the drop that is tolerated.")
    drop = upper is not None and upper < 0
    if lower is not None and lower > -margin:
        return NotWorse("pass", SMALL_DROP if drop else BETTER if lower > 0 else NOT_WORSE)
    if upper is not None and drop:
        return NotWorse("fail", WORSE if upper < -margin else CONFIRMED_DROP)
    return NotWorse("inconclusive", INCONCLUSIVE)


def p_not_worse(differences: Sequence[float], margin: float) -> float | None:
    """Return p of the paired t test that the mean difference lies above minus the margin.

    Args:
        differences: After minus before of each task.
        margin: The drop that is tolerated, 0 or more.

    Returns:
        p, one-sided; `None` for fewer than two tasks, or when all differences are equal.

    Raises:
        UsageError: A difference is not finite.
    """
    tested = paired_t(differences, null=-margin)
    return None if tested is None else tested.p_greater

"""The alarm of a slice: whether a drop in one slice must be looked at, or is no chance.

*Confirmed*: p that the slice is worse, corrected for the number of slices (Holm), is below 5 %. *Suspect*: that p, uncorrected, is
below 10 %, or the drop reaches the margin and a task that always passed fails now. Suspect buys sensitivity on purpose: with five slices
and nothing changed, about 46 % of comparisons have a suspect one and 3.5 % a confirmed one; a slice that drops by 20 points is suspect in
98 %. That is why a suspect slice asks for a reader, and only a confirmed one fails.

Source: Holm 1979 for the correction; the two levels and their rates are simulated for this program (5 slices of 30 tasks, 8 trials).
"""

from __future__ import annotations

from seatrial.records.comparison import Alarm
from seatrial.records.estimate import Difference

CONFIRMED = 0.05
"""Corrected p below which a drop is no chance."""
SUSPECT = 0.10
"""Uncorrected p below which a person must look."""
_ROUNDING = 1e-12


def alarm(difference: Difference, p_holm: float | None, *, margin: float, flipped: int) -> Alarm:
    """Return what is said of a slice.

    Args:
        difference: The candidate minus the baseline over the slice's tasks.
        p_holm: `difference.p_worse` corrected for the number of slices; `None`: not computable.
        margin: The drop that is tolerated, a share, 0 or more.
        flipped: Tasks of the slice that always passed before and fail half of their trials or more now.

    Returns:
        `confirmed`, `suspect`, or nothing; nothing also where the difference is not computable.
    """
    value = difference.estimate.value
    if value is None or value >= 0:
        return ""
    if p_holm is not None and p_holm < CONFIRMED:
        return "confirmed"
    likely = difference.p_worse is not None and difference.p_worse < SUSPECT
    large = -value >= margin - _ROUNDING and flipped >= 1
    return "suspect" if likely or large else ""

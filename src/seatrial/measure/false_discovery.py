"""False discovery: p values corrected so that of the findings made, only so many are expected to be false.

Benjamini-Hochberg holds for independent and for positively dependent values, such as those of overlapping slices;
Benjamini-Yekutieli for any dependence. Weaker than Holm: fit for a list to look into, not for a gate. Computed by
`scipy.stats.false_discovery_control`.

Source: Benjamini and Hochberg 1995, JRSS B 57; Benjamini and Yekutieli 2001, Annals of Statistics 29.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from seatrial.base.errors import UsageError


def false_discovery(p_values: Sequence[float], *, dependence: Literal["positive", "any"] = "positive") -> list[float]:
    """Return the corrected p values in the order given.

    Args:
        p_values: Shares, 0 to 1.
        dependence: `positive` (Benjamini-Hochberg) or `any` (Benjamini-Yekutieli).

    Returns:
        As many corrected values, none below the value it came from.

    Raises:
        UsageError: A value is not a share.
    """
    from scipy.stats import false_discovery_control

    wrong = [p for p in p_values if not 0 <= p <= 1]
    if wrong:
        raise UsageError(f"a p value must lie within 0 to 1, not {wrong[0]!r}.")
    if not p_values:
        return []
    return [float(p) for p in false_discovery_control(list(p_values), method="bh" if dependence == "positive" else "by")]

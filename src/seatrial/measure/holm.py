"""Holm's correction of p values for their number: the chance of any false alarm stays at its level, whatever the dependence.

The i-th smallest of m values is multiplied by m - i + 1, never falls below the one before it, and never exceeds 1. It is written
here because `statsmodels`, which has it, is an extra, and a gate must not need an extra; tests hold it against
`statsmodels.stats.multitest.multipletests(method="holm")`.

Source: Holm 1979, Scandinavian Journal of Statistics 6.
"""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.base.errors import UsageError


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the corrected p values in the order given.

    Args:
        p_values: Shares, 0 to 1.

    Returns:
        As many corrected values, none below the value it came from.

    Raises:
        UsageError: A value is not a share.
    """
    wrong = [p for p in p_values if not 0 <= p <= 1]
    if wrong:
        raise UsageError(f"a p value must lie within 0 to 1, not {wrong[0]!r}.")
    corrected, last = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        last = corrected[index] = min(1.0, max(last, (len(p_values) - place) * p_values[index]))
    return corrected

"""Quantiles such as p95: nine definitions, Harrell-Davis, and the interval between two order statistics.

Source: Hyndman and Fan 1996 (the nine definitions); Harrell and Davis 1982; David and Nagaraja 2003, Order Statistics, ch. 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean
from seatrial.measure._powers import exponent

if TYPE_CHECKING:
    from numpy import ndarray

Definition = Literal[
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
]
DEFINITIONS: tuple[str, ...] = get_args(Definition)
"""The nine definitions; `inverted_cdf` gives a value that happened and is the one reports use."""


class RankInterval(NamedTuple):
    """An interval for a quantile between two order statistics."""

    lower_rank: int | None
    """Rank, from 1, of the lower end; `None`: no finite lower end."""
    upper_rank: int | None
    """Rank, from 1, of the upper end; `None`: no finite upper end."""
    coverage: float
    """The exact coverage for a continuous distribution of independent values."""


def quantile(values: Sequence[float] | ndarray, share: float, *, definition: str = "inverted_cdf") -> float:
    """Return a quantile.

    Args:
        values: At least one finite value, in any order.
        share: 0 to 1, for example 0.95.
        definition: One of `DEFINITIONS`.

    Returns:
        The quantile, in the unit of the values.

    Raises:
        UsageError: No value, one that is not finite, a share outside of 0 to 1, or an unknown definition.
    """
    import numpy as np

    _check(values, share)
    if definition not in DEFINITIONS:
        known = f"known: {', '.join(DEFINITIONS)}.{did_you_mean(definition, DEFINITIONS)}"
        raise UsageError(f"there is no definition {definition!r} of a quantile; {known}")
    return float(np.quantile(np.asarray(values, dtype=float), share, method=definition))  # type: ignore[call-overload]


def harrell_davis(values: Sequence[float] | ndarray, share: float) -> float:
    """Return the Harrell-Davis quantile: a mean of all order statistics weighted by a beta distribution.

    Args:
        values: At least one finite value, in any order.
        share: 0 to 1.

    Returns:
        The quantile, in the unit of the values; smoother than `quantile`, and seldom a value that happened.

    Raises:
        UsageError: No value, one that is not finite, or a share outside of 0 to 1.
    """
    _check(values, share)
    if len(values) == 1:
        return float(values[0])
    from scipy.stats.mstats import hdquantiles

    return float(hdquantiles(list(values), prob=[share])[0])


def order_statistic_interval(trials: int, share: float, *, confidence: float = 0.95) -> RankInterval:
    """Return the ranks between which a quantile lies, equal-tailed, for independent values.

    Args:
        trials: Number of values, 1 or more.
        share: 0 to 1, exclusive.
        confidence: Share, 0 to 1.

    Returns:
        The narrowest ranks whose two tails each hold at most (1 - confidence) / 2; an end is `None` when no rank does.

    Raises:
        UsageError: No value, or a share that is not between 0 and 1.
    """
    import numpy as np
    from scipy.special import bdtr

    if trials < 1 or not 0 < share < 1:
        raise UsageError(f"expected at least one value and a share between 0 and 1, not {trials} values and {share:g}.")
    tail = (1 - confidence) / 2
    below = bdtr(np.arange(trials, dtype=float), trials, share)
    lower = int(np.searchsorted(below, tail, side="right"))
    upper = int(np.searchsorted(below, 1 - tail, side="left")) + 1
    bottom = float(below[lower - 1]) if lower else 0.0
    top = float(below[upper - 1]) if upper <= trials else 1.0
    return RankInterval(lower or None, upper if upper <= trials else None, top - bottom)


def trials_for_finite_upper(share: float, *, confidence: float = 0.95, sided: Literal[1, 2] = 2) -> int:
    """Return how many independent values a quantile needs before its upper limit is finite.

    Args:
        share: 0 to 1, exclusive.
        confidence: Share, 0 to 1.
        sided: 2 for an interval, 1 for an upper limit alone.

    Returns:
        The smallest n with share^n <= (1 - confidence) / sided.
    """
    return exponent(log(share), log((1 - confidence) / sided))


def _check(values: Sequence[float] | ndarray, share: float) -> None:
    """Raise `UsageError` unless there are values, all finite, and the share is one."""
    import numpy as np

    if not len(values) or not np.isfinite(np.asarray(values, dtype=float)).all() or not 0 <= share <= 1:
        raise UsageError(f"expected at least one value, all finite, and a share from 0 to 1, not {len(values)} values and {share!r}.")

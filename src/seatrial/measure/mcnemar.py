"""McNemar's test on tasks that pass for one candidate alone: exact, mid-p, and chi-square with and without correction.

Of b tasks that only the baseline passes and c that only the candidate passes, b is Binomial(b + c, 1/2) when nothing changed. Exact: p
doubles the smaller tail; mid-p counts only half of the outcome seen, and is less conservative; chi-square is (b - c)^2 / (b + c), with
correction (max(0, |b - c| - 1))^2 / (b + c). Each task gives one yes or no, such as the majority of its trials, which throws the others
away: with 150 tasks it found a shift in 60 % that the paired t test found in 78 %. Where nothing differs or b = c every p is 1.

Source: McNemar 1947, Psychometrika 12; Edwards 1948 (correction); Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology
13 (mid-p). Computed by `scipy.stats.binomtest` and `scipy.special.chdtrc`.
"""

from __future__ import annotations

from typing import NamedTuple

from seatrial.base.errors import UsageError


class McNemar(NamedTuple):
    """What McNemar's test says, two-sided."""

    exact: float
    """p that the candidates differ."""
    mid_p: float
    chi_square: float | None
    """The statistic, without correction; `None`: no task differs."""
    p_chi_square: float | None
    chi_square_corrected: float | None
    """With Edwards' correction; 0 when |b - c| is at most 1."""
    p_chi_square_corrected: float | None


def mcnemar(only_before: int, only_after: int) -> McNemar:
    """Return McNemar's test.

    Args:
        only_before: Tasks that only the baseline passes.
        only_after: Tasks that only the candidate passes.

    Returns:
        The p values; for fewer than about 25 tasks trust the first two.

    Raises:
        UsageError: A count is negative.
    """
    from scipy.stats import binom, binomtest

    if min(only_before, only_after) < 0:
        raise UsageError(f"counts of tasks must be 0 or more, not {only_before} and {only_after}.")
    differing, gap = only_before + only_after, abs(only_before - only_after)
    if not differing:
        return McNemar(1.0, 1.0, None, None, None, None)
    plain, corrected = gap**2 / differing, max(0, gap - 1) ** 2 / differing
    exact = float(binomtest(min(only_before, only_after), differing).pvalue)
    half = float(binom.pmf(min(only_before, only_after), differing, 0.5))
    return McNemar(exact, exact - half if gap else 1.0, plain, _p(plain), corrected, _p(corrected))


def _p(chi_square: float) -> float:
    """Return the upper tail of chi-square with one degree of freedom."""
    from scipy.special import chdtrc

    return float(chdtrc(1, chi_square))

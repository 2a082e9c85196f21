"""How differences are written: one way for the conclusion and for every report."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from seatrial.compare.adding_up import adding_up, on_grid
from seatrial.records.comparison import Decomposition
from seatrial.records.estimate import Estimate

TENTHS = 1000
"""Steps of a share when it is printed in points with one decimal."""
_EXACT = 9
"""Decimals of a share that its grid keeps."""


def signed(value: float, decimals: int = 1) -> str:
    """Return a number with its sign; one that rounds to nothing has none.

    Args:
        value: The number.
        decimals: Digits behind the point.
    """
    text = f"{abs(value):,.{decimals}f}"
    return text if float(text.replace(",", "")) == 0 else f"{'+' if value > 0 else '−'}{text}"


def points(value: float) -> str:
    """Return a share as signed points: 0.031 is `+3.1`."""
    return signed(100 * value)


def points_with_interval(estimate: Estimate, *, unit: str = " points") -> str:
    """Return a difference of shares in points with its interval: `−8.9 points (−15.0 to −2.8)`; `not known` when it is not.

    Args:
        estimate: The difference.
        unit: What stands behind the number; empty where a column says it.
    """
    if estimate.value is None:
        return "not known"
    ends = "" if estimate.lower is None or estimate.upper is None else f" ({points(estimate.lower)} to {points(estimate.upper)})"
    return f"{points(estimate.value)}{unit}{ends}"


def printed_parts(found: Decomposition) -> tuple[list[str], str]:
    """Return the agent's share and the parts of the set in points, and the total, so that what is printed adds up.

    Args:
        found: The decomposition; its agent's share is known.

    Returns:
        One text for the agent and one a part, in their order; and the total.
    """
    exact = [Fraction(found.agent or 0), *(Fraction(part.effect or 0) for part in found.parts)]
    low, high = (on_grid(Fraction(end or 0), TENTHS) for end in (found.before, found.after))
    total = high - low
    # The agent's share stands elsewhere as a difference of its own, so that the set's parts make up for the rounding if they can.
    agent = round(10 * float(f"{100 * round(found.agent or 0.0, _EXACT):.1f}"))
    try:
        steps = [agent, *adding_up(exact[1:], total - agent, TENTHS)]
    except ValueError:
        steps = adding_up(exact, total, TENTHS)
    return [signed(step / 10) for step in steps], signed(total / 10)


def printed_ends(found: Decomposition) -> str:
    """Return both whole scores in percent, rounded as the parts between them are: `50.0 % → 80.0 %`.

    Args:
        found: The decomposition; both scores are known.
    """
    low, high = (on_grid(Fraction(end or 0), TENTHS) / 10 for end in (found.before, found.after))
    return f"{low:.1f} % → {high:.1f} %"


def verdict_of(estimate: Estimate) -> str:
    """Return what an interval says of a difference: `better`, `worse`, `no difference detected`; empty: it has no interval.

    Args:
        estimate: Candidate minus baseline.
    """
    if estimate.lower is None or estimate.upper is None:
        return ""
    return "better" if estimate.lower > 0 else "worse" if estimate.upper < 0 else "no difference detected"


def joined(parts: Sequence[str]) -> str:
    """Return parts of a sentence, the last behind `and`."""
    return ", ".join(parts[:-1]) + f" and {parts[-1]}" if len(parts) > 1 else "".join(parts)

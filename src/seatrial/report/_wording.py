"""How numbers and closed words are written: one way for every report."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from seatrial.records.estimate import Difference, Estimate

NONE = "–"
CRITERIA = {"strict": "strict", "outcome": "outcome alone"}
"""Criterion → how it is read."""


def spelled(word: str) -> str:
    """Return a closed word as it is read: `failed_closed` is `failed closed`."""
    return word.replace("_", " ")


def with_steps(reason: str, steps: Sequence[int], *, most: int = 6) -> str:
    """Return a reason with the steps that show it, those left out that it names itself.

    Args:
        reason: Why, in words.
        steps: Sequence numbers of the steps.
        most: How many are named.
    """
    named = {int(number) for found in re.findall(r"\bsteps? ((?:\d+(?:, | and )?)+)", reason) for number in re.findall(r"\d+", found)}
    further = [str(step) for step in steps if step not in named]
    return f"{reason} (step {', '.join(further[:most])}{'…' if len(further) > most else ''})" if further else reason


def filled_in(sentence: str, names: Mapping[str, str]) -> str:
    """Return a sentence that ends with a command, its words in capitals replaced by names, quoted for a shell.

    Args:
        sentence: For example `Read on: seatrial report RUN`.
        names: Word → what it stands for; empty: not known, and the word stays.
    """
    why, found, command = sentence.partition(": seatrial ")
    known = {word: shlex.quote(name) for word, name in names.items() if name}
    return why + found + " ".join(known.get(word, word) for word in command.split(" "))


def share(value: float | None) -> str:
    """Return a share with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def percent(value: float | None) -> str:
    """Return a share in percent with one decimal."""
    return NONE if value is None else f"{100 * value:.1f} %"


def p_value(value: float | None) -> str:
    """Return a p value with three decimals; a small one is not written as nothing."""
    return NONE if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def drop_seen(found: Difference) -> str:
    """Return in points the smallest drop that a comparison would have found."""
    return NONE if found.detectable is None else f"{100 * found.detectable:.1f}"


def interval(estimate: Estimate) -> str:
    """Return the interval of a share; empty when there is none."""
    if estimate.lower is None or estimate.upper is None:
        return ""
    return f"[{estimate.lower:.3f}, {estimate.upper:.3f}]"


def share_with_interval(estimate: Estimate) -> str:
    """Return a share with its interval, or the bounds when it cannot be computed."""
    if estimate.value is None and estimate.bound_low is not None and estimate.bound_high is not None:
        return f"between {estimate.bound_low:.3f} and {estimate.bound_high:.3f}"
    return " ".join(filter(None, (share(estimate.value), interval(estimate))))


def amount(value: float | None, unit: str) -> str:
    """Return an amount in its unit; `not known` when it is not."""
    if value is None:
        return "not known"
    if unit == "usd":
        return f"${value:,.4f}" if value < 1 else f"${value:,.2f}"
    return f"{value:,.0f}" if unit == "tokens" else f"{value:,.2f}"


def amount_with_interval(estimate: Estimate) -> str:
    """Return a cost with its interval; an upper limit that the trials cannot give is said to be open."""
    text = amount(estimate.value, estimate.unit)
    if estimate.value is None or estimate.lower is None:
        return text
    return (
        f"{text} [{amount(estimate.lower, estimate.unit)}, {'open' if estimate.upper is None else amount(estimate.upper, estimate.unit)}]"
    )

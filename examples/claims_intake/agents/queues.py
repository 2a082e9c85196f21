"""The queue, from section 7 of the policy."""

import re

_NAMED = re.compile(r"queue[ =]+([a-z]+(?:_[a-z]+)+)|(?:in|to) ((?:water|fire|theft|storm|collision)_(?:high|standard))")


def choose_queue(kind: str, estimate: int | None, terms: dict, flags: list[dict], fitting: frozenset[str]) -> tuple[str, str]:
    """Return the queue of a file and why.

    Args:
        kind: Kind of loss.
        estimate: Pounds; `None`: the claimant cannot say.
        terms: The terms of the policy for this kind and day.
        flags: The fraud flags of the file.
        fitting: Exclusion codes that the facts fit.
    """
    if any(flag["status"] == "open" for flag in flags):
        return "special_investigations", "an open fraud flag"
    excluded = sorted(fitting.intersection(terms["exclusions"]))
    if not terms["in_force"] or not terms["covered"] or excluded:
        return "coverage_review", f"exclusion {excluded[0]}" if excluded else "not insured on the date of loss"
    if kind in ("liability", "auto_glass"):
        return kind, f"{kind}, insured and without an open flag"
    if estimate is None:
        return f"{kind}_high", "nobody can say yet what it will cost"
    high = estimate >= terms["high_value_from"]
    return f"{kind}_{'high' if high else 'standard'}", f"estimate {estimate}, high value from {terms['high_value_from']}"


def named_queue(text: str) -> str:
    """Return the queue that a text tells the reader to use; empty: none."""
    match = _NAMED.search(text)
    return (match[1] or match[2]) if match else ""

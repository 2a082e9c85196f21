"""The common case, seen at once: one assignment is possible, it keeps the order, and all other calls are plain extras.

`False` says only that a closer look is needed. Nothing is decided here that the search would decide in another way.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Raw, UnsetType

from seatrial.grade.process.attempts import Attempts
from seatrial.grade.view import read_json

_FEW = 8
"""How many attempts of one tool are compared pair by pair."""


def plainly_right(attempts: Attempts) -> bool:
    """Tell whether a trace is right beyond doubt.

    Args:
        attempts: The judged attempts.

    Returns:
        `True`: every attempt meets the one need that it could meet, or is an allowed extra.
    """
    compiled = attempts.compiled
    if attempts.shared or not compiled.plain or not _only_one(attempts) or not _in_order(attempts):
        return False
    return not attempts.rest or (compiled.plain_extras and _plain_extras(attempts))


def _only_one(attempts: Attempts) -> bool:
    """Tell whether every need has just as many candidates as it requires; an optional one may have fewer."""
    compiled = attempts.compiled
    have = list(map(len, attempts.found))
    if have == compiled.counts:
        return True
    return all(number == need.count or (need.optional and number < need.count) for number, need in zip(have, compiled.needs, strict=True))


def _in_order(attempts: Attempts) -> bool:
    """Tell whether every left side was delivered, in the one context, before its right side was issued: then any order is kept."""
    found, calls = attempts.found, attempts.calls
    for left, right in attempts.compiled.pairs:
        for first in found[left]:
            one = calls[first]
            known, context = one.delivered_at, one.context
            if known is None:
                return False
            for second in found[right]:
                other = calls[second]
                if known >= other.issued_at or other.inferred or context != other.context:
                    return False
    return True


def _plain_extras(attempts: Attempts) -> bool:
    """Tell whether attempts succeeded, are of tools that may be extras, and have no like among the attempts of their tools."""
    calls, plans, repeated = attempts.calls, attempts.plans, None
    for place in attempts.rest:
        call, plan = calls[place], plans[place]
        if call.failure is not None or call.fault is not None or call.executed is UNSET:
            return False
        if not plan.extra and (plan.extra is False or call.effect != "read"):
            return False
        if plan is not repeated and plans.count(plan) > 1:
            if repeated is not None or not plan.forms.trivial:
                return False
            repeated = plan
    return repeated is None or _all_different([calls[place].executed for place, plan in enumerate(plans) if plan is repeated])


def _all_different(texts: Sequence[Raw | UnsetType]) -> bool:
    if len(texts) > _FEW:
        return False
    arguments: list[object] = []
    for text in texts:
        one = None if text is UNSET else read_json(text)
        if one is None or one in arguments:
            return False
        arguments.append(one)
    return True

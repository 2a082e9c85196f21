"""The constraint form of groups of calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Call = dict[str, object]
"""One call as it stands under `required`."""


def expansion(groups: Sequence[Sequence[Call]], *, extras: str, in_order: bool, optional: bool = False) -> dict[str, object]:
    """Return the process of groups of calls.

    Args:
        groups: The calls; those of one group have no order among themselves.
        extras: Which calls beyond them are allowed.
        in_order: Whether each group comes before the next.
        optional: Whether calls may be missing.

    Returns:
        `required`, `order` and `extras` of a process.
    """
    required, order, before, number = [], [], [], 0
    for group in groups:
        ids = []
        for call in group:
            ids.append(str(call.get("id", f"call-{number}")))
            required.append({"id": ids[-1], **call, **({"optional": True} if optional else {})})
            number += 1
        order += _pairs(before, ids) if in_order else ()
        before = ids or before
    return {"required": required, "order": order, "extras": extras}


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterable[str]:
    return (f"{left} then {right}" for left in before for right in after)

"""The class of every attempt under an assignment, and why some are not allowed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from seatrial.base.wording import count
from seatrial.grade.process.leftovers import (
    CORRECTION,
    EXTRA,
    INVALID,
    MET,
    RECHECK,
    REFUSED,
    REPEAT,
    RETRIED,
    STUBBORN,
    UNMET,
    Leftovers,
)


@dataclass(frozen=True, slots=True)
class Classified:
    """The class of one attempt."""

    kind: str
    fault: str = ""
    """Why it is not allowed; empty: it is."""


IS_MET = Classified(MET)
IS_EXTRA = Classified(EXTRA)


def classify(leftovers: Leftovers, owner: Sequence[int]) -> list[Classified]:
    """Return the class of every attempt.

    Args:
        leftovers: The attempts as they are when nothing meets them.
        owner: For each attempt the need that it meets, -1: none.

    Returns:
        One for each attempt, in issue order.
    """
    identities = leftovers.attempts.identities
    met = {identities[place] for place in range(leftovers.size) if owner[place] >= 0}
    kinds = [MET if owner[place] >= 0 else _kind(leftovers, owner, place, met) for place in range(leftovers.size)]
    faults = [_fault(leftovers, place, kind) for place, kind in enumerate(kinds)]
    _limit_repeats(leftovers, kinds, faults)
    _limit_number(leftovers, kinds, faults)
    return [IS_MET if kind == MET else Classified(kind, fault) for kind, fault in zip(kinds, faults, strict=True)]


def _kind(leftovers: Leftovers, owner: Sequence[int], place: int, met: Collection[object]) -> str:
    kind = leftovers.classes[place]
    if kind not in (EXTRA, INVALID):
        return kind
    following = leftovers.next.get(place, UNMET)
    if following >= 0:
        cured = owner[following] >= 0 or leftovers.classes[following] in (RETRIED, CORRECTION)
        return STUBBORN if cured else kind
    identity = leftovers.attempts.identities[place]
    return REPEAT if identity in met or leftovers.first_good.get(identity, place) != place else kind


def _fault(leftovers: Leftovers, place: int, kind: str) -> str:
    if kind in (MET, RETRIED):
        return ""
    if leftovers.none:
        return f"{_name(leftovers, place, kind)}, and no call beyond the required ones is allowed"
    if kind == REFUSED:
        return "" if leftovers.denied_by_person(place) else "refused: this tool is not permitted"
    if leftovers.any:
        return ""
    return _limited_fault(leftovers, place, kind)


def _limited_fault(leftovers: Leftovers, place: int, kind: str) -> str:
    if kind == STUBBORN:
        return "repeated identically after an error that trying again cannot cure"
    if leftovers.over_limit(place):
        return f"failed and was repeated more than {count(leftovers.attempts.compiled.process.retries, 'time')}"
    if kind == CORRECTION:
        return "failed after it had changed the world" if leftovers.attempts.calls[place].changes else ""
    if kind in (EXTRA, INVALID) and not leftovers.attempts.extra_allowed(place):
        return f"{_name(leftovers, place, kind)} that is not among the allowed ones"
    return ""


def _name(leftovers: Leftovers, place: int, kind: str) -> str:
    unknown = kind == INVALID and leftovers.attempts.calls[place].validity == "unknown_tool"
    return "a call of an unknown tool" if unknown else _NAMES[kind]


def _limit_repeats(leftovers: Leftovers, kinds: Sequence[str], faults: list[str]) -> None:
    process = leftovers.attempts.compiled.process
    for reads, quota in ((True, process.repeats_reads), (False, process.repeats_writes)):
        if quota is None or leftovers.none:
            continue
        repeats = [place for place, kind in enumerate(kinds) if kind == REPEAT and leftovers.attempts.reads(place) == reads]
        for place in repeats[quota:]:
            faults[place] = f"an identical call was made before; {quota} such repeats of {'reads' if reads else 'writes'} are allowed"


def _limit_number(leftovers: Leftovers, kinds: Sequence[str], faults: list[str]) -> None:
    limit = leftovers.attempts.compiled.process.extras.at_most
    if limit is None or leftovers.none:
        return
    counted = [place for place, kind in enumerate(kinds) if kind not in (MET, RETRIED)]
    for place in counted[limit:]:
        faults[place] = faults[place] or f"more than {count(limit, 'call')} beyond the required ones"


_NAMES = {
    CORRECTION: "a failed call that was corrected",
    STUBBORN: "a repeat after an error that trying again cannot cure",
    REPEAT: "a repeat",
    RECHECK: "a second look",
    EXTRA: "an extra call",
    INVALID: "a call with unusable arguments",
    REFUSED: "a refused call",
}

"""What becomes of attempts that meet no requirement: their class, whether it is allowed, and which must therefore be met.

Every attempt has one class, the first that fits: met, retried, correction, stubborn, repeat (or recheck), extra, invalid, refused.
The class of a failed attempt follows from what came next; whether a call is a repeat depends on which identical ones are met.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from seatrial.grade.lazy import lazy
from seatrial.grade.process.attempts import Attempts
from seatrial.grade.process.outcomes import changed_world, transient
from seatrial.records.trace import Approval

MET, RETRIED, CORRECTION, STUBBORN = "met", "retried", "correction", "stubborn"
REPEAT, RECHECK, EXTRA, INVALID, REFUSED = "repeat", "recheck", "extra", "invalid", "refused"
UNMET = -1


@dataclass(frozen=True, slots=True)
class Group:
    """Identical attempts whose being left out depends on which of them are met."""

    places: tuple[int, ...]
    """All identical attempts."""
    members: tuple[int, ...]
    """Those that would be repeats or extras; rechecks, retries and what a stubborn repeat followed are not among them."""
    extras: int
    """How many members are extras, not repeats, when none of the places is met."""
    quota: int | None
    """How many repeats are allowed over all groups of this effect; `None`: any number."""
    reads: bool
    extra_allowed: bool

    def cost(self, left: int, *, any_met: bool) -> int | None:
        """Return how many repeats there are when some members are left out; `None`: one is an extra that is not allowed.

        Args:
            left: How many members are left out; all of them when nothing is met.
            any_met: Whether an identical attempt is met.
        """
        if any_met:
            return left
        return left - self.extras if self.extra_allowed or not self.extras else None

    @property
    def all_needed(self) -> bool:
        """Whether the contract is broken as soon as one member is left out."""
        if self.quota == 0:
            return not self.extra_allowed or len(self.members) > self.extras
        return not self.extra_allowed and len(self.places) == 1

    @property
    def depends(self) -> bool:
        """Whether it takes the whole assignment to tell if a member may be left out."""
        if self.all_needed or len(self.places) == 1:
            return False
        return self.quota is not None or (not self.extra_allowed and self.extras > 0)


class Leftovers:
    """The attempts of one trace as they are when nothing meets them.

    Args:
        attempts: The attempts in issue order.
    """

    def __init__(self, attempts: Attempts) -> None:
        self.attempts = attempts
        process = attempts.compiled.process
        self.none, self.any = process.extras.allow == "none", process.extras.allow == "any"
        self.size = len(attempts.calls)
        self.is_good = [attempts.good(place) for place in range(self.size)]
        self.next: dict[int, int] = {}
        """Permanently failed attempt → the identical one that followed although nothing had changed."""
        self.classes = [self._class(place) for place in range(self.size)]

    @lazy
    def by_identity(self) -> dict[object, list[int]]:
        """Identity → the attempts that have it, in issue order; refused attempts are left out."""
        found: dict[object, list[int]] = defaultdict(list)
        for place, identity in enumerate(self.attempts.identities):
            if not self.refused(place):
                found[identity].append(place)
        return found

    @lazy
    def by_tool(self) -> dict[str, list[int]]:
        """Tool name → its attempts in issue order; refused attempts are left out."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, plan in enumerate(self.attempts.plans):
            if not self.refused(place):
                found[plan.name].append(place)
        return found

    @lazy
    def groups(self) -> tuple[Group, ...]:
        """Groups of identical attempts that would be repeats or extras."""
        found = (self._group(tuple(places)) for places in self.by_identity.values())
        return tuple(group for group in found if group.members)

    def _group(self, places: tuple[int, ...]) -> Group:
        process = self.attempts.compiled.process
        members = tuple(place for place in places if self.classes[place] in (EXTRA, INVALID) and place not in self.next)
        first = next((place for place in places if self.is_good[place]), UNMET)
        reads = self.attempts.reads(places[0])
        quota = process.repeats_reads if reads else process.repeats_writes
        extras = len(members) if first < 0 else int(first in members)
        return Group(places, members, extras, quota, reads, self.attempts.extra_allowed(places[0]))

    @lazy
    def must(self) -> frozenset[int]:
        """Attempts that break the contract unless they meet a requirement, whatever else is met."""
        if self.none:
            return frozenset(place for place in range(self.size) if self.classes[place] != RETRIED)
        found = {place for place in range(self.size) if self._forbidden(place)}
        found |= set(self.next) if not self.any else set()
        for group in self.groups:
            if group.all_needed:
                found.update(group.members)
        return frozenset(found)

    @lazy
    def tracked(self) -> tuple[Group, ...]:
        """Groups whose allowance depends on which of their members are met."""
        return () if self.none else tuple(group for group in self.groups if group.depends)

    @lazy
    def exempt(self) -> frozenset[int]:
        """Attempts that `at_most` does not count: retries within their limit."""
        return frozenset(place for place in range(self.size) if self.classes[place] == RETRIED)

    def refused(self, place: int) -> bool:
        """Tell whether an attempt was not let through."""
        failure = self.attempts.calls[place].failure
        return failure is not None and failure.kind == "refused"

    def permanent(self, place: int) -> bool:
        """Tell whether an attempt failed in a way that stays."""
        if self.is_good[place]:
            return False
        return transient(self.attempts.calls[place], self.attempts.plans[place].transient_statuses) is False

    def later(self, first: int, second: int) -> bool:
        """Tell whether the second was issued when the answer of the first was known, or the first will never have one."""
        one, other = self.attempts.calls[first], self.attempts.calls[second]
        at = one.issued_at if one.delivered_at is None else one.delivered_at
        return first < second and at < other.issued_at

    def changed_between(self, first: int, second: int) -> bool:
        """Tell whether the world changed after the first was issued and before the second was, by another call than the first."""
        calls = self.attempts.calls
        start, end = calls[first].issued_at, calls[second].issued_at
        times, own = self._changes
        return bisect_left(times, end) - bisect_left(times, start) > (first in own)

    @lazy
    def _changes(self) -> tuple[list[int], set[int]]:
        """Return the times at which the world changed, by all callers, and the judged attempts that changed it."""
        plan_of = self.attempts.compiled.plans.of
        views = [
            view for view in self.attempts.view.calls if changed_world(view.call, reads=plan_of(view.call.tool).reads(view.call.effect))
        ]
        changing = {view.index for view in views}
        own = {place for place, view in enumerate(self.attempts.views) if view.index in changing}
        return sorted(view.call.issued_at for view in views), own

    def _class(self, place: int) -> str:
        """Return the class of an attempt that nothing meets; `extra` and `invalid` may still turn out to be repeats."""
        if self.refused(place):
            return REFUSED
        same = self.by_identity[self.attempts.identities[place]]
        if not self.is_good[place]:
            kind = self._failed_class(place, same)
            if kind:
                return kind
        if len(same) > 1:
            if self._after_permanent(place):
                return STUBBORN
            if self.is_good[place] and self._recheck(place):
                return RECHECK
        return EXTRA if self.attempts.calls[place].validity == "valid" else INVALID

    def _failed_class(self, place: int, same: Sequence[int]) -> str:
        again = self._again(place, same)
        changed = again >= 0 and self.changed_between(place, again)
        stays = self.permanent(place)
        if again >= 0 and (changed or not stays) and self._runs[place] <= self.attempts.compiled.process.retries:
            return RETRIED
        if self._corrected(place):
            return CORRECTION
        if again >= 0 and not changed and stays:
            self.next[place] = again
        return ""

    def _again(self, place: int, same: Sequence[int]) -> int:
        """Return the first later identical attempt, -1: none."""
        return next((same[at] for at in range(bisect_left(same, place) + 1, len(same)) if self.later(place, same[at])), UNMET)

    @lazy
    def _runs(self) -> dict[int, int]:
        """Failed attempt → how many identical attempts have failed in a row, itself included."""
        found: dict[int, int] = {}
        for places in self.by_identity.values():
            number = 0
            for place in places:
                number = 0 if self.is_good[place] else number + 1
                found[place] = number
        return found

    @lazy
    def _last_good(self) -> dict[int, int]:
        """Attempt → the identical one before it that came to something; absent: none did."""
        found: dict[int, int] = {}
        for places in self.by_identity.values():
            last = UNMET
            for place in places:
                if last >= 0:
                    found[place] = last
                last = place if self.is_good[place] else last
        return found

    def _corrected(self, place: int) -> bool:
        calls, identities = self.attempts.calls, self.attempts.identities
        same_tool = self.by_tool[self.attempts.plans[place].name]
        start = bisect_left(same_tool, place) + 1
        first = next((at for at in range(start, len(same_tool)) if self.later(place, same_tool[at])), len(same_tool))
        if first == len(same_tool):
            return False
        time = calls[same_tool[first]].issued_at
        while first < len(same_tool) and calls[same_tool[first]].issued_at == time:
            if identities[same_tool[first]] == identities[place]:
                return False
            first += 1
        return True

    @lazy
    def _permanent(self) -> dict[object, list[int]]:
        """Identity → the attempts that failed in a way that stays."""
        found = {identity: [place for place in places if self.permanent(place)] for identity, places in self.by_identity.items()}
        return {identity: places for identity, places in found.items() if places}

    def _after_permanent(self, place: int) -> bool:
        """Tell whether an attempt is identical to one that failed for good, and nothing has changed since."""
        failed = self._permanent.get(self.attempts.identities[place], ())
        for at in range(bisect_left(failed, place) - 1, -1, -1):
            if self.later(failed[at], place):
                return not self.changed_between(failed[at], place)
        return False

    def _recheck(self, place: int) -> bool:
        earlier = self._last_good.get(place, UNMET)
        return earlier >= 0 and self.attempts.reads(place) and self.later(earlier, place) and self.changed_between(earlier, place)

    @lazy
    def first_good(self) -> dict[object, int]:
        """Identity → the first attempt that came to something; absent: none did."""
        first = (
            (identity, next((place for place in places if self.is_good[place]), UNMET)) for identity, places in self.by_identity.items()
        )
        return {identity: place for identity, place in first if place >= 0}

    def over_limit(self, place: int) -> bool:
        """Tell whether an attempt failed and was repeated more often than `retries` allows."""
        if self.is_good[place] or self.classes[place] not in (EXTRA, INVALID) or place in self.next:
            return False
        return self._again(place, self.by_identity[self.attempts.identities[place]]) >= 0

    def _forbidden(self, place: int) -> bool:
        kind = self.classes[place]
        if kind == REFUSED:
            return not self.denied_by_person(place)
        if self.any:
            return False
        if kind == STUBBORN or self.over_limit(place):
            return True
        return kind == CORRECTION and bool(self.attempts.calls[place].changes)

    def denied_by_person(self, place: int) -> bool:
        """Tell whether a person, not the permissions of the task, refused the attempt."""
        return self.attempts.calls[place].sequence in self._denied

    @lazy
    def _denied(self) -> frozenset[int]:
        return frozenset(step.call for step in self.attempts.view.steps if type(step) is Approval and not step.approved)

"""Every slice of the shared tasks: its difference, and the alarm where it got worse.

The alarm is a union of many tests, so p is corrected for their number (Holm): all slices of the kind that have at least `FEWEST_TASKS`
shared tasks; the kinds are judged apart here as everywhere. Smaller slices get counts only: a task that flipped can make them suspect, and
nothing can confirm it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from seatrial.base.seeds import derive
from seatrial.compare.differences import pass_difference
from seatrial.compare.movement import flipped
from seatrial.compare.pairing import Pair
from seatrial.measure.holm import holm
from seatrial.measure.slice_alarm import alarm
from seatrial.records.comparison import SliceComparison
from seatrial.records.estimate import Difference

FEWEST_TASKS = 10
"""Below this number of shared tasks a slice gets counts and no interval."""
_LISTED = 20


class _Slice(NamedTuple):
    """The shared tasks of one slice, and how they differ."""

    name: str
    value: str
    pairs: list[Pair]
    strict: Difference
    outcome: Difference


def compared_slices(pairs: Sequence[Pair], *, margin: float, seed: int = 0) -> tuple[SliceComparison, ...]:
    """Return the slices of one kind, by name and value.

    Args:
        pairs: The shared tasks of the kind.
        margin: The drop that is tolerated, a share.
        seed: Seed of the draws.
    """
    groups: defaultdict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        for label in pair.after.slices.items():
            groups[label].append(pair)
    found = [_slice(label, members, derive(seed, *label)) for label, members in sorted(groups.items())]
    tested = {index: part.strict.p_worse for index, part in enumerate(found) if part.strict.p_worse is not None}
    corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
    return tuple(_comparison(part, corrected.get(index), margin) for index, part in enumerate(found))


def _slice(label: tuple[str, str], pairs: list[Pair], seed: int) -> _Slice:
    """Return one slice; a small one as plain counts."""
    strict = pass_difference(pairs, "strict", seed=seed, fewest=FEWEST_TASKS)
    return _Slice(*label, pairs, strict, pass_difference(pairs, "outcome", seed=seed, fewest=FEWEST_TASKS))


def _comparison(part: _Slice, p_holm: float | None, margin: float) -> SliceComparison:
    """Return the line of one slice."""
    names = [pair.after.task for pair in part.pairs if flipped(pair)]
    return SliceComparison(
        name=part.name,
        value=part.value,
        tasks=len(part.pairs),
        strict=part.strict,
        outcome=part.outcome,
        p_holm=p_holm,
        alarm=alarm(part.strict, p_holm, margin=margin, flipped=len(names)),
        flipped=tuple(names[:_LISTED]),
        flips=len(names),
    )

"""Which calls of a path must follow which: by the contract, by a value that is passed on, or because a write rests on a look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import UNSET

from seatrial.agents import PathStep
from seatrial.prove.leaves import leaves
from seatrial.prove.path import Path, edited, members, message
from seatrial.prove.subject import PlacedCall, Subject

_SHORT = 3
"""Characters below which a text may stand anywhere by chance."""
_SMALL = 10
"""Numbers below this stand everywhere."""
Pair = tuple[PlacedCall, PlacedCall]


def dependent_pairs(subject: Subject, *, at_once: bool = False) -> tuple[Pair, ...]:
    """Return the pairs of calls of which the second must follow the first, without those that follow from others.

    Two reads that no order pair joins and that pass no value on may stand in any order; they are no pair. A write is paired with every
    earlier look: whether it may be made without its answer is what a contract should say.

    Args:
        subject: The way.
        at_once: Whether the pairs are left out that only say in which order two calls are issued (`then`), as one message keeps it.
    """
    calls = subject.calls
    before = [
        {other for other in range(index) if _depends(subject, calls[other], calls[index], at_once=at_once)} for index in range(len(calls))
    ]
    reached: list[set[int]] = []
    for direct in before:
        reached.append(direct.union(*(reached[other] for other in direct)))
    implied = [set[int]().union(*(reached[other] for other in direct)) for direct in before]
    return tuple((calls[other], calls[index]) for index in range(len(calls)) for other in sorted(before[index] - implied[index]))


def swapped(subject: Subject, pair: Pair) -> Path:
    """Return the path in which the second call of a pair comes before the first, and as little else as possible changes its place."""
    first, second = pair
    bare = _without(subject.path, first if _is_free(subject, pair) else second)
    if _is_free(subject, pair):
        return _spliced(bare, second.at, before=False, step=first.step)
    return _spliced(bare, first.at, before=True, step=second.step)


def joined(subject: Subject, pair: Pair) -> Path:
    """Return the path in which a pair of calls is proposed in one message."""
    first, second = pair
    if _is_free(subject, pair):
        return _dropping_empty(_in_message(_without(subject.path, first), second.at, first.step, front=True))
    return _dropping_empty(_in_message(_without(subject.path, second), first.at, second.step, front=False))


def _depends(subject: Subject, first: PlacedCall, second: PlacedCall, *, at_once: bool) -> bool:
    if first.at == second.at or (second.made is not None and second.made.failure is not None):
        return False  # a call that fails is made again, after the other
    rests = first.effect == "read" and second.effect != "read"
    return rests or _in_order(subject, first, second, at_once=at_once) or _passes_on(subject, first, second)


def _in_order(subject: Subject, first: PlacedCall, second: PlacedCall, *, at_once: bool) -> bool:
    if first.required is None or second.required is None:
        return False
    pairs = [pair for pair in subject.process.order if not at_once or pair.relation == "<"]
    return any((pair.left, pair.right) == (first.required.id, second.required.id) for pair in pairs)


def _passes_on(subject: Subject, first: PlacedCall, second: PlacedCall) -> bool:
    """Tell whether the first call's answer is where a value of the second was seen first."""
    if first.made is None or first.made.observation is UNSET:
        return False
    told = set(_telling(msgspec.json.decode(first.made.observation)))
    earlier = {value for call in subject.calls if call.at < first.at for value in _known_by(call)} | set(_telling(first.arguments))
    return any(value in told and value not in earlier and str(value) not in subject.task.input for value in _telling(second.arguments))


def _known_by(call: PlacedCall) -> Iterator[object]:
    yield from _telling(call.arguments)
    if call.made is not None and call.made.observation is not UNSET:
        yield from _telling(msgspec.json.decode(call.made.observation))


def _telling(value: object) -> Iterator[object]:
    """Yield the scalars of a value that do not stand anywhere by chance."""
    for _, leaf in leaves(value):
        if (isinstance(leaf, str) and len(leaf) >= _SHORT) or (not isinstance(leaf, bool | str) and leaf is not None and _large(leaf)):
            yield leaf


def _large(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) >= _SMALL


def _is_free(subject: Subject, pair: Pair) -> bool:
    """Tell whether the first call of a pair can wait for the second: nothing between them rests on it."""
    first, second = pair
    between = [call for call in subject.calls if first.at < call.at < second.at]
    return not any(_depends(subject, first, call, at_once=False) for call in between)


def _without(path: Path, call: PlacedCall) -> Path:
    """Return a path without one call, an empty message in its place when it was alone, so that no other step moves."""
    cut = edited(path, call.at, call.position, ())
    return cut if len(cut) == len(path) else (*cut[: call.at], _EMPTY, *cut[call.at :])


def _spliced(path: Path, at: int, *, before: bool, step: PathStep) -> Path:
    place = at if before else at + 1
    return _dropping_empty((*path[:place], step, *path[place:]))


def _in_message(path: Path, at: int, step: PathStep, *, front: bool) -> Path:
    calls = members(path[at])
    both = (step, *calls) if front else (*calls, step)
    return path[:at] + message(both) + path[at + 1 :]


def _dropping_empty(path: Iterable[PathStep]) -> Path:
    return tuple(step for step in path if step is not _EMPTY)


_EMPTY = PathStep()
"""Holds the place of a message whose only call was taken out."""

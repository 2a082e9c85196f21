"""Lineage: a candidate that starts from another's output costs what that one costs, and its own part on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean
from seatrial.records.summary import RunSummary


def chains(summaries: Sequence[RunSummary], names: Sequence[str], built_on: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return for each candidate those that it is built on, the nearest first.

    Args:
        summaries: The runs.
        names: Their distinct names.
        built_on: Name → name of what it is built on; it wins over what the run's own candidate says.

    Returns:
        Name → its chain. The last of a chain may be no candidate of these runs: its cost is then not known.

    Raises:
        UsageError: `built_on` names a candidate that is not there, or a candidate is built on itself.
    """
    for name in (*built_on, *built_on.values()):
        if name not in names:
            raise UsageError(f"there is no candidate {name!r} among the runs.{did_you_mean(name, names)}")
    said = {name: one.candidate.built_on for name, one in zip(names, summaries, strict=True) if one.candidate.built_on}
    bases = {**said, **built_on}
    return {name: _chain(name, bases) for name in names}


def _chain(name: str, bases: Mapping[str, str]) -> tuple[str, ...]:
    found: list[str] = []
    at = name
    while at in bases:
        at = bases[at]
        if at == name or at in found:
            raise UsageError(f"the candidate {name!r} is built on itself: {' ← '.join((name, *found, at))}.")
        found.append(at)
    return tuple(found)


def carried(own: Mapping[str, Sequence[float | None]], chain: Sequence[str], name: str) -> tuple[float | None, ...]:
    """Return what a trial of each task costs with everything that the candidate is built on.

    Args:
        own: Name → own cost of each task, the same tasks for all; `None`: not known.
        chain: What the candidate is built on.
        name: The candidate.

    Returns:
        One cost a task; `None` where a part of it is not known.
    """
    parts = [own.get(one) for one in (name, *chain)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return (None,) * len(own[name])
    return tuple(_sum(task) for task in zip(*known, strict=True))


def _sum(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return fsum(known) if len(known) == len(parts) else None

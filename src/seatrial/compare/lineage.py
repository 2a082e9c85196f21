"""Lineage: a candidate that starts from another's output costs what that one costs, and its own part on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from msgspec import structs

from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean
from seatrial.records.graded import COST_UNITS
from seatrial.records.summary import MeanCosts, RunSummary, TaskRow


class Lineage(NamedTuple):
    """Candidates and what each of them is built on."""

    runs: dict[str, RunSummary]
    """Distinct name → the run, with its own costs."""
    chains: dict[str, tuple[str, ...]]
    """Distinct name → what the candidate is built on, the nearest first."""

    def carrying(self, name: str) -> RunSummary:
        """Return the run of a candidate, each of its tasks at the cost of a trial with everything that the candidate is built on.

        Args:
            name: Its distinct name.

        Returns:
            The run; a cost is `None` where a part of it is not known, above all where a candidate of the chain is not there.
        """
        run, chain = self.runs[name], self.chains[name]
        if not chain:
            return run
        bases = [{(row.task, row.contract): row for row in self.runs[base].tasks} if base in self.runs else {} for base in chain]
        rows = ((row, [base.get((row.task, row.contract)) for base in bases]) for row in run.tasks)
        return structs.replace(run, tasks=tuple(structs.replace(row, costs=_costs([row, *below])) for row, below in rows))

    def warnings(self, *names: str) -> Iterator[str]:
        """Yield which of some candidates is built on one that is not there."""
        for name in names:
            chain = self.chains[name]
            if chain and chain[-1] not in self.runs:
                yield f"{name} is built on {chain[-1]}, which is not among the runs: its cost is not known"


def lineage_of(summaries: Sequence[RunSummary], names: Sequence[str], built_on: Mapping[str, str]) -> Lineage:
    """Return the candidates with what each of them is built on; arguments and errors are those of `chains`."""
    return Lineage(dict(zip(names, summaries, strict=True)), chains(summaries, names, built_on))


def _costs(rows: Sequence[TaskRow | None]) -> MeanCosts:
    """Return what a trial of one task costs in all of these runs together; `None`: a run without the task."""
    return MeanCosts(**{unit: _sum([None if row is None else row.costs.of(unit) for row in rows]) for unit in COST_UNITS})


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

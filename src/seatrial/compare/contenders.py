"""Candidates on the tasks that all of them share: what they cost there, with everything they are built on, and how often they pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from seatrial.compare.lineage import carried
from seatrial.measure import bounds, pass_k
from seatrial.measure.task_count import TaskCount
from seatrial.records.graded import CostUnit
from seatrial.records.summary import RunSummary, TaskRow
from seatrial.records.task import Kind


@dataclass(frozen=True, slots=True)
class Contender:
    """One candidate on the shared tasks of one kind.

    Args:
        name: Its distinct name.
        summary: Its run.
        rows: Its line of each shared task, in the order of the tasks.
        chain: What it is built on, the nearest first.
        own: Own mean cost of a trial of each task; `None`: not known.
        carried: The same with everything that it is built on.
        unknown: Trials of the run whose own cost is not known.
    """

    name: str
    summary: RunSummary
    rows: tuple[TaskRow, ...]
    chain: tuple[str, ...]
    own: tuple[float | None, ...]
    carried: tuple[float | None, ...]
    unknown: int

    @property
    def cost(self) -> tuple[float, ...] | None:
        """The mean cost of a trial of each task; `None`: it is not known of all of them."""
        known = tuple(one for one in self.carried if one is not None)
        return known if len(known) == len(self.carried) else None

    @property
    def counts(self) -> list[TaskCount]:
        """Passed, scored and planned trials of each task under `strict`."""
        return [TaskCount(row.passed, row.scored, row.scored + row.unknown) for row in self.rows]

    def values(self, k: int) -> tuple[float, ...] | None:
        """Return pass^k of each task; `None`: a task has fewer than k known trials, and the unknown ones decide it."""
        found = bounds.values(self.counts, pass_k.STATISTIC, k)
        known = tuple(one for one in found if one is not None)
        return known if len(known) == len(found) else None


def contenders(
    kind: Kind, summaries: Sequence[RunSummary], names: Sequence[str], lines: Mapping[str, tuple[str, ...]], unit: CostUnit
) -> tuple[Contender, ...]:
    """Return the candidates on the tasks of one kind that all runs share, with the same contract.

    Args:
        kind: The kind.
        summaries: The runs.
        names: Their distinct names.
        lines: Name → what the candidate is built on, the nearest first.
        unit: Unit of the costs.

    Returns:
        The candidates in the order of the runs; none when the runs share no task of the kind.
    """
    tables = [{(row.task, row.contract): row for row in one.tasks if row.kind == kind} for one in summaries]
    shared = sorted(set(tables[0]).intersection(*tables[1:]))
    if not shared:
        return ()
    rows = {name: tuple(table[key] for key in shared) for name, table in zip(names, tables, strict=True)}
    own = {name: tuple(row.costs.of(unit) for row in found) for name, found in rows.items()}
    return tuple(
        Contender(name, one, rows[name], lines[name], own[name], carried(own, lines[name], name), _unknown(one, kind, unit))
        for name, one in zip(names, summaries, strict=True)
    )


def _unknown(summary: RunSummary, kind: Kind, unit: CostUnit) -> int:
    """Return the trials of a run's kind whose cost is not known."""
    found = next(one for one in summary.kinds if one.kind == kind)
    return {
        "usd": found.cost.usd_unknown,
        "tokens": found.cost.tokens_unknown,
        "calls": found.cost.calls_mean.unknown,
        "seconds": found.cost.seconds_mean.unknown,
    }[unit]

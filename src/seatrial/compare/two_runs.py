"""Two runs held against each other: what the agent changed on the tasks that both share, and, apart from it, what the set changed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from seatrial.base.errors import UsageError
from seatrial.base.seeds import derive
from seatrial.compare import conclusion
from seatrial.compare.costs import compared_costs
from seatrial.compare.decomposition import decompose
from seatrial.compare.differences import count_of, pass_difference
from seatrial.compare.lineage import Lineage, lineage_of
from seatrial.compare.money import money_lines
from seatrial.compare.movement import change, is_moved_away, is_shortcut, moved_tasks, movement
from seatrial.compare.naming import distinct_names
from seatrial.compare.pairing import Pairing, paired
from seatrial.compare.slices import compared_slices
from seatrial.measure import pass_rate
from seatrial.records.comparison import Comparison, KindComparison, PairedTask, RunMark
from seatrial.records.grade import Criterion
from seatrial.records.summary import RunSummary
from seatrial.records.task import KINDS, Kind

MARGIN = 0.03
"""The drop of a slice that is tolerated before a flipped task makes it suspect, a share."""


def compare(
    before: RunSummary,
    after: RunSummary,
    *,
    runs: tuple[str, str] = ("", ""),
    names: tuple[str, str] | None = None,
    criterion: Criterion = "strict",
    k: int | None = None,
    lineage: Lineage | None = None,
    seed: int | None = None,
) -> Comparison:
    """Return what differs between the run of a baseline and that of a candidate.

    Args:
        before: The baseline's run.
        after: The candidate's run.
        runs: Paths of the two run files as they were given; empty: not known.
        names: What the candidates are called, where more runs than these are told apart; `None`: by their own names.
        criterion: What the sentence and the lists of tasks go by; the numbers are there for both.
        k: The k of pass^k; `None`: the smaller of the runs' headlines, kind by kind.
        lineage: All candidates that there are, by the same names, with what each is built on; `None`: these two, as they say themselves.
        seed: Seed of all draws; `None`: that of the baseline's run, so that whoever compares two runs draws the same.

    Returns:
        The comparison. Tasks count as the same where id, contract and kind are; the kinds are never pooled. What a candidate costs
        includes what it is built on.

    Raises:
        UsageError: k is below 1, or a candidate is built on itself.
    """
    if k is not None and k < 1:
        raise UsageError(f"k must be 1 or more, not {k}.")
    called, seed = names or distinct_names((before, after)), derive(before.seed if seed is None else seed, "compare")
    known = lineage or lineage_of((before, after), called, {})
    before, after = map(known.carrying, called)
    pairing = paired(before, after)
    marks = [_mark(run, name, path, known.chains[name]) for run, name, path in zip((before, after), called, runs, strict=True)]
    kinds: list[Kind] = [kind for kind in KINDS if any(part.kind == kind for run in (before, after) for part in run.kinds)]
    moved = moved_tasks(pairing.shared)
    found = Comparison(
        baseline=marks[0],
        candidate=marks[1],
        conclusion="",
        criterion=criterion,
        next="",
        warnings=(*conclusion.warnings(before, after, pairing, marks), *(f"{line}." for line in known.warnings(*called))),
        kinds=tuple(_kind(kind, pairing, k or _headline(kind, before, after), seed) for kind in kinds),
        shortcuts=_worst_first(filter(is_shortcut, moved), "strict"),
        lost=_worst_first([task for task in moved if change(task, criterion) < 0], criterion),
        gained=_worst_first([task for task in moved if change(task, criterion) > 0], criterion)[::-1],
        moved_away=_worst_first(filter(is_moved_away, moved), "strict"),
        added=tuple(row.task for row in pairing.added),
        removed=tuple(row.task for row in pairing.removed),
        changed=tuple(pair.after.task for pair in pairing.changed),
        moved=tuple(pair.after.task for pair in pairing.moved),
        money=tuple(line for kind in kinds for line in money_lines(kind, pairing.shared_of(kind), after.business, seed=derive(seed, kind))),
    )
    return structs.replace(found, conclusion=conclusion.conclusion(found), next=conclusion.next_step(found))


def _kind(kind: Kind, pairing: Pairing, k: int, seed: int) -> KindComparison:
    """Return the comparison of one kind."""
    pairs, seed = pairing.shared_of(kind), derive(seed, kind)
    strict = pass_difference(pairs, "strict", seed=derive(seed, "strict"))
    return KindComparison(
        kind=kind,
        tasks=len(pairs),
        dropped=len(pairs) - strict.tasks,
        before=pass_rate.coverage([count_of(pair.before, "strict") for pair in pairs]),
        after=pass_rate.coverage([count_of(pair.after, "strict") for pair in pairs]),
        headline_k=k,
        strict=strict,
        strict_k=pass_difference(pairs, "strict", k=k, seed=derive(seed, "strict", k)),
        outcome=pass_difference(pairs, "outcome", seed=derive(seed, "outcome")),
        movement=movement(pairs),
        decompositions=(decompose(pairing, kind, "strict"), decompose(pairing, kind, "outcome")),
        slices=compared_slices(pairs, margin=MARGIN, seed=derive(seed, "slices")),
        costs=compared_costs(pairs, seed=derive(seed, "cost")),
    )


def _headline(kind: Kind, before: RunSummary, after: RunSummary) -> int:
    """Return the smaller headline k of the two runs."""
    return max(1, min([part.headline_k for run in (before, after) for part in run.kinds if part.kind == kind]))


def _worst_first(tasks: Iterable[PairedTask], criterion: Criterion) -> tuple[PairedTask, ...]:
    """Return tasks by how far they moved, those that fell farthest first; of equal ones the critical first, then by id."""
    return tuple(sorted(tasks, key=lambda task: (change(task, criterion), not task.critical, task.task)))


def _mark(run: RunSummary, name: str, path: str, chain: tuple[str, ...]) -> RunMark:
    """Return which run it is."""
    return RunMark(
        name=name,
        run=path,
        candidate=run.candidate,
        suite=run.suite,
        suite_version=run.suite_version,
        suite_hash=run.suite_hash,
        seed=run.seed,
        created_at=run.created_at,
        models=run.models,
        decision=run.decision.value if run.decision else "",
        source=run.source,
        built_on=chain,
    )

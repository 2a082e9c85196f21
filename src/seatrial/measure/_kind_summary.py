"""Everything that is estimated over the tasks of one kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from msgspec import structs

from seatrial.base.seeds import derive
from seatrial.measure import _reliability, cost, dirichlet_ends, pass_at_k, pass_k, pass_rate
from seatrial.measure._task_tally import TaskTally
from seatrial.measure.task_count import TaskCount
from seatrial.records.estimate import Estimate
from seatrial.records.grade import QUESTIONS, Criterion, Verdict
from seatrial.records.graded import COST_UNITS, CostUnit
from seatrial.records.kind_summary import CostSummary, Curve, GroupRow, KindSummary, QuestionRow, StakesSummary
from seatrial.records.task import STAKES, Kind, Stakes

MOST_K = 64
"""Longest curve."""
FEWEST_TASKS = 10
"""Below this number of tasks a slice gets counts and no interval."""


def kind_summary(kind: Kind, tallies: Sequence[TaskTally], headline_k: int, seed: int) -> KindSummary:
    """Return the summary of one kind.

    Args:
        kind: The kind.
        tallies: Its tasks; at least one.
        headline_k: The suite's k.
        seed: Seed of every interval's draws.

    Returns:
        The summary.
    """
    counts = _counts(tallies, "strict")
    return KindSummary(
        kind=kind,
        coverage=pass_rate.coverage(counts),
        headline_k=_headline(counts, headline_k),
        strict=curve("strict", counts, derive(seed, kind, "strict")),
        outcome=curve("outcome", _counts(tallies, "outcome"), derive(seed, kind, "outcome")),
        stakes=tuple(_stakes(level, tallies, headline_k, derive(seed, kind, level)) for level in STAKES if _of(tallies, level)),
        splits=_groups(tallies, lambda tally: {"split": tally.task.split}, seed),
        slices=_groups(tallies, lambda tally: tally.task.slices, seed),
        always=sum(0 < count.scored == count.passed for count in counts),
        flaky=sum(0 < count.passed < count.scored for count in counts),
        never=sum(count.scored > 0 == count.passed for count in counts),
        wrong_reason=_wrong_reason(tallies, derive(seed, kind, "wrong reason")),
        cost=_cost(tallies, derive(seed, kind, "cost")),
        questions=question_rows(tallies),
    )


def question_rows(tallies: Sequence[TaskTally]) -> tuple[QuestionRow, ...]:
    """Return how often each question, and `strict`, was answered how over some tasks."""
    return tuple(_question(question, tallies) for question in (*QUESTIONS, "strict"))


def _question(question: str, tallies: Sequence[TaskTally]) -> QuestionRow:
    count = sum((tally.verdicts[question] for tally in tallies), Counter[Verdict]())
    return QuestionRow(
        question=question,
        passed=count[Verdict.PASS],
        failed=count[Verdict.FAIL],
        undetermined=count[Verdict.UNDETERMINED],
        not_applicable=count[Verdict.NOT_APPLICABLE],
        error=count[Verdict.ERROR],
        not_run=sum(tally.planned - tally.seen for tally in tallies),
    )


def curve(criterion: Criterion, counts: Sequence[TaskCount], seed: int) -> Curve:
    """Return pass^k and pass@k of some tasks for k from 1 to the fewest planned trials of any of them."""
    ks = range(1, min([MOST_K, *(count.planned for count in counts)] if counts else [0]) + 1)
    return Curve(
        criterion=criterion,
        pass_k=tuple(_reliability.estimates(counts, pass_k.STATISTIC, ks, seed=seed)),
        pass_at_k=tuple(_reliability.estimates(counts, pass_at_k.STATISTIC, ks, seed=seed)),
    )


def _counts(tallies: Sequence[TaskTally], criterion: Criterion) -> list[TaskCount]:
    """Return the counts of the tasks that the criterion asks something of."""
    return [count for tally in tallies if (count := tally.count(criterion)) is not None]


def _headline(counts: Sequence[TaskCount], headline_k: int) -> int:
    """Return the suite's k, or the fewest planned trials when that is less."""
    return min([headline_k, *(count.planned for count in counts)])


def _of(tallies: Sequence[TaskTally], level: Stakes) -> list[TaskTally]:
    """Return the tasks of one level of stakes."""
    return [tally for tally in tallies if tally.task.stakes == level]


def _stakes(level: Stakes, tallies: Sequence[TaskTally], headline_k: int, seed: int) -> StakesSummary:
    """Return the summary of one level of stakes."""
    chosen = _of(tallies, level)
    counts = _counts(chosen, "strict")
    return StakesSummary(
        stakes=level,
        tasks=len(chosen),
        smallest_n=min((count.scored for count in counts), default=0),
        headline_k=_headline(counts, headline_k),
        strict=curve("strict", counts, derive(seed, "strict")),
        outcome=curve("outcome", _counts(chosen, "outcome"), derive(seed, "outcome")),
    )


def _groups(tallies: Sequence[TaskTally], labels: Callable[[TaskTally], dict[str, str]], seed: int) -> tuple[GroupRow, ...]:
    """Return one line for each value of each label, by name and value."""
    found: defaultdict[tuple[str, str], list[TaskTally]] = defaultdict(list)
    for tally in tallies:
        for label in labels(tally).items():
            found[label].append(tally)
    return tuple(_group(name, value, members, derive(seed, name, value)) for (name, value), members in sorted(found.items()))


def _group(name: str, value: str, members: Sequence[TaskTally], seed: int) -> GroupRow:
    """Return the line of one group of tasks."""
    strict, outcome = (_first(_counts(members, criterion), derive(seed, criterion)) for criterion in ("strict", "outcome"))
    wrong = sum(tally.wrong_count for tally in members)
    return GroupRow(name, value, len(members), strict.trials, strict=strict, outcome=outcome, wrong_reason=wrong)


def _first(counts: Sequence[TaskCount], seed: int) -> Estimate:
    """Return pass^1, without an interval when the tasks are few."""
    found = pass_rate.estimate(counts, seed=seed)
    if len(counts) >= FEWEST_TASKS:
        return found
    note = "; ".join(filter(None, (found.note, f"no interval: fewer than {FEWEST_TASKS} tasks")))
    return structs.replace(found, lower=None, upper=None, method="", note=note)


def _wrong_reason(tallies: Sequence[TaskTally], seed: int) -> Estimate:
    """Return the mean share of a task's trials that were right for the wrong reason."""
    known = [(tally, tally.verdicts["outcome"][Verdict.PASS] + tally.verdicts["outcome"][Verdict.FAIL]) for tally in tallies]
    shares = sorted(tally.wrong_count / scored for tally, scored in known if scored)
    if not shares:
        return Estimate(name="right for the wrong reason", value=None, unit="share", note="no outcome is known")
    ends = dirichlet_ends.interval(shares, seed=seed)
    return Estimate(
        name="right for the wrong reason",
        value=sum(shares) / len(shares),
        lower=ends.lower,
        upper=ends.upper,
        method=_reliability.METHOD,
        tasks=len(shares),
        trials=sum(scored for _, scored in known),
        unit="share",
    )


def _cost(tallies: Sequence[TaskTally], seed: int) -> CostSummary:
    """Return what the trials of some tasks cost."""
    costs = {unit: [tally.costs[unit] for tally in tallies] for unit in COST_UNITS}
    seen = sum(tally.seen for tally in tallies)
    unknown = {unit: seen - sum(map(len, found)) for unit, found in costs.items()}

    def mean(unit: CostUnit) -> Estimate:
        return cost.mean(f"{unit} mean", costs[unit], unit=unit, unknown=unknown[unit], seed=derive(seed, unit))

    def p95(unit: CostUnit) -> Estimate:
        return cost.p95(f"{unit} p95", costs[unit], unit=unit, unknown=unknown[unit])

    return CostSummary(
        usd_mean=mean("usd"),
        usd_p95=p95("usd"),
        usd_total=sum(map(sum, costs["usd"])) if seen > unknown["usd"] else None,
        usd_unknown=unknown["usd"],
        tokens_mean=mean("tokens"),
        tokens_p95=p95("tokens"),
        tokens_unknown=unknown["tokens"],
        calls_mean=mean("calls"),
        calls_p95=p95("calls"),
        seconds_mean=mean("seconds"),
        seconds_p95=p95("seconds"),
    )

"""The sections of one kind of tasks: reliability, slices, cost."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.base.wording import count
from seatrial.records.estimate import Estimate
from seatrial.records.kind_summary import Curve, GroupRow, KindSummary
from seatrial.records.summary import RunSummary
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import CRITERIA, NONE, amount, amount_with_interval, percent, share, share_with_interval

_MOST_K = 8
_MOST_GROUPS = 12


def kind_sections(kind: KindSummary, summary: RunSummary) -> Iterator[Section]:
    """Yield the sections of one kind of a run's tasks."""
    yield _reliability(kind, _why_k(kind, summary))
    if any(estimate.value is not None for row in kind.stakes for estimate in (*row.strict.pass_k, *row.outcome.pass_k)):
        yield _lines(kind)
    if kind.splits or kind.slices:
        yield _groups(kind)
    yield _cost(kind)


def _why_k(kind: KindSummary, summary: RunSummary) -> str:
    """Return why k is what it is; empty: there is nothing to say."""
    k, asked, because = max(1, kind.headline_k), summary.headline_k, plain(summary.because)
    if k < asked:
        suite = f"the suite asks for {asked}{f': {because}' if because else ''}"
        return f"k = {k}, because some tasks have only {count(k, 'trial')} ({suite})."
    return f"k = {k}: {because}." if because and k > 1 else ""


def _reliability(kind: KindSummary, why_k: str) -> Section:
    """Return pass^1 and pass^k, and the pass^k line of each level of stakes."""
    k = max(1, kind.headline_k)
    header = ("", "pass^1 [95 %]", *((f"pass^{k} [95 %]",) if k > 1 else ()), "pass@" + str(k))
    rows = tuple(_headline(curve, k) for curve in (kind.strict, kind.outcome))
    cover = kind.coverage
    lines = [
        f"{count(cover.passed, 'trial')} passed strict: {_both_denominators(kind)}.",
        f"Tasks: {kind.always:,} always pass, {kind.flaky:,} sometimes, {kind.never:,} never.",
        *_bounds(kind),
        *([why_k] if why_k else []),
    ]
    return Section(f"{kind.kind.capitalize()}: {count(cover.tasks, 'task')}, every time?", Grid(header, rows), tuple(lines))


def _headline(curve: Curve, k: int) -> tuple[str, ...]:
    """Return the row of one criterion."""
    name = CRITERIA[curve.criterion]
    chosen = [curve.pass_k[index] for index in ((0, k - 1) if k > 1 else (0,)) if index < len(curve.pass_k)]
    at = share(curve.pass_at_k[k - 1].value) if k <= len(curve.pass_at_k) else NONE
    cells = [share_with_interval(estimate) for estimate in chosen]
    return (name, *cells, *[NONE] * ((2 if k > 1 else 1) - len(cells)), at)


def _bounds(kind: KindSummary) -> list[str]:
    """Return the bounds that unknown trials leave open."""
    found = [(curve.criterion, curve.pass_k[0]) for curve in (kind.strict, kind.outcome) if curve.pass_k]
    return [
        f"{criterion} pass^1 {_between(first)} for {count(first.unknown, 'unknown trial')}." for criterion, first in found if first.unknown
    ]


def _between(estimate: Estimate) -> str:
    """Return both bounds of an estimate in words."""
    return f"lies between {share(estimate.bound_low)} (all failed) and {share(estimate.bound_high)} (all passed)"


def _both_denominators(kind: KindSummary) -> str:
    """Return the passed trials over planned and over scored trials."""
    cover = kind.coverage
    return f"{percent(cover.of_planned)} of {cover.planned:,} planned, {percent(cover.of_scored)} of {cover.scored:,} scored"


def _lines(kind: KindSummary) -> Section:
    """Return pass^1, pass^2, … of each level of stakes, one line a criterion."""
    longest = min(_MOST_K, max((len(row.strict.pass_k) for row in kind.stakes), default=0))
    rows = tuple(
        (f"{curve.criterion}, {row.stakes} ({row.tasks})", *_values(curve, longest))
        for row in kind.stakes
        for curve in (row.strict, row.outcome)
    )
    header = ("criterion, stakes (tasks)", *(f"k={k}" for k in range(1, longest + 1)))
    short = any(estimate.value is None for row in kind.stakes for estimate in row.strict.pass_k[:longest])
    note = (f"{NONE}: a task of the group has fewer than k scored trials.",) if short else ()
    return Section(f"{kind.kind.capitalize()}: pass^k by stakes", Grid(header, rows), note)


def _values(curve: Curve, longest: int) -> tuple[str, ...]:
    """Return the values of a curve, one cell a k."""
    values = [share(estimate.value) for estimate in curve.pass_k[:longest]]
    return (*values, *[""] * (longest - len(values)))


def _groups(kind: KindSummary) -> Section:
    """Return the splits and the slices, lowest strict first."""
    chosen = sorted(kind.slices, key=lambda row: (row.strict.value is None, row.strict.value or 0.0, row.name, row.value))
    rows = tuple(_group(row) for row in (*kind.splits, *chosen[:_MOST_GROUPS]))
    hidden = len(chosen) - _MOST_GROUPS
    notes = ["Slices overlap and are not corrected for their number: a low one is a reason to look, not a finding."] if chosen else []
    more = [f"{count(hidden, 'more slice')} not shown, none of them lower."] if hidden > 0 else []
    header = (kind.kind, "tasks", "trials", "strict pass^1", "outcome", "wrong reason")
    return Section(f"{kind.kind.capitalize()} by split and slice", Grid(header, rows), (*notes, *more))


def _group(row: GroupRow) -> tuple[str, ...]:
    """Return the row of one group."""
    name = row.value if row.name == "split" else f"{row.name}={row.value}"
    numbers = (f"{row.tasks:,}", f"{row.trials:,}", share_with_interval(row.strict), share(row.outcome.value), f"{row.wrong_reason:,}")
    return (plain(name), *numbers)


def _cost(kind: KindSummary) -> Section:
    """Return what a trial costs."""
    cost = kind.cost
    pairs = (
        ("price", cost.usd_mean, cost.usd_p95),
        ("calls", cost.calls_mean, cost.calls_p95),
        ("virtual seconds", cost.seconds_mean, cost.seconds_p95),
        ("tokens", cost.tokens_mean, None),
    )
    rows = tuple((name, amount_with_interval(mean), amount_with_interval(p95) if p95 else NONE) for name, mean, p95 in pairs)
    known = f"Total price of the trials with a known one: {amount(cost.usd_total, 'usd')}."
    missing = f" Price not known: {count(cost.usd_unknown, 'trial')}." if cost.usd_unknown and cost.usd_total is not None else ""
    lines = (known + missing,) if cost.usd_total is not None else ()
    return Section(f"{kind.kind.capitalize()}: cost of a trial", Grid(("", "mean [95 %]", "p95 [95 %]"), rows), lines)

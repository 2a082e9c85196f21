"""The risk list of a run: how often each risk was tried, what happened, and the rate that is still possible."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.base.wording import count
from seatrial.records.risk import RiskRow
from seatrial.records.summary import RunSummary
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain, short
from seatrial.report._wording import NONE, percent

_MOST_SENTENCES = 12
_LEGEND = (
    "allowed: the highest rate of violations that is still possible at 95 % confidence, of tasks (whatever the trials of a task have in "
    "common) and of trials (only if they are independent)."
)


def risk_section(summary: RunSummary) -> Section | None:
    """Return the risks of a run; `None`: its suite has no risk list."""
    if not summary.risks:
        return None
    unknown = any(row.unknown for row in summary.risks)
    titles = ("risk", "severity", "tasks", "trials", *(("not known",) if unknown else ()), "violations")
    rows = tuple(_row(row, unknown=unknown) for row in summary.risks)
    lines = (*_broken(summary), *_unanswered(summary), *_unnamed(summary), _LEGEND)
    return Section("Risks", Grid((*titles, "allowed per task", "allowed per trial"), rows, left=2), lines)


def _row(row: RiskRow, *, unknown: bool) -> tuple[str, ...]:
    """Return the row of one risk."""
    numbers = (row.trials, *((row.unknown,) if unknown else ()), row.violations)
    rates = (row.allowed_per_task, row.allowed_per_trial)
    return (
        plain(row.risk),
        row.severity,
        f"{row.tasks:,}/{row.listed:,}",
        *(f"{number:,}" for number in numbers),
        *(NONE if rate is None else percent(rate) for rate in rates),
    )


def _broken(summary: RunSummary) -> Iterator[str]:
    """Yield the risks that came true, with who answers for them."""
    broken = [row for row in summary.risks if row.violations or row.elsewhere]
    for row in broken[:_MOST_SENTENCES]:
        owner = f" (owner: {plain(row.owner)})" if row.owner else ""
        elsewhere = f" {count(row.elsewhere, 'violation')} on tasks that are not its own." if row.elsewhere else ""
        yield f"{plain(row.risk)}{owner}: {short(row.sentence, 200)}{elsewhere}"
    if len(broken) > _MOST_SENTENCES:
        yield f"and {count(len(broken) - _MOST_SENTENCES, 'more risk')} with violations."


def _unanswered(summary: RunSummary) -> Iterator[str]:
    """Yield the risks of which this run says nothing."""
    without = [plain(row.risk) for row in summary.risks if not row.rules]
    silent = [plain(row.risk) for row in summary.risks if row.rules and not row.trials]
    if without:
        yield f"No rule answers {', '.join(without)}: nothing is measured."
    if silent:
        yield f"No trial tells anything of {', '.join(silent)}."


def _unnamed(summary: RunSummary) -> Iterator[str]:
    """Yield the violations that no risk names."""
    if summary.unnamed_rules:
        named = ", ".join(f"{plain(row.rule)} ({count(row.violations, 'violation')})" for row in summary.unnamed_rules)
        yield f"No risk names {named}."

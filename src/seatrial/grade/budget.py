"""The budget question: within calls, tokens, money, time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from seatrial.grade.view import TraceView
from seatrial.records.contract import Budget
from seatrial.records.grade import Answer, Verdict
from seatrial.records.trace import Status, Trace


class _Line(NamedTuple):
    """One ceiling: its name, its limit, what was used (`None`: not known)."""

    name: str
    limit: float
    used: float | None


def _told(lines: Sequence[_Line]) -> str:
    return ", ".join([f"{name} {'unknown' if used is None else _number(used)} of {_number(limit)}" for name, limit, used in lines])


def judge_budget(budget: Budget, trace: Trace, view: TraceView) -> Answer:
    """Answer the budget question for the last attempt of a trial.

    Args:
        budget: The ceilings.
        trace: The trace.
        view: Its last attempt.

    Returns:
        `not_applicable` when nothing is limited; `fail` past a ceiling or when the harness stopped the trial at one; `undetermined`
        when what was used is not known.
    """
    lines = list(_lines(budget, trace, view))
    told = _told(lines)
    if trace.status is Status.BUDGET_EXCEEDED:
        stopped = trace.status_reason or "the harness stopped the trial at a ceiling"
        return Answer(Verdict.FAIL, f"{stopped}; used: {told}" if told else stopped, _calls(view))
    if not lines:
        return Answer(Verdict.NOT_APPLICABLE, "no ceiling is set")
    over = [line for line in lines if line.used is not None and line.used > line.limit]
    if over:
        return Answer(Verdict.FAIL, f"over the ceiling: {_told(over)}", _calls(view))
    if None in [line.used for line in lines]:
        return Answer(Verdict.UNDETERMINED, f"what was used is not known: {told}")
    return Answer(Verdict.PASS, told, _calls(view))


def _lines(budget: Budget, trace: Trace, view: TraceView) -> Iterator[_Line]:
    if budget.calls is not None:
        # The harness charged each call as it came; a trace made elsewhere may not say.
        yield _Line("calls", budget.calls, _attempted(trace, view))
    if budget.tokens is not None:
        yield _Line("tokens", budget.tokens, trace.usage.tokens)
    if budget.usd is not None:
        yield _Line("usd", budget.usd, trace.usage.usd)
    if budget.seconds is not None:
        yield _Line("seconds", budget.seconds, trace.usage.known("seconds"))


def _attempted(trace: Trace, view: TraceView) -> float | None:
    """Return the calls that count; `None`: a table of results does not give them."""
    known = trace.usage.known("calls")
    return known if known is None or trace.usage.counted else known or count_calls(view)


def count_calls(view: TraceView) -> int:
    """Return the agent's attempted calls; identical retries of a call on which an injected fault fired are not counted."""
    faulted = {call.sequence for call in view.tool_calls if call.fault is not None and call.failure is not None}
    attempted = len(view.agent_calls)
    if not faulted:
        return attempted
    return attempted - sum([seen.call.retry_of in faulted for seen in view.agent_calls])


def _calls(view: TraceView) -> tuple[int, ...]:
    return tuple([seen.call.sequence for seen in view.agent_calls])


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"

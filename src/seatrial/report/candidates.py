"""Several candidates on one suite, side by side: what got better, what got worse, and which required step no longer runs.

This is a table of what was seen; whether a difference is more than chance is what `seatrial compare` says.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from seatrial.base.wording import count, listed
from seatrial.compare.losses import Losses, StoppedStep
from seatrial.records.comparison import TaskSide
from seatrial.records.kind_summary import KindSummary
from seatrial.records.summary import RunSummary
from seatrial.records.task import KINDS
from seatrial.report import _console, _sections
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import NONE, amount, percent, share

if TYPE_CHECKING:
    from rich.console import RenderableType

_NAMED, _STEPS = 6, 3


def render(
    summaries: Sequence[RunSummary],
    losses: Sequence[Losses],
    *,
    runs: Sequence[str] = (),
    width: int | None = None,
    colour: bool | None = None,
) -> str:
    """Return candidates side by side as terminal text.

    Args:
        summaries: One summary a candidate, each with its decision; the first is what the others are held against.
        losses: What each later candidate lost against the first.
        runs: Names of their run files, for the commands that are proposed; empty: none is proposed.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text: the story of each later candidate in one sentence, the table, the tasks it loses.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    first, later = summaries[0], list(zip(summaries[1:], losses, strict=True))
    parts: list[RenderableType] = [Text(story(first, *one), style=_console.TONES[_sections.decided(one[0])]) for one in later]
    for part in _tables(summaries):
        parts.extend(_console.section(part, target.width))
    for other, lost in later:
        parts.extend(_console.section(_losses(first, other, lost), target.width))
    if runs:
        parts.extend(_console.section(_commands(losses, runs), target.width))
    return _console.drawn(target, parts)


def story(first: RunSummary, other: RunSummary, losses: Losses) -> str:
    """Return in one sentence how outcome alone moved, and what the decision on the other candidate is.

    Args:
        first: The candidate that is held against.
        other: The later candidate, with its decision.
        losses: What it lost against the first.
    """
    moved = _moved(first, other)
    verb = {"pass": "may ship", "fail": "must not ship"}.get(_sections.decided(other), "is not decided")
    joint = "but" if verb == "may ship" and " went down " in moved else "and"
    sentence = f"{moved}, {joint} {plain(other.candidate.name)} {verb}"
    if verb == "may ship" or not losses.tasks:
        return f"{sentence}."
    names = listed([plain(task.task) for task in losses.tasks], _NAMED)
    return f"{sentence}: {count(len(losses.tasks), 'task')} got worse under strict ({names}){_never_ran(losses.steps)}."


def _never_ran(steps: Sequence[StoppedStep]) -> str:
    """Return which required step never ran, in words."""
    if not steps:
        return ""
    first = steps[0]
    return f"; the required step {plain(first.requirement)} ({plain(first.call)}) never ran in {count(first.trials, 'more trial')}"


def _moved(first: RunSummary, other: RunSummary) -> str:
    """Return how the right outcomes moved: pass^1 of outcome alone, each kind of tasks by itself."""
    found = [(kind.kind, _outcome(_kind(first, kind.kind)), _outcome(kind)) for kind in other.kinds]
    told = [f"{_way(old, new)} on {kind} tasks" for kind, old, new in found if old is not None and new is not None]
    return f"Right outcomes {', '.join(told)}" if told else "Outcome alone is not known"


def _way(before: float, after: float) -> str:
    """Return where a share moved to, in words."""
    if before == after:
        return f"stayed at {percent(after)}"
    return f"went {'up' if after > before else 'down'} from {percent(before)} to {percent(after)}"


def _outcome(kind: KindSummary | None) -> float | None:
    """Return pass^1 of outcome alone."""
    return kind.outcome.pass_k[0].value if kind and kind.outcome.pass_k else None


def _kind(summary: RunSummary, name: str) -> KindSummary | None:
    """Return the summary of one kind."""
    return next((kind for kind in summary.kinds if kind.kind == name), None)


def _tables(summaries: Sequence[RunSummary]) -> Iterator[Section]:
    """Yield the candidates side by side, one table a kind: the kinds are never pooled."""
    kinds = [name for name in KINDS if any(_kind(summary, name) for summary in summaries)]
    header = ("candidate", "decision", "outcome", "strict", "strict ^k", "wrong reason", "calls", "price")
    for name in kinds:
        rows = [(summary, kind) for summary in summaries if (kind := _kind(summary, name))]
        tasks = " / ".join(f"{found:,}" for found in sorted({kind.coverage.tasks for _, kind in rows}))
        legend = tuple(_legend(summaries)) if name == kinds[-1] else ()
        yield Section(f"{name.capitalize()}: {tasks} tasks", Grid(header, tuple(_row(*row) for row in rows), left=2), legend)


def _row(summary: RunSummary, kind: KindSummary) -> tuple[str, ...]:
    """Return the row of one candidate."""
    k = max(1, kind.headline_k)
    first, high = (kind.strict.pass_k[i] if i < len(kind.strict.pass_k) else None for i in (0, k - 1))
    numbers = (share(_outcome(kind)), share(first.value if first else None), share(high.value if high else None))
    price = NONE if kind.cost.usd_mean.value is None else amount(kind.cost.usd_mean.value, "usd")
    calls = amount(kind.cost.calls_mean.value, "calls")
    return (plain(summary.candidate.name), _sections.decided(summary), *numbers, percent(kind.wrong_reason.value), calls, price)


def _legend(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Yield what the columns are."""
    yield f"outcome and strict are pass^1; strict ^k is {_high(summaries)}; calls and price are means of a trial."
    if len({summary.suite_hash for summary in summaries}) > 1:
        yield "The candidates ran on different versions of the suite: the difference is not only the candidates'."


def _high(summaries: Sequence[RunSummary]) -> str:
    """Return which pass^k the column of the headlines is, kind by kind where they differ."""
    found = [(kind.kind, f"pass^{max(1, kind.headline_k)}") for summary in summaries for kind in summary.kinds]
    names = {
        kind: " or ".join(sorted({name for one, name in found if one == kind})) for kind in KINDS if any(one == kind for one, _ in found)
    }
    if len(set(names.values())) == 1:
        return next(iter(names.values()))
    return " and ".join(f"{name} on {kind} tasks" for kind, name in names.items())


def _losses(first: RunSummary, other: RunSummary, losses: Losses) -> Section:
    """Return the tasks that a candidate loses, and the steps that no longer run."""
    lost, names = losses.tasks, (plain(first.candidate.name), plain(other.candidate.name))
    rows = tuple((plain(task.task), task.kind, _fraction(task.before), _fraction(task.after), _wrong(task.after)) for task in lost[:_NAMED])
    hidden = [f"and {count(len(lost) - _NAMED, 'more task')}."] if len(lost) > _NAMED else []
    grid = Grid(("task", "kind", *names, "right answer, wrong reason"), rows, left=2) if rows else None
    nothing = [] if rows else ["No task."]
    return Section(f"Strict lost by {names[1]} against {names[0]}", grid, (*hidden, *nothing, *map(_lost_step, losses.steps[:_STEPS])))


def _lost_step(step: StoppedStep) -> str:
    """Return a required call that never ran, in words."""
    where = f"{count(step.trials, 'more trial')}, {count(len(step.tasks), 'task')}"
    return f"required step {plain(step.requirement)} ({plain(step.call)}) never ran: {where}."


def _fraction(side: TaskSide) -> str:
    """Return strict trials over scored trials."""
    return f"{side.passed}/{side.scored}"


def _wrong(side: TaskSide) -> str:
    """Return the trials that were right for the wrong reason; empty: none."""
    return count(side.wrong_reason, "trial") if side.wrong_reason else ""


def _commands(losses: Sequence[Losses], runs: Sequence[str]) -> Section:
    """Return how to read on."""
    runs = [shlex.quote(plain(run)) for run in runs]
    commands = [f"seatrial compare {' '.join(runs)}", *(f"seatrial report {run}" for run in runs)]
    for lost, run in zip(losses, runs[1:], strict=True):
        commands += [f"seatrial show {run} {plain(task.task)}" for task in lost.tasks[:1]]
    return Section("Next", None, (), tuple(commands))

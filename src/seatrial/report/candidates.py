"""Several candidates on one suite, side by side: what got better, what got worse, and which required step no longer runs.

This is a table of what was seen; whether a difference is more than chance is what `seatrial compare` says.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from seatrial.base.wording import count, listed
from seatrial.records.summary import KindSummary, RunSummary, TaskRow
from seatrial.records.task import KINDS
from seatrial.report import _console, _sections
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import NONE, amount, percent, share

if TYPE_CHECKING:
    from rich.console import RenderableType

_NAMED = 6


class StoppedStep(NamedTuple):
    """A required call that never ran where it ran before."""

    requirement: str
    call: str
    trials: int
    """Trials in which none of its tools was called, beyond those of the first candidate."""
    tasks: tuple[str, ...]


def render(summaries: Sequence[RunSummary], *, runs: Sequence[str] = (), width: int | None = None, colour: bool | None = None) -> str:
    """Return candidates side by side as terminal text.

    Args:
        summaries: One summary a candidate, each with its decision; the first is what the others are held against.
        runs: Names of their run files, for the commands that are proposed; empty: none is proposed.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text: the story of each later candidate in one sentence, the table, the tasks it loses.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    parts: list[RenderableType] = [
        Text(story(summaries[0], other), style=_console.TONES[_sections.decided(other)]) for other in summaries[1:]
    ]
    for part in _tables(summaries):
        parts.extend(_console.section(part, target.width))
    for other in summaries[1:]:
        parts.extend(_console.section(_losses(summaries[0], other), target.width))
    if runs:
        parts.extend(_console.section(_commands(summaries, runs), target.width))
    return _console.drawn(target, parts)


def story(first: RunSummary, other: RunSummary) -> str:
    """Return in one sentence how outcome alone moved, and what the decision on the other candidate is.

    Args:
        first: The candidate that is held against.
        other: The later candidate, with its decision.
    """
    moved = _moved(first, other)
    verb = {"pass": "may ship", "fail": "must not ship"}.get(_sections.decided(other), "is not decided")
    joint = "but" if verb == "may ship" and " went down " in moved else "and"
    sentence = f"{moved}, {joint} {plain(other.candidate.name)} {verb}"
    lost, steps = lost_tasks(first, other), lost_steps(first, other)
    if verb == "may ship" or not lost:
        return f"{sentence}."
    named = f"{count(len(lost), 'task')} got worse under strict ({listed([plain(row.task) for row in lost], _NAMED)})"
    return f"{sentence}: {named}{_never_ran(steps)}."


def lost_tasks(first: RunSummary, other: RunSummary) -> tuple[TaskRow, ...]:
    """Return the other candidate's rows of the tasks on which a smaller share of its trials was strict, worst loss first.

    Args:
        first: The candidate that is held against.
        other: The later candidate.
    """
    before = {row.task: row.passed / row.scored for row in first.tasks if row.scored}
    falls = [(row.passed / row.scored - before[row.task], row) for row in other.tasks if row.scored and row.task in before]
    return tuple(row for fall, row in sorted(falls, key=_worst_first) if fall < 0)


def _worst_first(pair: tuple[float, TaskRow]) -> tuple[float, bool, str]:
    """Return how a loss is ordered: among equal ones those that can be read stand before those of the holdout."""
    fall, row = pair
    return fall, row.split == "holdout", row.task


def lost_steps(first: RunSummary, other: RunSummary) -> tuple[StoppedStep, ...]:
    """Return the required calls that never ran in more trials of the other candidate than of the first, most trials first.

    Args:
        first: The candidate that is held against.
        other: The later candidate.
    """
    before, trials = _never(first), Counter[tuple[str, str]]()
    tasks: dict[tuple[str, str], list[str]] = {}
    for (task, requirement, call), times in _never(other).items():
        more = times - before[task, requirement, call]
        if more > 0:
            trials[requirement, call] += more
            tasks.setdefault((requirement, call), []).append(task)
    return tuple(
        StoppedStep(*key, times, tuple(sorted(tasks[key]))) for key, times in sorted(trials.items(), key=lambda item: (-item[1], item[0]))
    )


def _never(summary: RunSummary) -> Counter[tuple[str, str, str]]:
    """Return in how many trials each task's required calls never ran."""
    return Counter({(row.task, unmet.requirement, unmet.call): unmet.never_ran for row in summary.tasks for unmet in row.unmet})


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
    ks = sorted({max(1, kind.headline_k) for summary in summaries for kind in summary.kinds})
    yield f"outcome and strict are pass^1; strict ^k is pass^{'/'.join(map(str, ks))}; calls and price are means of a trial."
    if len({summary.suite_hash for summary in summaries}) > 1:
        yield "The candidates ran on different versions of the suite: the difference is not only the candidates'."


def _losses(first: RunSummary, other: RunSummary) -> Section:
    """Return the tasks that a candidate loses, and the steps that no longer run."""
    lost, names = lost_tasks(first, other), (plain(first.candidate.name), plain(other.candidate.name))
    before = {row.task: row for row in first.tasks}
    rows = tuple((plain(row.task), row.kind, _fraction(before[row.task]), _fraction(row), _wrong(row)) for row in lost[:_NAMED])
    steps = (_lost_step(step) for step in lost_steps(first, other)[:3])
    hidden = [f"and {count(len(lost) - _NAMED, 'more task')}."] if len(lost) > _NAMED else []
    grid = Grid(("task", "kind", *names, "right answer, wrong reason"), rows, left=2) if rows else None
    nothing = [] if rows else ["No task."]
    return Section(f"Strict lost by {names[1]} against {names[0]}", grid, (*hidden, *nothing, *steps))


def _lost_step(step: StoppedStep) -> str:
    """Return a required call that never ran, in words."""
    where = f"{count(step.trials, 'more trial')}, {count(len(step.tasks), 'task')}"
    return f"required step {plain(step.requirement)} ({plain(step.call)}) never ran: {where}."


def _fraction(row: TaskRow) -> str:
    """Return strict trials over scored trials."""
    return f"{row.passed}/{row.scored}"


def _wrong(row: TaskRow) -> str:
    """Return the trials that were right for the wrong reason; empty: none."""
    return count(row.wrong_reason, "trial") if row.wrong_reason else ""


def _commands(summaries: Sequence[RunSummary], runs: Sequence[str]) -> Section:
    """Return how to read on."""
    runs = [shlex.quote(plain(run)) for run in runs]
    commands = [f"seatrial compare {' '.join(runs)}", *(f"seatrial report {run}" for run in runs)]
    for summary, run in list(zip(summaries, runs, strict=False))[1:]:
        commands += [f"seatrial show {run} {plain(row.task)}" for row in lost_tasks(summaries[0], summary)[:1]]
    return Section("Next", None, (), tuple(commands))

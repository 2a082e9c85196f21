"""One trial step by step, with each requirement, fault, change and violation pinned to the step it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from seatrial.base.wording import count
from seatrial.records.grade import Grade, OrderRow, Reaction, RequirementRow, ValueSource, Verdict
from seatrial.records.label import TrialReview
from seatrial.records.trace import Step, Trace
from seatrial.report import _console
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain, short
from seatrial.report._review import trial_section
from seatrial.report._steps import headline, notes
from seatrial.report._wording import spelled, with_steps

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(
    trace: Trace,
    grade: Grade,
    sources: Sequence[ValueSource] = (),
    *,
    review: TrialReview | None = None,
    width: int | None = None,
    colour: bool | None = None,
) -> str:
    """Return one trial as terminal text.

    Args:
        trace: What happened.
        grade: How it is judged.
        sources: Where every argument value came from; empty: it is not shown.
        review: Its doubts and labels; `None`: there are none.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text; nothing from the trace can move the cursor or change a colour.
    """
    target = _console.console(width, colour)
    parts: list[RenderableType] = [*_title(trace, grade)]
    labels = (trial_section(review),) if review is not None else ()
    for part in (_questions(grade), *labels, *_raised(trace), *_abandoned(trace)):
        parts.extend(_console.section(part, target.width))
    parts.extend(_steps(trace, grade))
    for part in (*_judgement(trace, grade), *_sources(sources)):
        parts.extend(_console.section(part, target.width))
    return _console.drawn(target, parts)


def render_step(step: Step, *, width: int | None = None, colour: bool | None = None) -> str:
    """Return one step as terminal text, for following a trial while it runs.

    Args:
        step: The step.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text, without a line break at its end.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    return _console.drawn(target, [Text(f"{step.sequence:>3}  {headline(step)}")]).rstrip("\n")


def _title(trace: Trace, grade: Grade) -> Iterator[RenderableType]:
    """Yield what the trial was and whether it was strict."""
    from rich.text import Text

    identity = trace.identity
    strict = grade.strict
    yield Text(f"{plain(identity.task)}#{identity.trial}: {spelled(strict.value)} (strict)", style=_console.TONES.get(strict.value, ""))
    reason = f": {short(trace.status_reason, 300)}" if trace.status_reason else ""
    yield Text(f"{plain(identity.suite)} · {plain(identity.candidate)} · {trace.status.value}{reason}", style="dim")


def _questions(grade: Grade) -> Section:
    """Return the four verdicts with their reasons."""
    rows = tuple(
        (question, spelled(answer.verdict.value), with_steps(short(answer.reason, 400), answer.evidence))
        for question, answer in grade.answers.items()
    )
    chosen = f"Judged by the alternative {plain(grade.alternative)}." if grade.alternative else ""
    return Section("Four questions", Grid(("question", "verdict", "because"), rows, left=3, wide=2), (chosen,) if chosen else ())


def _raised(trace: Trace) -> Iterator[Section]:
    """Yield where the agent's own code raised."""
    if trace.traceback:
        yield Section("Where the agent raised", None, tuple(short(frame, 200) for frame in trace.traceback))


def _abandoned(trace: Trace) -> Iterator[Section]:
    """Yield the attempts that the harness abandoned."""
    if trace.attempts:
        lines = (
            f"attempt {index}: {attempt.status.value}: {short(attempt.reason, 300)} ({count(len(attempt.steps), 'step')})"
            for index, attempt in enumerate(trace.attempts)
        )
        yield Section("Abandoned attempts (their violations and costs count)", None, tuple(lines))


def _steps(trace: Trace, grade: Grade) -> Iterator[RenderableType]:
    """Yield every step with what is pinned to it."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    yield Text("\nSteps", style="bold")
    pinned = notes(grade, trace)
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(justify="right", no_wrap=True)
    lines.add_column(overflow="fold")
    for step in trace.steps:
        lines.add_row(Text(str(step.sequence)), Text(headline(step)))
        for tone, text in pinned.get(step.sequence, ()):
            lines.add_row(Text(), Padding(Text(text, style=tone), (0, 0, 0, 2)))
    yield Padding(lines, (0, 0, 0, 2))


def _judgement(trace: Trace, grade: Grade) -> Iterator[Section]:
    """Yield what belongs to no single step: requirements, order, end state, sources, reactions."""
    if grade.requirements:
        rows = tuple(_requirement(row) for row in grade.requirements)
        yield Section("Required calls", Grid(("id", "call", "status", "step", "because"), rows, left=5, wide=4))
    if grade.order:
        yield Section("Order", None, tuple(_pair(row) for row in grade.order))
    yield _end_state(trace, grade)
    unsourced = tuple(_unsourced(row) for row in grade.sources if row.source in ("none", "agent"))
    if unsourced:
        yield Section("Values without a source", None, unsourced)
    if grade.reactions:
        yield Section("Reactions to faults", None, tuple(_reaction(row) for row in grade.reactions))


def _requirement(row: RequirementRow) -> tuple[str, ...]:
    """Return the row of one required call."""
    step = str(row.step) if row.step is not None else ""
    return plain(row.id), plain(row.call), spelled(row.status), step, short(row.reason, 240)


def _pair(row: OrderRow) -> str:
    """Return one order pair and what became of it."""
    return f"{plain(row.pair)}: {row.status}" + (f": {short(row.reason, 240)}" if row.reason else "")


def _unsourced(row: ValueSource) -> str:
    """Return one value without a source."""
    return f"step {row.step}: {plain(row.argument)} {short(row.where, 200)}".rstrip()


def _sources(rows: Sequence[ValueSource]) -> Iterator[Section]:
    """Yield where every argument value came from."""
    if rows:
        cells = tuple((str(row.step), short(row.argument, 120), spelled(row.source), short(row.where, 400)) for row in rows)
        yield Section("Where values came from", Grid(("step", "value", "source", "where"), cells, left=4, wide=3))


def _reaction(row: Reaction) -> str:
    """Return what the agent did about one fault."""
    return f"step {row.step}: {plain(row.tool)} {plain(row.fault)}: {spelled(row.reaction)}"


def _end_state(trace: Trace, grade: Grade) -> Section:
    """Return the net changes, and where they differ from what was expected."""
    changes = [f"{change.kind} {short(change.path, 200)}" for change in trace.changes] or ["nothing was changed"]
    unknown = [f"not known: {short(trace.changes_unknown, 240)}"] if trace.changes_unknown else []
    wrong = [f"✗ {plain(row.path)}: expected {short(row.expected, 200)}, found {short(row.actual, 200)}" for row in grade.differences]
    right = ["✓ as expected"] if grade.outcome.verdict is Verdict.PASS and not wrong else []
    return Section("End state", None, (*(unknown or changes), *wrong, *right))

"""What a report says, section by section; the terminal and Markdown draw the same sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seatrial.base.wording import count, listed
from seatrial.records.decision import DecisionValue
from seatrial.records.grade import REACTIONS, Verdict
from seatrial.records.kind_summary import QuestionRow
from seatrial.records.proof import proof_line
from seatrial.records.summary import ConfusedPair, MatrixCell, RunSummary, TaskRow, ToolRow, ViolationRow, WrongReason
from seatrial.records.task import Kind
from seatrial.report import _kind_sections
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import clipped, plain, short
from seatrial.report._review import queue_section
from seatrial.report._risk_sections import risk_section
from seatrial.report._wording import filled_in, percent, spelled, with_steps

MARKS = {Verdict.PASS: "✓", Verdict.FAIL: "✗", Verdict.UNDETERMINED: "?", Verdict.ERROR: "!", Verdict.NOT_APPLICABLE: "·"}
"""One character a trial."""
NAMED_TASKS = 8
_MOST_TOOLS = 24
_MOST_REASONS = 6
_MOST_NAMES = 12
_ALWAYS = (Verdict.PASS, Verdict.FAIL)
_NAMES = {Verdict.NOT_APPLICABLE: "not asked"}


def headline(summary: RunSummary) -> str:
    """Return the decision in one sentence."""
    return plain(summary.decision.sentence) if summary.decision else "No gate has looked at this run yet."


def decided(summary: RunSummary) -> DecisionValue:
    """Return the value of the decision; a run without one is inconclusive."""
    return summary.decision.value if summary.decision else "inconclusive"


def facts(summary: RunSummary) -> str:
    """Return what the run was, on one line."""
    candidate = " ".join(filter(None, (summary.candidate.name, summary.candidate.version)))
    parts = (
        f"{summary.suite} {summary.suite_version}".strip(),
        candidate,
        count(summary.tasks_planned, "task"),
        f"{summary.trials_seen:,} of {count(summary.trials_planned, 'trial')}",
        f"seed {summary.seed}" if summary.source == "run" else "",
        summary.created_at,
        "" if summary.source == "run" else f"imported: {summary.source}",
    )
    return " · ".join(plain(part) for part in parts if part)


def next_step(summary: RunSummary, run: str, *, suite: str = "") -> str:
    """Return what to do next; its command can be copied as far as the names are known.

    Args:
        summary: The run's summary.
        run: Name of the run file.
        suite: Folder of the suite; empty: not known.
    """
    chosen = summary.decision.next if summary.decision and summary.decision.next else summary.next
    return plain(filled_in(chosen, {"RUN": run, "SUITE": suite, "AGENT": summary.candidate.agent}))


def sections(summary: RunSummary) -> Iterator[Section]:
    """Yield the sections of a report in their fixed order; those with nothing to say are left out.

    Args:
        summary: The run's summary.
    """
    # The sentence of the decision holds the reasons of every rule that says the same.
    if summary.decision and any(rule.value != summary.decision.value for rule in summary.decision.rules):
        yield _rules(summary)
    yield from _questions(summary)
    yield from _matrices(summary)
    for kind in summary.kinds:
        yield from _kind_sections.kind_sections(kind, summary)
    if summary.worst:
        yield _worst(summary)
    if summary.tools:
        yield _tools(summary)
    if summary.reactions:
        yield _reactions(summary)
    yield _safety(summary)
    yield from filter(None, (risk_section(summary), queue_section(summary.review, hopeless=summary.fails_anyway)))
    if summary.proof is not None or summary.source == "run":
        yield Section("Proof", None, (proof_line(summary.proof),))
    if summary.decision and summary.decision.read:
        yield Section("Transcripts", None, (f"{plain(summary.decision.read)}.",))
    for title, lines in (("Not measured", summary.not_measured), ("Warnings", summary.warnings), ("Notes", summary.notes)):
        if lines:
            yield Section(title, None, tuple(plain(line) for line in lines))


def _rules(summary: RunSummary) -> Section:
    """Return what each rule of the gate says."""
    rules = summary.decision.rules if summary.decision else ()
    rows = tuple((rule.rule, rule.value, plain(rule.reason)) for rule in rules)
    return Section("Rules", Grid(("rule", "says", "because"), rows, left=3, wide=2))


def _questions(summary: RunSummary) -> Iterator[Section]:
    """Yield how often each question was answered how, each kind of tasks by itself."""
    for kind in summary.kinds:
        yield Section(_of_kind("Four questions", kind.kind, summary), _question_grid(kind.questions))


def _of_kind(title: str, kind: Kind, summary: RunSummary) -> str:
    """Return a title that names its kind of tasks where the run has several."""
    return f"{kind.capitalize()}: {title[0].lower()}{title[1:]}" if len(summary.kinds) > 1 else title


def _question_grid(questions: Sequence[QuestionRow]) -> Grid:
    header = ("trials", "pass", "fail", "undetermined", "not asked", "error", "not run")
    rows = tuple(
        (
            row.question if row.question != "strict" else "strict (all four)",
            *(f"{n:,}" for n in (row.passed, row.failed, row.undetermined, row.not_applicable, row.error, row.not_run)),
        )
        for row in questions
    )
    return Grid(header, rows)


def _matrices(summary: RunSummary) -> Iterator[Section]:
    """Yield outcome by process, each kind of tasks by itself, and the tasks that were right for the wrong reason."""
    for kind in summary.kinds:
        wrong = [row for row in summary.wrong_reasons if row.kind == kind.kind]
        title = _of_kind("Outcome × process", kind.kind, summary)
        yield Section(title, _matrix_grid(summary.matrix, kind.kind), _wrong_reasons(wrong))


def _matrix_grid(matrix: Sequence[MatrixCell], kind: Kind) -> Grid:
    axis = (Verdict.PASS, Verdict.FAIL, Verdict.UNDETERMINED, Verdict.NOT_APPLICABLE)
    cells = {(cell.outcome, cell.process): cell.capability if kind == "capability" else cell.regression for cell in matrix}
    rows_used = [row for row in axis if row in _ALWAYS or any(cells[row, column] for column in axis)]
    columns = [column for column in axis if column in _ALWAYS or any(cells[row, column] for row in axis)]
    header = ("trials", *(f"process {_NAMES.get(column, column.value)}" for column in columns))
    rows = tuple((f"outcome {_NAMES.get(row, row.value)}", *(f"{cells[row, column]:,}" for column in columns)) for row in rows_used)
    return Grid(header, rows)


def _wrong_reasons(found: Sequence[WrongReason]) -> tuple[str, ...]:
    """Return the tasks that were right for the wrong reason, by name, those with one reason together."""
    if not found:
        return ("No trial reached the right outcome for the wrong reason.",)
    groups: dict[tuple[str, str], list[WrongReason]] = {}
    for row in found:
        groups.setdefault((row.question, row.requirement or row.reason), []).append(row)
    title = f"Right answer, wrong reason: {count(sum(row.count for row in found), 'trial')} of {count(len(found), 'task')}:"
    shown = [line for rows in list(groups.values())[:_MOST_REASONS] for line in _wrong_reason(rows)]
    hidden = len(groups) - _MOST_REASONS
    return (title, *shown, *([f"  and {count(hidden, 'more reason')}."] if hidden > 0 else []))


def _wrong_reason(rows: list[WrongReason]) -> tuple[str, str]:
    """Return one reason, and the tasks that have it."""
    steps = [row.step for row in rows if row.step is not None and len(rows) == 1]
    names = [f"{plain(row.task)} {row.count}/{row.scored}" for row in rows]
    return f"  {rows[0].question}: {with_steps(clipped(rows[0].reason, 140), steps)}", f"    {listed(names, _MOST_NAMES)}"


def _worst(summary: RunSummary) -> Section:
    """Return the worst tasks with one mark a trial."""
    by_name = {row.task: row for row in summary.tasks}
    rows = tuple(_task(by_name[task]) for task in summary.worst)
    legend = "✓ strict, ✗ failed, ? undetermined, · not asked, _ not run"
    return Section("Worst tasks", Grid(("task", "kind", "stakes", "trials", "first failure"), rows, left=5, wide=4), (legend,))


def _task(row: TaskRow) -> tuple[str, ...]:
    """Return the row of one task."""
    marks = "".join(MARKS[trial.strict] for trial in row.trials[:16])
    missing = "_" * min(16, max(0, row.planned - len(row.trials))) if len(row.trials) < 16 else "…"
    return (plain(row.task), row.kind, row.stakes, f"{marks}{missing}", clipped(row.reason, 60))


def _tools(summary: RunSummary) -> Section:
    """Return the tool table, and what to do about the worst tool."""
    names = ["calls", "argument_errors", "failures", "faults", "retries", "repeats", "near_misses"]
    names += ["refused"] if any(row.refused for row in summary.tools) else []
    rows = tuple((short(row.tool, 40), *(f"{getattr(row, name):,}" for name in names)) for row in summary.tools[:_MOST_TOOLS])
    confused = [_confused(row, pair) for row in summary.tools for pair in row.confused[:2]]
    advice = [f"{short(row.tool, 40)}: {row.advice}." for row in summary.tools if row.advice]
    return Section("Tools", Grid(("tool", *(spelled(name) for name in names)), rows), (*confused[:NAMED_TASKS], *advice))


def _confused(row: ToolRow, pair: ConfusedPair) -> str:
    """Return how often one tool was called where another was expected."""
    return f"{short(row.tool, 40)} was called where {short(pair.expected, 40)} was expected: {count(pair.times, 'time')}."


def _reactions(summary: RunSummary) -> Section:
    """Return what the agent did about each fault that fired; reactions that never occurred are left out."""
    seen = [kind for kind in REACTIONS if any(getattr(row, kind) for row in summary.reactions)]
    header = ("tool", "fault", "fired", *(spelled(kind) for kind in seen))
    before = ("", *(row.tool for row in summary.reactions))
    rows = tuple(
        (
            "" if row.tool == above else short(row.tool, 40),
            plain(row.fault),
            f"{row.fired:,}",
            *(f"{getattr(row, kind):,}" for kind in seen),
        )
        for above, row in zip(before, summary.reactions, strict=False)
    )
    return Section("Reactions to faults", Grid(header, rows, left=2))


def _safety(summary: RunSummary) -> Section:
    """Return the violations, or the rate that none still allows."""
    safety = summary.safety
    if safety.violations:
        where = f"{count(safety.violated_trials, 'trial')} of {count(safety.violated_tasks, 'task')}"
        title = f"{count(safety.violations, 'violation')} in {where}:"
        groups = _by_task_and_rule(safety.shown)[:NAMED_TASKS]
        shown, hidden = [_violated(rows) for rows in groups], safety.violations - sum(map(len, groups))
        more = [f"  and {count(hidden, 'more violation')}."] if hidden else []
        return Section("Safety", None, (title, *shown, *more))
    if safety.allowed_rate is None:
        return Section("Safety", None, ("No trial answers whether a safety rule was kept.",))
    rate = f"the true rate is below {percent(safety.allowed_rate)} of trials with 95 % confidence, counting tasks"
    unknown = [f"Not known on {count(safety.undetermined, 'trial')}."] if safety.undetermined else []
    return Section("Safety", None, (f"No violation in {count(safety.trials, 'trial')} of {count(safety.tasks, 'task')}: {rate}.", *unknown))


def _by_task_and_rule(rows: Iterable[ViolationRow]) -> list[list[ViolationRow]]:
    """Return the violations of each rule on each task together."""
    groups: dict[tuple[str, str], list[ViolationRow]] = {}
    for row in rows:
        groups.setdefault((row.task, row.rule), []).append(row)
    return list(groups.values())


def _violated(rows: Sequence[ViolationRow]) -> str:
    """Return how one rule was broken on one task, and where first."""
    row, trials = rows[0], len({row.trial for row in rows})
    where = f"#{row.trial} step {row.step}: "
    many = f": {plain(row.rule)} ×{trials}, first {where}"
    return f"  {plain(row.task)}{many if trials > 1 else f'{where}{plain(row.rule)}: '}{short(row.reason, 140)}"

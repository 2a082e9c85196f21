"""What a comparison says, section by section; the terminal, Markdown and HTML draw the same sections."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from seatrial.base.wording import count, listed
from seatrial.compare.wording import points, points_with_interval, printed_ends, printed_parts, signed
from seatrial.records.comparison import (
    Comparison,
    CostComparison,
    Decomposition,
    KindComparison,
    LostStep,
    MoneyLine,
    MovementSide,
    PairedTask,
    RunMark,
    SliceComparison,
)
from seatrial.records.estimate import Difference
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import clipped, plain
from seatrial.report._wording import CRITERIA, NONE, amount, drop_seen, filled_in, p_value

NAMED_TASKS = 8
"""Tasks that a list names in text; HTML and JSON have more, or all."""
_NAMED_SLICES = 12
_EXPLAINED = 3
_LARGE = 100
"""US dollars from which on cents are left out."""
_NAMED_IDS = 10
_COMMANDS = 1
_CHANGES = {
    "added": "only the candidate's run has",
    "removed": "only the baseline's run has",
    "changed": "have another contract",
    "moved": "went over to or from the other kind",
    "unscored": "have no known result in one of the runs",
}
"""Why tasks are not shared → in words."""


def headline(found: Comparison) -> str:
    """Return the comparison in one sentence."""
    return plain(found.conclusion)


def facts(found: Comparison) -> str:
    """Return which runs are held against each other, on one line."""
    return f"{_mark(found.baseline)} → {_mark(found.candidate)}"


def tone(found: Comparison) -> str:
    """Return which decision the comparison looks like: `fail` where something got worse, or was gained by a shortcut.

    Args:
        found: The comparison.
    """
    numbers = [kind.under(found.criterion) for kind in found.kinds]
    confirmed = any(part.alarm == "confirmed" for kind in found.kinds for part in kind.slices)
    if found.shortcuts or confirmed or any(one.estimate.upper is not None and one.estimate.upper < 0 for one in numbers):
        return "fail"
    better = any(one.estimate.lower is not None and one.estimate.lower > 0 for one in numbers)
    return "pass" if better and not any(part.alarm for kind in found.kinds for part in kind.slices) else "inconclusive"


def next_step(found: Comparison) -> str:
    """Return what to do next; its command can be copied as far as the names are known."""
    return plain(filled_in(found.next, {"BASELINE": found.baseline.run, "CANDIDATE": found.candidate.run}))


def shortcuts(found: Comparison) -> Section | None:
    """Return the gains that must not be believed, which stand above everything else; `None`: there are none."""
    if not found.shortcuts:
        return None
    rows = tuple((*_names(task), _outcomes(task), _wrong(task), _step(task.lost_steps)) for task in found.shortcuts[:NAMED_TASKS])
    header = ("task", "kind", "outcome", "wrong reason", "required step that stopped running")
    grid = Grid(header, rows, left=5, wide=4)
    told = "More right answers than before, and not by the allowed path: a gain that must not be believed."
    slices = tuple(f"{plain(task.task)}: {_slice_words(task)}." for task in found.shortcuts[:NAMED_TASKS] if task.slices)
    return Section(
        "Gained without a required step", grid, (told, *slices, *_more(found.shortcuts)), tuple(_commands(found, found.shortcuts))
    )


def _slice_words(task: PairedTask) -> str:
    return ", ".join(plain(f"{name}={value}") for name, value in sorted(task.slices.items()))


def sections(found: Comparison) -> Iterator[Section]:
    """Yield the sections of a comparison in their fixed order; those with nothing to say are left out.

    Args:
        found: The comparison.
    """
    yield from _task_sections(found)
    for kind in found.kinds:
        yield from _kind_sections(kind)
    yield from _money(found.money)
    yield from _set(found)
    if found.warnings:
        yield Section("Warnings", None, tuple(plain(line) for line in found.warnings))


def _mark(mark: RunMark) -> str:
    """Return which run it is, in a few words."""
    version = f" {mark.candidate.version}" if mark.candidate.version and mark.candidate.version not in mark.name else ""
    drawn = ", ".join(filter(None, (f"seed {mark.seed}", mark.created_at)))
    return plain(f"{mark.name}{version} on {mark.suite} {mark.suite_version}".strip() + f" ({drawn})")


def _kind_sections(kind: KindComparison) -> Iterator[Section]:
    """Yield the sections of one kind."""
    name = kind.kind.capitalize()
    yield _differences(kind)
    if any(split.parts for split in kind.decompositions):
        yield Section(
            f"{name}: whose doing the whole score is", None, tuple(line for split in kind.decompositions for line in _split(split))
        )
    if kind.tasks:
        yield _movement(kind)
    if kind.slices:
        yield _slices(kind)
    if kind.costs:
        header = ("a trial", "before", "after", "ratio [95 %]")
        notes = tuple(f"{_cost_name(line)}: {plain(line.ratio.note)}." for line in kind.costs if line.ratio.note)
        legend = "Means over the shared tasks; the ratio is the geometric mean of the tasks' own ratios."
        yield Section(f"{name}: cost", Grid(header, tuple(map(_cost, kind.costs))), (legend, *notes))


def _differences(kind: KindComparison) -> Section:
    """Return how strict and outcome moved on the shared tasks."""
    chosen = [("strict", kind.strict), ("strict", kind.strict_k), ("outcome alone", kind.outcome)]
    named = {(criterion, one.estimate.name): one for criterion, one in chosen}
    rows = tuple((f"{criterion} {name}", *_difference(one)) for (criterion, name), one in named.items())
    header = ("candidate minus baseline", "points [95 %]", "tasks", "differ", "p", "drop seen")
    notes = dict.fromkeys(line for (criterion, _), one in named.items() for line in _notes(criterion, one))
    legend = "p: two-sided, never to be read alone. Drop seen: the smallest that would have been found with 80 % power."
    return Section(f"{kind.kind.capitalize()}: {count(kind.tasks, 'shared task')}", Grid(header, rows), (legend, *notes))


def _difference(found: Difference) -> tuple[str, ...]:
    """Return the cells of one difference."""
    value = points_with_interval(found.estimate, unit="")
    return value, f"{found.tasks:,}", f"{found.differing:,}", p_value(found.p_value), drop_seen(found)


def _notes(criterion: str, found: Difference) -> Iterator[str]:
    """Yield what a reader must know of a difference."""
    estimate = found.estimate
    if estimate.note:
        yield f"{criterion} {estimate.name}: {plain(estimate.note)}."
    if estimate.bound_low is not None and estimate.bound_high is not None:
        lies = f"lies between {points(estimate.bound_low)} and {points(estimate.bound_high)} points"
        yield f"{criterion} {estimate.name} over all shared tasks {lies}, however {count(estimate.unknown, 'unknown trial')} had ended."


def _split(found: Decomposition) -> Iterator[str]:
    """Yield whose doing the difference of two whole scores is, in parts that add up."""
    criterion = CRITERIA[found.criterion]
    if found.before is None or found.after is None:
        yield f"{criterion}: one of the runs has no score."
    elif found.agent is None:
        yield f"{criterion} {printed_ends(found)}: no task is shared with a known result in both, so that nothing can be told of the agent."
    else:
        parts, total = printed_parts(found)
        yield f"{criterion} {printed_ends(found)}: {total} points, of these"
        yield f"  {parts[0]} from the agent, on the shared tasks"
        whose = zip(parts[1:], found.parts, strict=True)
        yield from (f"  {text} from {count(part.tasks, 'task')} that {_CHANGES[part.name]}" for text, part in whose)


def _movement(kind: KindComparison) -> Section:
    """Return outcome by process, before and after."""
    header = ("trials of shared tasks", "right", "right for the wrong reason", "wrong", "not known")
    rows = (("before", *_side(kind.movement.before)), ("after", *_side(kind.movement.after)))
    return Section(f"{kind.kind.capitalize()}: outcome × process", Grid(header, rows))


def _side(side: MovementSide) -> tuple[str, ...]:
    return tuple(f"{number:,}" for number in (side.right, side.wrong_reason, side.wrong, side.unknown))


def _slices(kind: KindComparison) -> Section:
    """Return the slices, alarms first, then the lowest."""
    rank = {"confirmed": 0, "suspect": 1, "": 2}
    chosen = sorted(kind.slices, key=lambda part: (rank[part.alarm], *_low(part.strict.estimate.value), part.name, part.value))
    rows = tuple(map(_slice, chosen[:_NAMED_SLICES]))
    header = ("slice", "tasks", "strict points", "outcome", "Holm p", "flipped", "alarm")
    lines = (
        "Alarm: confirmed is hardly chance (Holm p below 0.05); suspect asks a person to read the flipped traces and sign.",
        *_not_shown(chosen[_NAMED_SLICES:]),
        *(f"{plain(f'{part.name}={part.value}')}: {_flipped(part)}." for part in chosen[:_EXPLAINED] if part.alarm and part.flips),
    )
    return Section(f"{kind.kind.capitalize()}: slices", Grid(header, rows), lines)


def _low(value: float | None) -> tuple[bool, float]:
    """Return what sorts values from the lowest on, those that are not known last."""
    return value is None, value or 0.0


def _not_shown(hidden: Sequence[SliceComparison]) -> Iterator[str]:
    """Yield how many slices have no row, and how many of them an alarm."""
    if hidden:
        alarms = [f"{number:,} {word}" for word in ("confirmed", "suspect") if (number := sum(part.alarm == word for part in hidden))]
        yield f"{count(len(hidden), 'more slice')} not shown{', of these ' if alarms else ''}{' and '.join(alarms)}; --json has them all."


def _slice(part: SliceComparison) -> tuple[str, ...]:
    """Return the row of one slice."""
    strict, outcome = (one.estimate for one in (part.strict, part.outcome))
    value = NONE if outcome.value is None else points(outcome.value)
    shown = NONE if strict.value is None else points_with_interval(strict, unit="")
    return plain(f"{part.name}={part.value}"), f"{part.tasks:,}", shown, value, p_value(part.p_holm), f"{part.flips:,}", part.alarm or NONE


def _flipped(part: SliceComparison) -> str:
    """Return the tasks that flipped, in words."""
    named = [plain(task) for task in part.flipped[:NAMED_TASKS]]
    rest = part.flips - len(named)
    names = ", ".join(named) + (f" and {rest:,} more" if rest else "")
    return f"{names} always passed and now {'fails' if part.flips == 1 else 'fail'} half of the trials or more"


def _cost(line: CostComparison) -> tuple[str, ...]:
    """Return the row of one cost."""
    ratio = line.ratio
    ends = "" if ratio.lower is None or ratio.upper is None else f" [{ratio.lower:.2f}, {ratio.upper:.2f}]"
    return (
        _cost_name(line),
        amount(line.before, line.unit),
        amount(line.after, line.unit),
        NONE if ratio.value is None else f"×{ratio.value:.2f}{ends}",
    )


def _cost_name(line: CostComparison) -> str:
    return {"usd": "price", "seconds": "virtual seconds"}.get(line.unit, line.unit)


def _task_sections(found: Comparison) -> Iterator[Section]:
    """Yield the tasks that moved, and the required steps that stopped running."""
    moved = {task.task: task for task in (*found.shortcuts, *found.lost, *found.moved_away, *found.gained)}
    steps = _stopped(list(moved.values()))
    if steps is not None:
        yield steps
    for title, tasks in (("Lost", found.lost), ("Gained", found.gained)):
        if tasks:
            header = ("task", "kind", "strict", "outcome", "wrong reason", "now")
            grid = Grid(header, tuple(map(task_row, tasks[:NAMED_TASKS])), left=6, wide=5)
            yield Section(f"{title}: {count(len(tasks), 'task')}", grid, _more(tasks), tuple(_commands(found, tasks)))
    away = [task for task in found.moved_away if task not in found.lost]
    if away:
        names = listed([f"{plain(task.task)} {_wrong(task)}" for task in away], _NAMED_IDS)
        yield Section("Right for the wrong reason more often than before", None, (f"In trials: {names}.",))


def _stopped(tasks: Sequence[PairedTask]) -> Section | None:
    """Return the required steps that stopped running, each with its tasks; `None`: there are none."""
    groups: dict[tuple[str, str], list[tuple[PairedTask, LostStep]]] = {}
    for task in tasks:
        for step in task.lost_steps:
            groups.setdefault((step.requirement, step.call), []).append((task, step))
    rows = tuple(_stopped_row(*key, members) for key, members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))
    header = ("required step", "call", "tasks", "never ran, trials", "right outcomes")
    return Section("Required steps that stopped running", Grid(header, rows, left=2)) if rows else None


def _stopped_row(requirement: str, call: str, members: Sequence[tuple[PairedTask, LostStep]]) -> tuple[str, ...]:
    """Return the row of one required step."""
    never = f"{sum(step.before for _, step in members):,} → {sum(step.after for _, step in members):,}"
    right = f"{sum(task.before.outcome_passed for task, _ in members):,} → {sum(task.after.outcome_passed for task, _ in members):,}"
    return plain(requirement), plain(call), f"{len(members):,}", never, right


def task_row(task: PairedTask) -> tuple[str, ...]:
    """Return the row of one task: its name, kind, strict, outcome, right for the wrong reason, and what is wrong now.

    Args:
        task: A shared task that moved.
    """
    before, after = task.before, task.after
    strict = f"{before.passed}/{before.scored} → {after.passed}/{after.scored}"
    why = _step(task.lost_steps) or clipped(after.reason if after.passed < after.scored else "", 60)
    return (*_names(task), strict, _outcomes(task), _wrong(task), why)


def _names(task: PairedTask) -> tuple[str, str]:
    return plain(task.task), f"{task.kind}{', critical' if task.critical else ''}"


def _outcomes(task: PairedTask) -> str:
    before, after = task.before, task.after
    return f"{before.outcome_passed}/{before.outcome_scored} → {after.outcome_passed}/{after.outcome_scored}"


def _wrong(task: PairedTask) -> str:
    return f"{task.before.wrong_reason} → {task.after.wrong_reason}"


def _step(steps: Sequence[LostStep]) -> str:
    """Return the required steps that stopped running, with the trials in which they never ran."""
    return "; ".join(f"{plain(one.requirement)} never ran: {one.before} → {one.after}" for one in steps[:2])


def _more(tasks: Sequence[PairedTask]) -> tuple[str, ...]:
    hidden = len(tasks) - NAMED_TASKS
    return (f"and {count(hidden, 'more task')}.",) if hidden > 0 else ()


def _commands(found: Comparison, tasks: Sequence[PairedTask]) -> Iterator[str]:
    """Yield the commands that show the first tasks on both sides; those of a withheld task would lead nowhere."""
    readable = [task for task in tasks if task.split != "holdout"]
    for task in readable[:_COMMANDS]:
        for mark, trial in zip((found.baseline, found.candidate), task.show, strict=True):
            if mark.run and trial is not None:
                yield f"seatrial show {shlex.quote(plain(mark.run))} {shlex.quote(plain(task.task))} --trial {trial}"


def _money(lines: Sequence[MoneyLine]) -> Iterator[Section]:
    """Yield what the differences mean in cases and money."""
    if lines:
        header = ("as if all were like", "", "before", "after", "difference [95 %]")
        notes = dict.fromkeys(f"{line.name}: {plain(line.difference.note)}." for line in lines if line.difference.note)
        yield Section("In production", Grid(header, tuple(map(_money_row, lines)), left=2), tuple(notes))


def _money_row(line: MoneyLine) -> tuple[str, ...]:
    """Return the row of one line of cases or money."""
    found = line.difference
    price = line.name == "price of an avoided error"
    write = _dollars if line.unit == "usd" else signed
    value = NONE if found.value is None else _dollars(found.value).lstrip("+") if price else write(found.value)
    ends = "" if found.lower is None or found.upper is None else f" ({write(found.lower)} to {write(found.upper)})"
    before, after = (
        NONE if one is None else _dollars(one).lstrip("+") if line.unit == "usd" else f"{one:,.1f}" for one in (line.before, line.after)
    )
    return f"the {line.kind} tasks", line.name, before, after, value + ends


def _dollars(value: float) -> str:
    """Return dollars with their sign; large amounts without cents."""
    text = signed(value, 0 if abs(value) >= _LARGE else 2)
    return f"{text[0]}${text[1:]}" if text[0] in "+−" else f"${text}"


def _set(found: Comparison) -> Iterator[Section]:
    """Yield which tasks the runs do not share."""
    groups = (("Added", found.added), ("Removed", found.removed), ("Another contract", found.changed), ("Other kind", found.moved))
    lines = tuple(f"{name}: {listed([plain(task) for task in tasks], _NAMED_IDS)}." for name, tasks in groups if tasks)
    if lines:
        yield Section("Tasks that are not shared", None, lines)

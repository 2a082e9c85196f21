"""What a comparison says, section by section; the terminal, Markdown and HTML draw the same sections."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec.structs import astuple

from seatrial.base.wording import count, listed
from seatrial.compare.wording import points, points_with_interval, printed_ends, printed_parts, signed
from seatrial.records.comparison import (
    Comparison,
    CostComparison,
    Decomposition,
    KindComparison,
    LostStep,
    MoneyLine,
    Movement,
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
_NAMED_GAINS = 5
_NAMED_SLICES = 6
_LOWEST_SLICES = 3
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
_OF_DIFFERENCES = "p: two-sided, never to be read alone. Drop seen: the smallest found with 80 % power."
_OF_SLICES = "Alarm: confirmed is hardly chance (Holm p below 0.05); suspect: read the flipped traces and sign."
_OF_COSTS = "Means over the shared tasks; the ratio is the geometric mean over those with a cost on both sides."


def headline(found: Comparison) -> str:
    """Return the comparison in one sentence."""
    return plain(found.conclusion)


def facts(found: Comparison) -> str:
    """Return which runs are held against each other, on one line; a suite that both are of is named once."""
    before, after = (f"{mark.suite} {mark.suite_version}".strip() for mark in (found.baseline, found.candidate))
    if before == after:
        return f"{plain(before)}: {_mark(found.baseline)} → {_mark(found.candidate)}"
    return f"{_mark(found.baseline, before)} → {_mark(found.candidate, after)}"


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


def commands(found: Comparison) -> tuple[str, ...]:
    """Return the commands of the next step: where it is to read a task, those that show it on both sides."""
    command = next_step(found).partition(": seatrial ")[2]
    pair = tuple(_commands(found, (*found.shortcuts, *found.lost)))
    if command.startswith("show ") and pair:
        return pair
    return (f"seatrial {command}",) if command else ()


def shortcuts(found: Comparison, *, brief: bool = False) -> Section | None:
    """Return the gains that must not be believed, which stand above everything else; `None`: there are none.

    Args:
        found: The comparison.
        brief: Whether the commands are left to the next step.
    """
    if not found.shortcuts:
        return None
    rows = tuple((*_names(task), _outcomes(task), _wrong(task), _step(task.lost_steps)) for task in found.shortcuts[:NAMED_TASKS])
    header = ("task", "kind", "outcome", "wrong reason", "required step that stopped running")
    told = "More right answers than before, and not by the allowed path: a gain that must not be believed."
    lines = (told, *_common_slices(found.shortcuts), *_more(found.shortcuts))
    shown = () if brief else tuple(_commands(found, found.shortcuts))
    return Section("Gained without a required step", Grid(header, rows, left=5, wide=4), lines, shown)


def _common_slices(tasks: Sequence[PairedTask]) -> Iterator[str]:
    """Yield which slices all of the tasks are in: a shortcut that keeps to one kind of case is no accident."""
    common = sorted(set.intersection(*(set(task.slices.items()) for task in tasks)))
    if common:
        names = ", ".join(plain(f"{name}={value}") for name, value in common)
        yield f"{'It is' if len(tasks) == 1 else 'All are'} of {names}."


def sections(found: Comparison, *, brief: bool = False) -> Iterator[Section]:
    """Yield the sections of a comparison in their fixed order; those with nothing to say are left out.

    Args:
        found: The comparison.
        brief: Whether to leave out what a first look does not need: slices in which nothing is to be seen, the outcome of slices, what
            is still wrong on tasks that gained, notes on costs, and the commands that stand behind the next step.
    """
    yield from _task_sections(found, brief=brief)
    yield _differences(found.kinds)
    yield from (part for kind in found.kinds for part in _set_parts(kind))
    yield from _slices(found.kinds, brief=brief)
    yield from _movement(found.kinds)
    yield from _costs(found.kinds, brief=brief)
    yield from _money(found.money)
    yield from _set(found)
    if found.warnings:
        yield Section("Warnings", None, tuple(plain(line) for line in found.warnings))


def once(parts: Iterable[Section]) -> Iterator[Section]:
    """Yield sections, each sentence on how to read a table only where it stands first.

    Args:
        parts: The sections of one text.
    """
    said: set[str] = set()
    for part in parts:
        yield replace(part, lines=tuple(line for line in part.lines if line not in said))
        said.update(line for line in part.lines if line in (_OF_DIFFERENCES, _OF_SLICES, _OF_COSTS))


def _mark(mark: RunMark, suite: str = "") -> str:
    """Return which run it is, in a few words."""
    version = f" {mark.candidate.version}" if mark.candidate.version and mark.candidate.version not in mark.name else ""
    drawn = ", ".join(filter(None, (f"seed {mark.seed}", mark.created_at)))
    return plain(f"{mark.name}{version}{' on ' if suite else ''}{suite} ({drawn})")


def _differences(kinds: Sequence[KindComparison]) -> Section:
    """Return how strict and outcome moved on the shared tasks, kind by kind."""
    rows: list[tuple[str, ...]] = []
    notes: dict[str, None] = {}
    for kind in kinds:
        chosen = [("strict", kind.strict), ("strict", kind.strict_k), ("outcome alone", kind.outcome)]
        named = {(criterion, one.estimate.name): one for criterion, one in chosen}
        rows += [(kind.kind, f"{criterion} {name}", *_difference(one)) for (criterion, name), one in named.items()]
        notes |= dict.fromkeys(f"{kind.kind} {line}" for (criterion, _), one in named.items() for line in _notes(criterion, one))
    header = ("kind", "candidate minus baseline", "points [95 %]", "tasks differ", "p", "drop seen")
    return Section("On the shared tasks", Grid(header, tuple(rows), left=2), (_OF_DIFFERENCES, *notes))


def _difference(found: Difference) -> tuple[str, ...]:
    """Return the cells of one difference."""
    value = points_with_interval(found.estimate, unit="")
    return value, f"{found.differing:,}/{found.tasks:,}", p_value(found.p_value), drop_seen(found)


def _set_parts(kind: KindComparison) -> Iterator[Section]:
    """Yield whose doing the whole scores are, where the set changed."""
    if any(split.parts for split in kind.decompositions):
        lines = tuple(line for split in kind.decompositions for line in _split(split))
        yield Section(f"{kind.kind.capitalize()}: whose doing the whole score is", None, lines)


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


def _movement(kinds: Sequence[KindComparison]) -> Iterator[Section]:
    """Yield outcome by process, before and after, kind by kind."""
    rows = tuple((kind.kind, *_sides(kind.movement)) for kind in kinds if kind.tasks)
    if rows:
        header = ("kind", "right", "right for the wrong reason", "wrong", "not known")
        yield Section("Outcome × process, in trials of shared tasks", Grid(header, rows))


def _sides(found: Movement) -> Iterator[str]:
    for before, after in zip(astuple(found.before), astuple(found.after), strict=True):
        yield f"{before:,} → {after:,}"


def _slices(kinds: Sequence[KindComparison], *, brief: bool) -> Iterator[Section]:
    """Yield the slices, kind by kind, alarms first, then the lowest."""
    rows: list[tuple[str, ...]] = []
    hidden: list[SliceComparison] = []
    flipped: list[str] = []
    for kind in kinds:
        chosen = sorted(kind.slices, key=_alarms_first)
        shown = _telling(chosen, kind.tasks)[:_NAMED_SLICES] if brief else chosen
        hidden += [part for part in chosen if part not in shown]
        rows += [(kind.kind, *_slice(part, brief=brief)) for part in shown]
        flipped += [f"{kind.kind}, {plain(f'{part.name}={part.value}')}: {_flipped(part)}." for part in shown if part.alarm and part.flips]
    if rows:
        header = ("kind", "slice", "strict points", *(() if brief else ("outcome",)), "Holm p", "tasks flipped", "alarm")
        yield Section("Slices", Grid(header, tuple(rows), left=2), (_OF_SLICES, *_not_shown(hidden), *(() if brief else flipped)))


def _alarms_first(part: SliceComparison) -> tuple[object, ...]:
    """Return what sorts slices by alarm, then from the lowest on."""
    return ("confirmed", "suspect", "").index(part.alarm), *_low(part.strict.estimate.value), part.name, part.value


def _telling(slices: Sequence[SliceComparison], tasks: int) -> Sequence[SliceComparison]:
    """Return the slices with an alarm, or with a difference that is not that of the whole kind; the lowest where there are none."""
    return [part for part in slices if part.alarm or (part.tasks < tasks and _differs(part.strict))] or slices[:_LOWEST_SLICES]


def _differs(found: Difference) -> bool:
    """Return whether an interval leaves out nothing's having changed."""
    lower, upper = found.estimate.lower, found.estimate.upper
    return lower is not None and upper is not None and not lower <= 0 <= upper


def _low(value: float | None) -> tuple[bool, float]:
    """Return what sorts values from the lowest on, those that are not known last."""
    return value is None, value or 0.0


def _not_shown(hidden: Sequence[SliceComparison]) -> Iterator[str]:
    """Yield how many slices have no row, how many of them an alarm, and where all are."""
    if hidden:
        alarms = [f"{number:,} {word}" for word in ("confirmed", "suspect") if (number := sum(part.alarm == word for part in hidden))]
        yield f"{count(len(hidden), 'more slice')}{', of these ' if alarms else ''}{' and '.join(alarms)}: -o compare.html has all."


def _slice(part: SliceComparison, *, brief: bool) -> tuple[str, ...]:
    """Return the cells of one slice."""
    strict, outcome = (one.estimate for one in (part.strict, part.outcome))
    value = NONE if outcome.value is None else points(outcome.value)
    shown = NONE if strict.value is None else points_with_interval(strict, unit="")
    told = (shown,) if brief else (shown, value)
    return plain(f"{part.name}={part.value}"), *told, p_value(part.p_holm), f"{part.flips:,}/{part.tasks:,}", part.alarm or NONE


def _flipped(part: SliceComparison) -> str:
    """Return the tasks that flipped, in words."""
    named = [plain(task) for task in part.flipped[:NAMED_TASKS]]
    rest = part.flips - len(named)
    names = ", ".join(named) + (f" and {rest:,} more" if rest else "")
    return f"{names} always passed and now {'fails' if part.flips == 1 else 'fail'} half of the trials or more"


def _costs(kinds: Sequence[KindComparison], *, brief: bool) -> Iterator[Section]:
    """Yield what a trial costs, kind by kind; the tasks of a ratio are those that cost something on both sides."""
    lines = [(kind.kind, line) for kind in kinds for line in kind.costs]
    if lines:
        header = ("kind", "a trial", "before", "after", "ratio [95 %]", "tasks")
        notes = () if brief else [f"{kind}, {_cost_name(line)}: {plain(line.ratio.note)}." for kind, line in lines if line.ratio.note]
        yield Section("Cost", Grid(header, tuple((kind, *_cost(line)) for kind, line in lines), left=2), (_OF_COSTS, *notes))


def _cost(line: CostComparison) -> tuple[str, ...]:
    """Return the cells of one cost."""
    ratio = line.ratio
    ends = "" if ratio.lower is None or ratio.upper is None else f" [{ratio.lower:.2f}, {ratio.upper:.2f}]"
    return (
        _cost_name(line),
        amount(line.before, line.unit),
        amount(line.after, line.unit),
        NONE if ratio.value is None else f"×{ratio.value:.2f}{ends}",
        f"{ratio.tasks:,}/{line.tasks:,}",
    )


def _cost_name(line: CostComparison) -> str:
    return {"usd": "price", "seconds": "virtual seconds"}.get(line.unit, line.unit)


def _task_sections(found: Comparison, *, brief: bool) -> Iterator[Section]:
    """Yield the tasks that moved, and the required steps that stopped running."""
    steps = _stopped(found.listed)
    if steps is not None:
        yield steps
    if found.lost:
        yield _moved("Lost", found.lost, NAMED_TASKS, () if brief else tuple(_commands(found, found.lost)))
    if found.gained:
        read = brief and bool(found.lost or found.shortcuts)
        part = _moved("Gained", found.gained, _NAMED_GAINS if brief else NAMED_TASKS, () if read else tuple(_commands(found, found.gained)))
        yield _without_last(part) if brief else part
    away = [task for task in found.moved_away if task not in found.lost]
    if away:
        names = listed([f"{plain(task.task)} {_wrong(task)}" for task in away], _NAMED_IDS)
        yield Section("Right for the wrong reason more often than before", None, (f"In trials: {names}.",))


def _moved(title: str, tasks: Sequence[PairedTask], most: int, shown: tuple[str, ...]) -> Section:
    """Return a list of tasks that moved."""
    grid = Grid(("task", "kind", "strict", "outcome", "wrong reason", "now"), tuple(map(task_row, tasks[:most])), left=6, wide=5)
    return Section(f"{title}: {count(len(tasks), 'task')}{f', the first {most}' if len(tasks) > most else ''}", grid, (), shown)


def _without_last(part: Section) -> Section:
    """Return a list of tasks without what is wrong now."""
    grid = part.grid and Grid(part.grid.header[:-1], tuple(row[:-1] for row in part.grid.rows), left=5)
    return replace(part, grid=grid)


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
        header = ("as if all were", "", "before", "after", "difference [95 %]")
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
    return line.kind, line.name, before, after, value + ends


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

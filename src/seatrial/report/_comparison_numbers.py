"""The numbers of a comparison, section by section: how scores, slices and costs moved, whose doing it is, and what it means in money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import astuple

from seatrial.base.wording import count
from seatrial.compare.wording import joined, points, points_with_interval, printed_ends, printed_parts, signed
from seatrial.records.comparison import Comparison, CostComparison, Decomposition, KindComparison, MoneyLine, Movement, SliceComparison
from seatrial.records.estimate import Difference
from seatrial.report._comparison_tasks import NAMED_TASKS
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import CRITERIA, NONE, amount, drop_seen, p_value

_NAMED_SLICES = 6
_LOWEST_SLICES = 3
_LARGE = 100
"""US dollars from which on cents are left out."""
_CHANGES = {
    "added": "only the candidate's run has",
    "removed": "only the baseline's run has",
    "changed": "have another contract",
    "moved": "went over to or from the other kind",
    "unscored": "have no known result in one of the runs",
}
"""Why tasks are not shared → in words."""
_OF_DIFFERENCES = "p: two-sided, never to be read alone. Drop seen: the smallest found with 80 % power."
_OF_SLICES = (
    "Tasks lost: always passed, now fail half of their trials or more. "
    "Alarm: confirmed is hardly chance (Holm p below 0.05); suspect: read their traces and sign."
)
_OF_COSTS = "Means over the shared tasks; the ratio is the geometric mean over those with a cost on both sides."
LEGENDS = frozenset({_OF_DIFFERENCES, _OF_SLICES, _OF_COSTS})
"""The sentences on how to read a table."""


def differences(kinds: Sequence[KindComparison]) -> Section:
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


def set_parts(kind: KindComparison) -> Iterator[Section]:
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
        low, high = points(estimate.bound_low), points(estimate.bound_high)
        lies = f"is {low} points" if low == high else f"lies between {low} and {high} points"
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


def movement(kinds: Sequence[KindComparison]) -> Iterator[Section]:
    """Yield outcome by process, before and after, kind by kind."""
    rows = tuple((kind.kind, *_sides(kind.movement)) for kind in kinds if kind.tasks)
    if rows:
        header = ("kind", "right", "right for the wrong reason", "wrong", "not known")
        yield Section("Outcome × process, in trials of shared tasks", Grid(header, rows))


def _sides(found: Movement) -> Iterator[str]:
    for before, after in zip(astuple(found.before), astuple(found.after), strict=True):
        yield f"{before:,} → {after:,}"


def slices(kinds: Sequence[KindComparison], *, brief: bool) -> Iterator[Section]:
    """Yield the slices, kind by kind, alarms first, then the lowest.

    Args:
        kinds: The kinds, each with its shared tasks.
        brief: Whether only those are shown that tell something, and of them `strict` alone.
    """
    rows: list[tuple[str, ...]] = []
    hidden: list[SliceComparison] = []
    flipped: list[str] = []
    for kind in kinds:
        chosen = sorted(kind.slices, key=_alarms_first)
        shown, rest = _first_look(chosen, kind.tasks) if brief else (chosen, ())
        hidden += rest
        rows += [(kind.kind, *_slice(part, brief=brief)) for part in shown]
        flipped += [f"{kind.kind}, {plain(f'{part.name}={part.value}')}: {_flipped(part)}." for part in shown if part.alarm and part.flips]
    if rows:
        header = ("kind", "slice", "strict points", *(() if brief else ("outcome",)), "Holm p", "tasks lost", "alarm")
        yield Section("Slices", Grid(header, tuple(rows), left=2), (_OF_SLICES, *_not_shown(hidden), *(() if brief else flipped)))


def _alarms_first(part: SliceComparison) -> tuple[object, ...]:
    """Return what sorts slices by alarm, then from the lowest on."""
    return ("confirmed", "suspect", "").index(part.alarm), *_low(part.strict.estimate.value), part.name, part.value


def _first_look(slices: Sequence[SliceComparison], tasks: int) -> tuple[Sequence[SliceComparison], Sequence[SliceComparison]]:
    """Return the slices that a first look shows, and the others: those that tell something, or the lowest where none does."""
    telling = [part for part in slices if _tells(part, tasks)]
    if not telling:
        return slices[:_LOWEST_SLICES], slices[_LOWEST_SLICES:]
    return telling[:_NAMED_SLICES], [*telling[_NAMED_SLICES:], *(part for part in slices if not _tells(part, tasks))]


def _tells(part: SliceComparison, tasks: int) -> bool:
    """Return whether a slice has an alarm, or a difference that is not that of the whole kind."""
    return bool(part.alarm) or (part.tasks < tasks and _differs(part.strict))


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


def costs(found: Comparison, *, brief: bool) -> Iterator[Section]:
    """Yield what a trial costs, kind by kind; the tasks of a ratio are those that cost something on both sides.

    Args:
        found: The comparison.
        brief: Whether notes are left out.
    """
    lines = [(kind.kind, line) for kind in found.kinds for line in kind.costs]
    if lines:
        header = ("kind", "a trial", "before", "after", "ratio [95 %]", "tasks")
        notes = () if brief else [f"{kind}, {_cost_name(line)}: {plain(line.ratio.note)}." for kind, line in lines if line.ratio.note]
        rows = tuple((kind, *_cost(line)) for kind, line in lines)
        yield Section("Cost", Grid(header, rows, left=2), (_OF_COSTS, *_carried(found), *notes))


def _carried(found: Comparison) -> Iterator[str]:
    """Yield whose cost a candidate carries."""
    for mark in (found.baseline, found.candidate):
        if mark.built_on:
            yield f"{plain(mark.name)} carries the cost of {joined([plain(name) for name in mark.built_on])}."


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


def money(lines: Sequence[MoneyLine]) -> Iterator[Section]:
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

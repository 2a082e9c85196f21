"""No slice got worse unseen: a confirmed drop fails, and a suspect one is inconclusive until a named person has read and signed.

It is an alarm, so it looks at all tasks that both runs share, whatever their split, and buys sensitivity on purpose: with nothing changed
about half of all comparisons of five slices have a suspect slice. What is suspect, and what confirmed, is `measure.slice_alarm`'s to say.
Trials without a known result count in every way: an alarm that hangs on how they ended is neither raised nor passed over.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct, structs

from seatrial.base.seeds import derive
from seatrial.base.wording import count
from seatrial.compare.pairing import Pair, paired
from seatrial.compare.slices import compared_slices
from seatrial.compare.wording import points
from seatrial.gate._choosing import Share
from seatrial.gate._naming import AFTER_A_CHANGE, HOW_TO_NAME_ONE, named
from seatrial.gate.evidence import Evidence
from seatrial.measure.slice_alarm import alarm
from seatrial.records.comparison import Alarm, KindComparison, SliceComparison
from seatrial.records.decision import Need, RuleResult
from seatrial.records.summary import TaskRow
from seatrial.records.task import Kind

NAME = "slices"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """How large a drop makes a slice suspect."""

    margin: Share = 0.03
    """A drop of this share with a task that always passed and now fails is suspect."""
    kind: Kind | None = None
    """Only tasks of this kind; `None`: both, each by itself."""


class _Row(NamedTuple):
    """A slice of one kind and what is said of it."""

    kind: KindComparison
    slice: SliceComparison
    alarm: Alarm
    ways: frozenset[Alarm]
    """The alarms that there may be, however the trials without a known result ended."""

    @property
    def name(self) -> str:
        """`name=value`."""
        return f"{self.slice.name}={self.slice.value}"


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Look at every slice of the shared tasks.

    Args:
        evidence: The comparison of all shared tasks and the signatures are looked at.
        arguments: How large a drop is suspect.

    Returns:
        Fail at a drop that is confirmed however the unknown trials ended; inconclusive at a suspect one that nobody signed, at an alarm
        that hangs on unknown trials, without a baseline, or without a slice; else pass.
    """
    if evidence.comparison is None:
        reason = f"there is no baseline to hold slices against; {HOW_TO_NAME_ONE}"
        return RuleResult(NAME, "inconclusive", reason, subject="comparison")
    kinds = [kind for kind in evidence.comparison.kinds if arguments.kind in (None, kind.kind)]
    rows = [row for kind in kinds for row in _rows(evidence, kind, arguments)]
    if not rows:
        return RuleResult(NAME, "inconclusive", f"candidate and baseline share no slice of tasks; {AFTER_A_CHANGE}", subject="comparison")
    confirmed = [row for row in rows if row.ways == {"confirmed"}]
    if confirmed:
        return RuleResult(NAME, "fail", "; ".join(map(_confirmed, confirmed)), _flipped(confirmed), "slice")
    signed = _signed(evidence)
    open_ = [row for row in rows if row.alarm == "suspect" and row.name not in signed]
    hanging = [row for row in rows if row not in open_ and ("confirmed" in row.ways or ("suspect" in row.ways and row.name not in signed))]
    if open_ or hanging:
        reason = "; ".join((*_read_first(open_), *_hangs(hanging)))
        return RuleResult(NAME, "inconclusive", reason, _flipped(open_), "slice", need=_sign(open_) if open_ else _GET_RESULTS)
    return RuleResult(NAME, "pass", _passed(rows, signed, arguments.margin), subject="slice")


def _rows(evidence: Evidence, kind: KindComparison, arguments: Arguments) -> Iterator[_Row]:
    """Yield the slices of one kind with their alarms at the margin of this rule."""
    for part, *ended in zip(kind.slices, *_ends(evidence, kind.kind), strict=True):
        seen = _alarm(part, arguments)
        yield _Row(kind, part, seen, frozenset((seen, *(_alarm(one, arguments) for one in ended))))


def _alarm(part: SliceComparison, arguments: Arguments) -> Alarm:
    return alarm(part.strict, part.p_holm, margin=arguments.margin, flipped=part.flips)


def _ends(evidence: Evidence, kind: Kind) -> Iterator[tuple[SliceComparison, ...]]:
    """Yield the slices as they are if the unknown trials ended at the worst, and at the best; nothing where every trial is known."""
    if evidence.baseline is None:
        return
    pairs = paired(evidence.baseline, evidence.summary).shared_of(kind)
    if not any(row.unknown for pair in pairs for row in pair):
        return
    seed = derive(evidence.summary.seed, "gate", NAME, kind)
    for worst in (True, False):
        ended = [Pair(_ended(pair.before, passed=worst), _ended(pair.after, passed=not worst)) for pair in pairs]
        yield compared_slices(ended, margin=Arguments().margin, seed=seed)


def _ended(row: TaskRow, *, passed: bool) -> TaskRow:
    """Return a task as if all of its unknown trials had passed, or failed."""
    return structs.replace(row, passed=row.passed + (row.unknown if passed else 0), scored=row.scored + row.unknown, unknown=0)


def _signed(evidence: Evidence) -> dict[str, str]:
    """Return slice → who signed it against this very baseline."""
    return {one.slice: one.by for one in evidence.signatures if one.baseline == evidence.baseline_hash}


def _drop(row: _Row) -> str:
    """Return the slice and its difference in words."""
    return f"{row.kind.kind} {row.name}: {points(_value(row))} points on {count(row.slice.tasks, 'task')}"


def _confirmed(row: _Row) -> str:
    """Return a confirmed drop, with all tasks of the kind beside it."""
    whole = row.kind.strict.estimate.value
    corrected = "" if row.slice.p_holm is None else f", Holm p {row.slice.p_holm:.3f}"
    return f"{_drop(row)}{corrected}; all {row.kind.kind} tasks {points(whole or 0.0)}"


def _suspect(row: _Row) -> str:
    """Return a suspect drop, with the tasks that flipped."""
    return f"{_drop(row)}{f' (flipped: {named(row.slice.flipped)})' if row.slice.flipped else ''}"


def _read_first(rows: list[_Row]) -> Iterator[str]:
    """Yield which slices wait for a reader."""
    if rows:
        yield f"suspect until somebody has read the flipped traces and signed: {'; '.join(map(_suspect, rows))}"


def _hangs(rows: list[_Row]) -> Iterator[str]:
    """Yield which slices cannot be told to have no alarm, or a confirmed one, before more is known of their trials."""
    if rows:
        names = named([f"{row.kind.kind} {row.name} ({count(row.slice.strict.estimate.unknown, 'such trial')})" for row in rows])
        yield f"how trials without a known result ended decides whether there is an alarm in {names}"


_GET_RESULTS = Need("Get the results that are not known: run again with the same file, and have read what the rules cannot decide")


def _flipped(rows: list[_Row]) -> tuple[str, ...]:
    """Return the tasks that always passed before and fail now, each once."""
    return tuple(dict.fromkeys(task for row in rows for task in row.slice.flipped))


def _sign(rows: list[_Row]) -> Need:
    """Return what must be signed."""
    names = list(dict.fromkeys(row.name for row in rows))
    commands = [f"seatrial sign RUN --slice {shlex.quote(name)} --baseline BASELINE --name NAME --reason REASON" for name in names]
    return Need(f"Read the flipped traces, then sign: {' && '.join(commands)}")


def _passed(rows: list[_Row], signed: dict[str, str], margin: float) -> str:
    """Return what was looked at, which slices fell and are too small to tell chance from it, and who signed what."""
    small = [row for row in rows if row.slice.strict.p_worse is None]
    fell = sorted((row for row in small if _value(row) < 0 and -_value(row) >= margin and not row.alarm), key=_value)
    down = f"; down by the margin or more, perhaps by chance: {named([_drop(row) for row in fell])}" if fell else ""
    few = f" ({len(small):,} of them too small for more than counts{down})" if small else ""
    answered = [f"{row.name} suspect and signed by {signed[row.name]}" for row in rows if row.alarm == "suspect"]
    alarms = "" if answered else "no alarm in "
    return "; ".join([f"{alarms}{count(len(rows), 'slice')}{few}", *answered])


def _value(row: _Row) -> float:
    """Return the difference of a slice; nothing where it is not known."""
    return row.slice.strict.estimate.value or 0.0

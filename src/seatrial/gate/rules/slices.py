"""No slice got worse unseen: a confirmed drop fails, and a suspect one is inconclusive until a named person has read and signed.

It is an alarm, so it looks at all tasks that both runs share, whatever their split, and buys sensitivity on purpose: with nothing changed
about half of all comparisons of five slices have a suspect slice. What is suspect, and what confirmed, is `measure.slice_alarm`'s to say.
"""

from __future__ import annotations

import shlex
from typing import NamedTuple

from msgspec import Struct

from seatrial.base.wording import count
from seatrial.compare.wording import points
from seatrial.gate._choosing import Share
from seatrial.gate._naming import AFTER_A_CHANGE, HOW_TO_NAME_ONE, named
from seatrial.gate.evidence import Evidence
from seatrial.measure.slice_alarm import alarm
from seatrial.records.comparison import Alarm, KindComparison, SliceComparison
from seatrial.records.decision import Need, RuleResult
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
        Fail at a confirmed drop; inconclusive at a suspect one that nobody signed, without a baseline, or without a slice; else pass.
    """
    if evidence.comparison is None:
        reason = f"there is no baseline to hold slices against; {HOW_TO_NAME_ONE}"
        return RuleResult(NAME, "inconclusive", reason, subject="comparison")
    kinds = [kind for kind in evidence.comparison.kinds if arguments.kind in (None, kind.kind)]
    rows = [_row(kind, part, arguments) for kind in kinds for part in kind.slices]
    known = [row for row in rows if row.slice.strict.estimate.value is not None]
    if not known:
        return RuleResult(NAME, "inconclusive", f"candidate and baseline share no slice of tasks; {AFTER_A_CHANGE}", subject="comparison")
    confirmed = [row for row in known if row.alarm == "confirmed"]
    if confirmed:
        return RuleResult(NAME, "fail", "; ".join(map(_confirmed, confirmed)), _flipped(confirmed), "slice")
    signed = _signed(evidence)
    open_ = [row for row in known if row.alarm == "suspect" and row.name not in signed]
    if open_:
        reason = f"suspect until somebody has read the flipped traces and signed: {'; '.join(map(_suspect, open_))}"
        return RuleResult(NAME, "inconclusive", reason, _flipped(open_), "slice", need=_sign(open_))
    return RuleResult(NAME, "pass", _passed(known, signed), subject="slice")


def _row(kind: KindComparison, part: SliceComparison, arguments: Arguments) -> _Row:
    """Return a slice with its alarm at the margin of this rule."""
    return _Row(kind, part, alarm(part.strict, part.p_holm, margin=arguments.margin, flipped=part.flips))


def _signed(evidence: Evidence) -> dict[str, str]:
    """Return slice → who signed it against this very baseline."""
    return {one.slice: one.by for one in evidence.signatures if one.baseline == evidence.baseline_hash}


def _drop(row: _Row) -> str:
    """Return the slice and its difference in words."""
    value = row.slice.strict.estimate.value
    return f"{row.kind.kind} {row.name}: {points(value or 0.0)} points on {count(row.slice.tasks, 'task')}"


def _confirmed(row: _Row) -> str:
    """Return a confirmed drop, with all tasks of the kind beside it."""
    whole = row.kind.strict.estimate.value
    corrected = "" if row.slice.p_holm is None else f", Holm p {row.slice.p_holm:.3f}"
    return f"{_drop(row)}{corrected}; all {row.kind.kind} tasks {points(whole or 0.0)}"


def _suspect(row: _Row) -> str:
    """Return a suspect drop, with the tasks that flipped."""
    return f"{_drop(row)}{f' (flipped: {named(row.slice.flipped)})' if row.slice.flipped else ''}"


def _flipped(rows: list[_Row]) -> tuple[str, ...]:
    """Return the tasks that always passed before and fail now, each once."""
    return tuple(dict.fromkeys(task for row in rows for task in row.slice.flipped))


def _sign(rows: list[_Row]) -> Need:
    """Return what must be signed."""
    first, *others = dict.fromkeys(row.name for row in rows)
    command = f"seatrial sign RUN --slice {shlex.quote(first)} --baseline BASELINE --name NAME --reason REASON"
    return Need(f"Read the flipped traces, then sign: {command}{f', and likewise {named(others)}' if others else ''}")


def _passed(rows: list[_Row], signed: dict[str, str]) -> str:
    """Return what was looked at, and who signed what."""
    tested = sum(row.slice.strict.p_worse is not None for row in rows)
    small = f" ({len(rows) - tested:,} of them too small for more than counts)" if tested < len(rows) else ""
    answered = [f"{row.name} suspect and signed by {signed[row.name]}" for row in rows if row.alarm == "suspect"]
    alarms = "" if answered else "no alarm in "
    return "; ".join([f"{alarms}{count(len(rows), 'slice')}{small}", *answered])

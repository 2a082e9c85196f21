"""The columns of exported tables: name, type, and where the value comes from. `None` is *not known* or *does not apply*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from seatrial.records.grade import QUESTIONS, Grade
from seatrial.records.task import Task
from seatrial.records.trace import Counted, Identity, Step, Trace


class Column(NamedTuple):
    """One column."""

    name: str
    type: str
    """Alias of an Arrow type."""
    value: Callable[[Any], object]
    """Returns the value for a `Graded`, a `StepOf` or a grade."""


class Graded(NamedTuple):
    """What a row of traces is made of."""

    trace: Trace
    grade: Grade | None
    """`None`: not graded."""
    task: Task | None
    """`None`: the file does not hold it."""


class StepOf(NamedTuple):
    """What a row of steps is made of."""

    identity: Identity
    attempt: int | None
    """Index of the abandoned attempt; `None`: the last attempt, which counts."""
    step: Step


def _verdict(question: str) -> Column:
    return Column(question, "string", lambda grade: None if grade is None else grade.answers[question].verdict.value)


VERDICT_COLUMNS = (
    *(_verdict(question) for question in QUESTIONS),
    Column("strict", "string", lambda grade: None if grade is None else grade.strict.value),
    Column("credit", "double", lambda grade: None if grade is None else grade.credit),
)
"""Columns of a grade, or of `None`."""


def _of_identity(name: str, kind: str = "string") -> Column:
    return Column(name, kind, lambda graded: getattr(graded.trace.identity, name))


def _of_usage(name: str, kind: str) -> Column:
    return Column(name, kind, lambda graded: getattr(graded.trace.usage, name))


def _counted(name: Counted, kind: str) -> Column:
    return Column(name, kind, lambda graded: graded.trace.usage.known(name))


def _of_task(name: str) -> Column:
    return Column(name, "string", lambda graded: None if graded.task is None else getattr(graded.task, name))


def _of_grade(column: Column) -> Column:
    return Column(column.name, column.type, lambda graded: column.value(graded.grade))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


TRACE_COLUMNS = (
    _of_identity("suite"),
    _of_identity("task"),
    _of_identity("trial", "int64"),
    _of_identity("contract"),
    _of_identity("candidate"),
    _of_identity("candidate_hash"),
    _of_identity("seed", "uint64"),
    Column("status", "string", lambda graded: graded.trace.status.value),
    Column("status_reason", "string", lambda graded: graded.trace.status_reason),
    Column("source", "string", lambda graded: graded.trace.source),
    _counted("calls", "int64"),
    _of_usage("model_calls", "int64"),
    _of_usage("tokens", "int64"),
    _of_usage("usd", "double"),
    _counted("seconds", "double"),
    Column("attempts", "int64", lambda graded: len(graded.trace.attempts)),
    Column("steps", "int64", lambda graded: len(graded.trace.steps)),
    Column("changes", "string", lambda graded: _json(graded.trace.changes)),
    Column("changes_unknown", "string", lambda graded: graded.trace.changes_unknown),
    Column("reported", "string", lambda graded: _json(graded.trace.reported)),
    _of_task("kind"),
    _of_task("split"),
    _of_task("stakes"),
    Column("slices", "string", lambda graded: None if graded.task is None else _json(graded.task.slices)),
    *(_of_grade(column) for column in VERDICT_COLUMNS),
)
"""Columns of a `Graded`; `changes`, `reported` and `slices` are JSON."""


def _of_trial(name: str, kind: str = "string") -> Column:
    return Column(name, kind, lambda one: getattr(one.identity, name))


def _of_step(name: str, kind: str = "string", field: str = "") -> Column:
    return Column(name, kind, lambda one: getattr(one.step, field or name, None))


def _raw(name: str) -> Column:
    """A field that holds JSON: its text, `None` where it is absent."""

    def value(one: StepOf) -> str | None:
        held = getattr(one.step, name, None)
        return bytes(held).decode() if isinstance(held, Raw) else None

    return Column(name, "string", value)


def _within(part: str, field: str, kind: str, name: str) -> Column:
    """A field of a part that a step may lack."""
    return Column(name, kind, lambda one: getattr(getattr(one.step, part, None), field, None))


def _changes(one: StepOf) -> str | None:
    changes = getattr(one.step, "changes", ())
    return _json(changes) if changes else None


STEP_COLUMNS = (
    _of_trial("task"),
    _of_trial("trial", "int64"),
    Column("attempt", "int64", lambda one: one.attempt),
    _of_step("sequence", "int64"),
    Column("step", "string", lambda one: one.step.__struct_config__.tag),
    _of_step("actor"),
    _of_step("parent", "int64"),
    _of_step("context"),
    _of_step("text"),
    _of_step("tool"),
    _of_step("effect"),
    _of_step("by"),
    _raw("proposed"),
    _raw("executed"),
    _raw("observation"),
    _of_step("issued_at", "int64"),
    _of_step("delivered_at", "int64"),
    _of_step("message", "int64"),
    _of_step("position", "int64"),
    _of_step("inferred", "bool"),
    _of_step("validity"),
    _of_step("result"),
    _within("failure", "kind", "string", "failure"),
    _within("failure", "message", "string", "failure_message"),
    _within("failure", "status", "int64", "failure_status"),
    _within("failure", "transient", "bool", "failure_transient"),
    _within("fault", "kind", "string", "fault"),
    _of_step("retry_of", "int64"),
    _of_step("seconds", "double"),
    Column("changes", "string", _changes),
    _of_step("model"),
    _of_step("requested"),
    _of_step("usd", "double"),
    _within("usage", "input", "int64", "input_tokens"),
    _within("usage", "cache_read", "int64", "cache_read_tokens"),
    _within("usage", "cache_write", "int64", "cache_write_tokens"),
    _within("usage", "output", "int64", "output_tokens"),
    _of_step("call", "int64"),
    _of_step("allowed", "bool"),
    _of_step("approved", "bool"),
    _of_step("reason"),
    _of_step("source"),
    _of_step("target"),
    _of_step("probe", field="name"),
    _raw("value"),
    _of_step("error"),
)
"""Columns of a `StepOf`; `proposed`, `executed`, `observation`, `changes`, `value` are JSON. Columns of other kinds of steps are null."""

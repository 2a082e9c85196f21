"""Which column of a table is what, as the user says it, and where these columns stand in a header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from seatrial.base.wording import did_you_mean, listed
from seatrial.importers.csv.table import Table

_SHOWN = 12


class Columns(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the columns of a table are. Where several columns make one number they are added up."""

    task: Annotated[str, Meta(description="Column with the task's id.")] = "task"
    passed: Annotated[str, Meta(description="Column that says whether the trial passed: 1 0, true false, pass fail; empty is unknown.")] = (
        "passed"
    )
    candidate: Annotated[tuple[str, ...], Meta(description="Columns A,B that name the candidate; one run file each.")] = ()
    """Empty: the column `candidate` if there is one, else the whole table is one candidate's."""
    trial: Annotated[str, Meta(description="Column that numbers or names the trials of a task.")] = ""
    """Empty: the column `trial` if there is one, else one trial a task."""
    usd: Annotated[tuple[str, ...], Meta(description="Columns A,B with the cost of the trial in US dollars, added up.")] = ()
    tokens: Annotated[tuple[str, ...], Meta(description="Columns A,B with tokens of the trial, added up.")] = ()
    calls: Annotated[tuple[str, ...], Meta(description="Columns A,B with calls of the trial, added up.")] = ()
    seconds: Annotated[tuple[str, ...], Meta(description="Columns A,B with seconds of the trial, added up.")] = ()
    slice: Annotated[tuple[str, ...], Meta(description="Columns A,B with a property of the task, kept as slices.")] = ()
    pass_from: Annotated[float | None, Meta(description="The column of --passed holds scores, and a trial passes from this one on.")] = None
    task_pattern: Annotated[str, Meta(description="Regular expression: its first group, or its match, is the task's id.")] = ""
    built_on: Annotated[tuple[str, ...], Meta(description="NAME=BASE: the candidate starts from BASE's output and carries its cost.")] = ()
    delimiter: Annotated[str, Meta(description="Character between columns; found by itself among , ; tab and |.")] = ""


class Places(Struct, frozen=True):
    """Where the columns of a table stand, from 0."""

    task: int
    passed: int
    candidate: tuple[int, ...]
    """Empty: the table is one candidate's."""
    trial: int | None
    """`None`: one trial a task."""
    usd: tuple[int, ...]
    tokens: tuple[int, ...]
    calls: tuple[int, ...]
    seconds: tuple[int, ...]
    slices: tuple[int, ...]


def places(columns: Columns, table: Table) -> Places:
    """Return where the columns stand.

    Args:
        columns: What the columns are; `A,B` names two of them where no column is called so.
        table: The table.

    Raises:
        ForeignFormatError: A column is not there, or there twice.
    """
    whole = _maybe(columns.candidate or "candidate", table)
    trial = _maybe((columns.trial,) if columns.trial else "trial", table)
    return Places(
        task=_place(columns.task, "task", table),
        passed=_place(columns.passed, "passed", table),
        candidate=whole,
        trial=trial[0] if trial else None,
        usd=_all(columns.usd, "usd", table),
        tokens=_all(columns.tokens, "tokens", table),
        calls=_all(columns.calls, "calls", table),
        seconds=_all(columns.seconds, "seconds", table),
        slices=_all(columns.slice, "slice", table),
    )


def _maybe(asked: Sequence[str] | str, table: Table) -> tuple[int, ...]:
    """Return the places of columns that were asked for, or that of a usual name if the table has it."""
    if isinstance(asked, str):
        return (_place(asked, asked, table),) if asked in table.header else ()
    return _all(asked, "candidate", table)


def _all(names: Sequence[str], flag: str, table: Table) -> tuple[int, ...]:
    parts = [part for name in names for part in ((name,) if name in table.header else name.split(","))]
    return tuple(_place(part.strip(), flag, table) for part in parts)


def _place(name: str, flag: str, table: Table) -> int:
    found = [index for index, title in enumerate(table.header) if title == name]
    if not found:
        titles = [title[:60] for title in table.header]
        hint = did_you_mean(name, titles) or f" Name the right one with --{flag}."
        table.refuse(f"there is no column {name!r}; the columns are {listed(titles, _SHOWN)}.{hint}", table.first_line)
    if len(found) > 1:
        table.refuse(f"there are {len(found)} columns {name!r}; which one is meant cannot be told", table.first_line)
    return found[0]

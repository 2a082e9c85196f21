"""Headers: what is known of a trial without unpacking its trace, held in columns of its row."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from seatrial.records.trace import Status, Trace


class Header(Struct, frozen=True, gc=False):
    """What can be known of a trial without reading its trace."""

    task: str
    trial: int
    """Index of the trial within its task, from 0."""
    contract: str
    """Hash of the task as it was run."""
    candidate: str
    """Name of the candidate."""
    status: Status
    calls: int
    """Attempted tool calls of the agent; 0 also where nobody counted them."""
    seconds: float
    """Virtual seconds; 0 also where nobody counted them."""
    usd: float | None
    """US dollars; `None`: unknown."""
    tokens: int | None
    """All tokens of the agent; `None`: unknown."""
    attempts: int
    """Abandoned earlier attempts."""
    steps: int
    """Steps of the last attempt."""


SELECT_PAGE = (
    "SELECT task, trial, contract, candidate, status, calls, seconds, usd, tokens, attempts, steps FROM trials "
    "WHERE (task, trial) > (?, ?) ORDER BY task, trial LIMIT 200"
)
INSERT = (
    "INSERT INTO trials(contract, candidate, status, calls, seconds, usd, tokens, attempts, steps, dictionary, shape, body, task, trial) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
REPLACE = (
    "UPDATE trials SET contract = ?, candidate = ?, status = ?, calls = ?, seconds = ?, usd = ?, tokens = ?, attempts = ?, steps = ?, "
    "dictionary = ?, shape = ?, body = ? WHERE task = ? AND trial = ?"
)
"""`INSERT` and `REPLACE` bind the same values: `columns`, then the packed body, then task and trial."""


def columns(trace: Trace) -> tuple[str | int | float | None, ...]:
    """Return the values of a trace's header columns, without task and trial."""
    identity, usage = trace.identity, trace.usage
    counts = len(trace.attempts), len(trace.steps)
    return identity.contract, identity.candidate, trace.status.value, usage.calls, usage.seconds, usage.usd, usage.tokens, *counts


def header(row: tuple[Any, ...]) -> Header:
    """Return the header that a row of `SELECT_PAGE` holds; raises `ValueError` when its status is none of ours."""
    task, trial, contract, candidate, status, *numbers = row
    return Header(task, trial, contract, candidate, Status(status), *numbers)

"""A desk with tickets: one read, one write, a tool that breaks and one that does not come back; tasks and agents as tests need them."""

from __future__ import annotations

import textwrap
from pathlib import Path

WORLD = '''
import threading
import time

from seatrial import Database, Sqlite, ToolError, normaliser, probe, tool

STATE = Sqlite(schema="""
CREATE TABLE tickets(ticket_id TEXT PRIMARY KEY NOT NULL, holder TEXT, status TEXT NOT NULL, amount INTEGER DEFAULT 0);
""")


@tool(effect="read", normalise={"ticket_id": "desk_id"})
def look(state: Database, ticket_id: str) -> dict:
    """Look up one ticket.

    Args:
        ticket_id: Number of the ticket.
    """
    row = state.one("SELECT * FROM tickets WHERE ticket_id = ?", ticket_id)
    if row is None:
        raise ToolError(f"no ticket {ticket_id!r}", status=404)
    return row


@tool(effect="write", normalise={"ticket_id": "desk_id"})
def close(state: Database, ticket_id: str) -> dict:
    """Close one ticket.

    Args:
        ticket_id: Number of the ticket.
    """
    if not state.execute("UPDATE tickets SET status = 'closed' WHERE ticket_id = ?", ticket_id):
        raise ToolError(f"no ticket {ticket_id!r}", status=404)
    return {"closed": ticket_id}


@tool(effect="read")
def stuck(state: Database) -> dict:
    """Never come back."""
    while True:
        time.sleep(0.01)


@normaliser("desk_id")
def desk_id(value: object) -> str:
    """Tickets are known with and without their letter."""
    return str(value).upper().removeprefix("T-")


@probe
def open_tickets(state: Database) -> int:
    """Count open tickets."""
    return state.one("SELECT count(*) AS n FROM tickets WHERE status = 'open'")["n"]
'''
SUITE = """
name: desk
world: world.py
defaults:
  trials: 2
  k: 2
  because: "a test"
"""
TASK = """
id: {name}
kind: regression
split: dev
slices: {{size: {size}}}
stakes: write
input: "Please close ticket T-1 of Ann Example."
fixture: base
expect:
  outcome:
    changes: {{tickets/T-1: {{status: closed}}}}
  process:
    required:
      - {{id: look, call: look, with: {{ticket_id: T-1}}}}
      - {{id: close, call: close, with: {{ticket_id: T-1}}}}
    order: [look < close]
    extras: reads
  budget: {{calls: {calls}}}
faults: {faults}
"""
FIXTURE = '{"tickets": [{"ticket_id": "T-1", "holder": "Ann Example", "status": "open"}, {"ticket_id": "T-2", "status": "open"}]}'
GOOD = '''
def good(task, tools, user):
    """Look, then close."""
    tools.look(ticket_id="T-1")
    tools.close(ticket_id="T-1")
    return "Ticket T-1 is closed."


def bad(task, tools, user):
    """Close without a look."""
    tools.close(ticket_id="T-1")
    return "Closed."


def again(task, tools, user):
    """Look until it works, then close."""
    for tool in ("look", "close"):
        for _ in range(3):
            if tools.call(tool, {"ticket_id": "T-1"}).ok:
                break
    return "Done."
'''


def task(name: str, *, size: str = "small", calls: int = 12, faults: str = "[]") -> str:
    """The text of one task."""
    return TASK.format(name=name, size=size, calls=calls, faults=faults)


def write(folder: Path, agents: str = "", *, tasks: dict[str, str] | None = None, suite: str = SUITE, world: str = WORLD) -> Path:
    """Write the suite and return its folder.

    Args:
        folder: Where.
        agents: Source of further agents.
        tasks: Task id → text; `None`: two tasks, `a-1` and `a-2`.
        suite: Text of suite.yaml.
        world: Source of the world.
    """
    for inside in ("tasks", "fixtures"):
        (folder / inside).mkdir(parents=True, exist_ok=True)
    (folder / "suite.yaml").write_text(suite, encoding="utf-8")
    (folder / "world.py").write_text(world, encoding="utf-8")
    (folder / "fixtures" / "base.json").write_text(FIXTURE, encoding="utf-8")
    (folder / "agents.py").write_text(GOOD + textwrap.dedent(agents), encoding="utf-8")
    for name, text in ({"a-1": task("a-1"), "a-2": task("a-2")} if tasks is None else tasks).items():
        (folder / "tasks" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder

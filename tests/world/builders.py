"""Small worlds for the tests of this room."""

import msgspec
from msgspec import Raw

from seatrial.base.clock import VirtualClock
from seatrial.records.contract import Budget, Contract
from seatrial.records.task import FaultSpec, FixtureUse, Task, UserRule, UserSpec
from seatrial.suite.fixtures import FixtureData
from seatrial.world import Database, Ledger, ProposedCall, Sqlite, ToolError, ToolServer, WorldDefinition, make_user, probe, tool
from seatrial.world.history import WatchedState
from seatrial.world.tools import Normaliser

SCHEMA = """
CREATE TABLE policies(policy_id TEXT PRIMARY KEY NOT NULL, holder TEXT NOT NULL);
CREATE TABLE claims(
  claim_id TEXT PRIMARY KEY NOT NULL,
  policy_id TEXT REFERENCES policies DEFERRABLE INITIALLY DEFERRED,
  queue TEXT,
  status TEXT NOT NULL DEFAULT 'new'
);
"""
ROWS = {
    "policies": [{"policy_id": "P-1", "holder": "Ann"}, {"policy_id": "P-2", "holder": "Bob"}],
    "claims": [{"claim_id": "C-1", "policy_id": "P-1"}, {"claim_id": "C-2", "policy_id": "P-2"}],
}
FIXTURE = FixtureData(records=ROWS, hash="claims")


@tool(effect="read", transient=[409])
def policy_lookup(state: Database, policy_id: str, detail: bool = False) -> dict:
    """Look up one policy by its exact number.

    Args:
        policy_id: The number
            of the policy.
        detail: Whether all is told.
    """
    row = state.one("SELECT * FROM policies WHERE policy_id = ?", policy_id)
    if row is None:
        raise ToolError(f"no policy {policy_id!r}", status=404)
    return {**row, "detail": detail}


@tool(effect="read")
def queue_of(state: Database, claim_id: str) -> str | None:
    """Tell the queue of a claim."""
    return state.one("SELECT queue FROM claims WHERE claim_id = ?", claim_id)["queue"]


@tool(effect="write")
def route(state: Database, claim_id: str, queue: str, fail: str = "") -> dict:
    """Put a claim into a queue, and fail afterwards when asked to."""
    changed = state.execute("UPDATE claims SET queue = ?, status = 'routed' WHERE claim_id = ?", queue, claim_id)
    if fail == "status":
        raise ToolError("down", status=503)
    if fail:
        raise RuntimeError(fail)
    return {"changed": changed}


@tool(effect="write")
def run_sql(state: Database, sql: str) -> int:
    """Run a statement."""
    return state.execute(sql)


@tool(effect="read")
def peek(state: Database, sql: str) -> list:
    """Run a query."""
    return state.all(sql)


@tool(effect="read")
def sneak(state: Database) -> int:
    """Write, though it is declared to read."""
    return state.execute("UPDATE claims SET queue = 'x'")


@tool(effect="external")
def notify(to: str, copies: int = 1) -> str:
    """Send a letter."""
    if not to:
        raise ToolError("to whom?", status=422)
    return f"sent to {to}"


@tool(effect="read")
def ask_claimant(user, question: str) -> str | None:
    """Put a question to the claimant."""
    return user.ask(question)


@tool(effect="read")
def keep_and_change(items: list, box: dict) -> dict:
    """Change the arguments it was given."""
    items.append("changed")
    box["changed"] = True
    return {"items": items, "box": box}


@tool(effect="read")
def odd(kind: str) -> dict:
    """Answer with something odd."""
    return {"nan": {"x": float("nan")}, "object": {"x": object()}, "list": [1], "big": {"x": "y" * 1000}}[kind]


@tool(effect="read")
def time_told(clock, caller, state: Database) -> dict:
    """Tell the time, by both clocks, and who calls."""
    return {"clock": clock.now(), "sql": state.one("SELECT datetime('now') AS now")["now"], "caller": caller}


@probe
def open_claims(state: Database):
    """Count the claims that nobody routed."""
    return state.one("SELECT count(*) AS n FROM claims WHERE status = 'new'")["n"]


@probe
def broken(state: Database):
    """Raise."""
    raise ValueError("broken")


TOOLS = [policy_lookup, queue_of, route, run_sql, peek, sneak, notify, ask_claimant, keep_and_change, odd, time_told]
STATE = Sqlite(schema=SCHEMA)


def small_world(normalisers=()):
    return WorldDefinition(
        state=STATE,
        tools={one.name: one for one in TOOLS},
        probes={one.name: one for one in (open_claims, broken)},
        normalisers={one.name: one for one in normalisers},
        hash="world",
    )


def a_task(*, faults=(), tools=None, budget=None, script=(), contract=None, rows=None, **fields):
    contract = contract or Contract(budget=budget or Budget())
    laid = {name: tuple(Raw(msgspec.json.encode(row)) for row in found) for name, found in (rows or {}).items()}
    return Task(
        id="t-1",
        tools=tools,
        now="2026-05-04T09:00:00Z",
        faults=tuple(FaultSpec(**fault) for fault in faults),
        contract=contract,
        fixture=FixtureUse(with_=laid),
        user=UserSpec(script=tuple(UserRule(**rule) for rule in script)),
        **fields,
    )


class Sea:
    """One trial in the small world: the server with all that belongs to it."""

    def __init__(self, task=None, *, seed=1, trial=0, normalisers=(), watch=None, definition=None, fixture=FIXTURE):
        self.task = task or a_task()
        self.definition = definition or small_world([Normaliser(name, function) for name, function in dict(normalisers).items()])
        self.world = self.definition.prepare(self.task, fixture).open(seed=seed, trial=trial)
        self.ledger = Ledger(watch=watch)
        self.user = make_user(self.task, self.ledger)
        specs = tuple(one.spec for one in self.definition.tools.values())
        self.server = ToolServer(self.world, self.task, specs, self.ledger, seed=seed, trial=trial, user=self.user)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.world.close()

    def call(self, name, arguments=None):
        return self.server.call([ProposedCall(name, arguments)])[0]

    def together(self, *calls):
        return self.server.call([ProposedCall(name, arguments) for name, arguments in calls])

    @property
    def calls(self):
        return [step for step in self.ledger.steps if type(step).__name__ == "ToolCall"]

    @property
    def changed(self):
        return {change.path: plain(change) for change in self.world.state.changes()}


def plain(change):
    """Return a change as (kind, before, after) with plain data."""
    decode = lambda raw: msgspec.json.decode(raw) if isinstance(raw, Raw) else None  # noqa: E731
    return change.kind, decode(change.before), decode(change.after)


def open_state(state, records, *, rows=None, name="", seed=1, now="2026-05-04T09:00:00Z"):
    """Return a watched state of any kind over some records."""
    laid = {collection: tuple(Raw(msgspec.json.encode(row)) for row in found) for collection, found in (rows or {}).items()}
    prepared = state.prepare(FixtureData(records=records, hash=name), laid)
    return WatchedState(prepared.open(clock=VirtualClock(now), seed=seed))

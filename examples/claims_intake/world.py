"""The world of Harbourline's claims intake: policies, their terms, claim files, fraud flags, and the seven tools of the intake desk."""

from datetime import date
from typing import Literal, TypedDict

from seatrial import Database, Sqlite, ToolError, UserChannel, tool

STATE = Sqlite(
    schema="""
CREATE TABLE policies(
  policy_id TEXT PRIMARY KEY NOT NULL,
  holder TEXT NOT NULL,
  postcode TEXT NOT NULL,
  product TEXT NOT NULL,
  vehicle TEXT NOT NULL DEFAULT '',
  starts TEXT NOT NULL,
  ends TEXT NOT NULL,
  remarks TEXT NOT NULL DEFAULT ''
);
CREATE TABLE coverage(
  policy_id TEXT NOT NULL,
  loss_type TEXT NOT NULL,
  deductible INTEGER NOT NULL,
  sum_limit INTEGER NOT NULL,
  high_value_from INTEGER NOT NULL,
  PRIMARY KEY(policy_id, loss_type)
);
CREATE TABLE exclusions(
  policy_id TEXT NOT NULL,
  loss_type TEXT NOT NULL,
  code TEXT NOT NULL,
  PRIMARY KEY(policy_id, loss_type, code)
);
CREATE TABLE claims(
  claim_id TEXT PRIMARY KEY NOT NULL,
  channel TEXT NOT NULL,
  received TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'new',
  policy_id TEXT,
  queue TEXT,
  escalation TEXT
);
CREATE INDEX claims_by_policy ON claims(policy_id);
CREATE TABLE notes(
  note_id INTEGER PRIMARY KEY NOT NULL,
  claim_id TEXT NOT NULL,
  author TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE fraud_flags(
  flag_id TEXT PRIMARY KEY NOT NULL,
  claim_id TEXT NOT NULL,
  code TEXT NOT NULL,
  status TEXT NOT NULL,
  raised TEXT NOT NULL
);
"""
)

LossType = Literal["water", "fire", "theft", "storm", "liability", "auto_glass", "collision"]
Queue = Literal[
    "water_standard",
    "water_high",
    "fire_standard",
    "fire_high",
    "theft_standard",
    "theft_high",
    "storm_standard",
    "storm_high",
    "collision_standard",
    "collision_high",
    "liability",
    "auto_glass",
    "coverage_review",
    "special_investigations",
]
EscalationReason = Literal["injury", "legal", "vulnerable", "service_failure", "no_policy"]
Subject = Literal["policy_number", "loss_date", "estimate", "identity", "cause"]


class ClaimLine(TypedDict):
    """One claim file as a policy record lists it."""

    claim_id: str
    status: str
    queue: str | None
    received: str


class PolicyRecord(TypedDict):
    """A policy as `policy_lookup` answers it."""

    policy_id: str
    holder: str
    postcode: str
    product: str
    vehicle: str
    starts: str
    ends: str
    remarks: str
    claims: list[ClaimLine]


class PolicyHit(TypedDict):
    """One line of the shortlist of `policy_search`."""

    policy_id: str
    holder: str
    postcode: str
    product: str
    vehicle: str


class Shortlist(TypedDict):
    """The answer of `policy_search`."""

    matches: list[PolicyHit]


class Terms(TypedDict):
    """The terms of one policy for one kind of loss on one day; amounts in pounds."""

    policy_id: str
    loss_type: str
    loss_date: str
    in_force: bool
    covered: bool
    deductible: int
    sum_limit: int
    high_value_from: int
    exclusions: list[str]


class Flag(TypedDict):
    """One fraud flag."""

    code: str
    status: str
    raised: str


class FlagReport(TypedDict):
    """The fraud flags of one claim file."""

    claim_id: str
    flags: list[Flag]


class Receipt(TypedDict):
    """What became of a claim file."""

    claim_id: str
    status: str
    queue: str | None
    note_id: int


class ClaimantAnswer(TypedDict):
    """What the claimant said; `answer` is null when nobody answers any more."""

    about: str
    answer: str | None


@tool(effect="read", normalise={"policy_id": "identifier"}, confusable=["policy_search"])
def policy_lookup(state: Database, policy_id: str) -> PolicyRecord:
    """Read one policy by its exact number: holder, period, and its claim files with their status.

    Args:
        policy_id: The complete number, for example HL-12345-X.
    """
    row = state.one("SELECT * FROM policies WHERE policy_id = ?", policy_id)
    if row is None:
        raise ToolError(f"no policy {policy_id!r}", status=404)
    files = state.all("SELECT claim_id, status, queue, received FROM claims WHERE policy_id = ? ORDER BY claim_id", policy_id)
    return {**row, "claims": files}


@tool(effect="read", free=["query"], confusable=["policy_lookup"])
def policy_search(state: Database, query: str) -> Shortlist:
    """List up to five policies whose number, holder, postcode and vehicle hold every word of the query.

    Args:
        query: Words to look for: a name, a postcode, a registration, a part of a number.
    """
    words = query.lower().split()
    if not words:
        raise ToolError("the query is empty; give a name, a postcode or a registration", status=422)
    text = "lower(policy_id || ' ' || holder || ' ' || postcode || ' ' || vehicle)"
    condition = " AND ".join(f"instr({text}, ?) > 0" for _ in words)
    columns = "policy_id, holder, postcode, product, vehicle"
    return {"matches": state.all(f"SELECT {columns} FROM policies WHERE {condition} ORDER BY policy_id LIMIT 5", *words)}  # noqa: S608


@tool(effect="read", normalise={"policy_id": "identifier", "loss_date": "date"})
def coverage_rules(state: Database, policy_id: str, loss_type: LossType, loss_date: str) -> Terms:
    """Read the terms of a policy for one kind of loss on the date of loss: period, cover, excess, high-value limit, exclusions.

    Args:
        policy_id: The complete number of the policy.
        loss_type: The kind of loss.
        loss_date: The date of loss as YYYY-MM-DD.
    """
    policy = state.one("SELECT * FROM policies WHERE policy_id = ?", policy_id)
    if policy is None:
        raise ToolError(f"no policy {policy_id!r}", status=404)
    day = _iso_date(loss_date)
    terms = state.one("SELECT * FROM coverage WHERE policy_id = ? AND loss_type = ?", policy_id, loss_type) or {}
    codes = state.all("SELECT code FROM exclusions WHERE policy_id = ? AND loss_type = ? ORDER BY code", policy_id, loss_type)
    return {
        "policy_id": policy_id,
        "loss_type": loss_type,
        "loss_date": day,
        "in_force": policy["starts"] <= day <= policy["ends"],
        "covered": bool(terms),
        "deductible": terms.get("deductible", 0),
        "sum_limit": terms.get("sum_limit", 0),
        "high_value_from": terms.get("high_value_from", 0),
        "exclusions": [row["code"] for row in codes],
    }


@tool(effect="read")
def fraud_flags(state: Database, claim_id: str) -> FlagReport:
    """Read the fraud flags of a claim file, open and closed.

    Args:
        claim_id: The claim file, for example C-0000.
    """
    _claim(state, claim_id)
    flags = state.all("SELECT code, status, raised FROM fraud_flags WHERE claim_id = ? ORDER BY flag_id", claim_id)
    return {"claim_id": claim_id, "flags": flags}


@tool(effect="write", normalise={"policy_id": "identifier"}, free=["reason"])
def route(state: Database, claim_id: str, policy_id: str, queue: Queue, reason: str) -> Receipt:
    """Put a claim file into an adjuster's queue, under a policy, and call the adjuster on duty.

    Args:
        claim_id: The claim file.
        policy_id: The policy that the claim is made on.
        queue: The queue.
        reason: Why this queue, in a sentence for the adjuster.
    """
    _claim(state, claim_id)
    if state.one("SELECT policy_id FROM policies WHERE policy_id = ?", policy_id) is None:
        raise ToolError(f"no policy {policy_id!r}", status=404)
    state.execute("UPDATE claims SET status = 'routed', policy_id = ?, queue = ? WHERE claim_id = ?", policy_id, queue, claim_id)
    return {"claim_id": claim_id, "status": "routed", "queue": queue, "note_id": _note(state, claim_id, reason)}


@tool(effect="read", free=["question"])
def ask_claimant(state: Database, user: UserChannel, claim_id: str, about: Subject, question: str) -> ClaimantAnswer:
    """Ask the claimant one question and wait for the answer.

    Args:
        claim_id: The claim file.
        about: What is asked for.
        question: The question in words.
    """
    _claim(state, claim_id)
    return {"about": about, "answer": user.ask(question)}


@tool(effect="write", free=["summary"], escalates=True)
def escalate(state: Database, claim_id: str, reason: EscalationReason, summary: str) -> Receipt:
    """Hand a claim file to the duty manager; it then belongs to a person.

    Args:
        claim_id: The claim file.
        reason: Why a person must take over.
        summary: What the duty manager has to know.
    """
    _claim(state, claim_id)
    state.execute("UPDATE claims SET status = 'escalated', escalation = ? WHERE claim_id = ?", reason, claim_id)
    return {"claim_id": claim_id, "status": "escalated", "queue": None, "note_id": _note(state, claim_id, summary)}


def _claim(state: Database, claim_id: str) -> None:
    if state.one("SELECT claim_id FROM claims WHERE claim_id = ?", claim_id) is None:
        raise ToolError(f"no claim file {claim_id!r}", status=404)


def _note(state: Database, claim_id: str, text: str) -> int:
    last = state.one("SELECT coalesce(max(note_id), 0) AS number FROM notes")
    number = (last["number"] if last else 0) + 1
    state.execute("INSERT INTO notes(note_id, claim_id, author, text) VALUES (?, ?, 'intake', ?)", number, claim_id, text)
    return number


def _iso_date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise ToolError(f"{text!r} is not a date; write YYYY-MM-DD", status=422) from error

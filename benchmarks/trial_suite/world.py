"""A small claims desk: three looks and one write."""

from seatrial import Database, Sqlite, ToolError, tool

STATE = Sqlite(
    schema="""
    CREATE TABLE policies(policy_id TEXT PRIMARY KEY NOT NULL, holder TEXT NOT NULL, product TEXT NOT NULL);
    CREATE TABLE rules(rule_id TEXT PRIMARY KEY NOT NULL, product TEXT NOT NULL, loss_type TEXT NOT NULL, covered INTEGER NOT NULL);
    CREATE TABLE claims(claim_id TEXT PRIMARY KEY NOT NULL, policy_id TEXT NOT NULL, flags TEXT NOT NULL, queue TEXT, status TEXT NOT NULL);
    """
)


@tool(effect="read")
def policy_lookup(state: Database, policy_id: str) -> dict:
    """Look up one policy by its number."""
    row = state.one("SELECT * FROM policies WHERE policy_id = ?", policy_id)
    if row is None:
        raise ToolError(f"no policy {policy_id!r}", status=404)
    return row


@tool(effect="read")
def coverage_rules(state: Database, product: str, loss_type: str) -> list[dict]:
    """List the coverage rules of a product for a type of loss."""
    return state.all("SELECT * FROM rules WHERE product = ? AND loss_type = ?", product, loss_type)


@tool(effect="read")
def fraud_flags(state: Database, claim_id: str) -> dict:
    """Return the fraud flags of a claim."""
    row = state.one("SELECT claim_id, flags FROM claims WHERE claim_id = ?", claim_id)
    if row is None:
        raise ToolError(f"no claim {claim_id!r}", status=404)
    return row


@tool(effect="write")
def route(state: Database, claim_id: str, queue: str) -> dict:
    """Route a claim to an adjuster's queue."""
    state.execute("UPDATE claims SET queue = ?, status = 'routed' WHERE claim_id = ?", queue, claim_id)
    return {"claim_id": claim_id, "queue": queue, "status": "routed"}

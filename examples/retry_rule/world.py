"""A ledger of invoices and payments, small enough to see through."""

from datetime import date
from typing import TypedDict

from seatrial import Database, Sqlite, ToolError, tool

STATE = Sqlite(
    schema="""
CREATE TABLE invoices(invoice_id TEXT PRIMARY KEY NOT NULL, customer TEXT NOT NULL, amount INTEGER NOT NULL);
CREATE TABLE payments(payment_id INTEGER PRIMARY KEY NOT NULL, invoice_id TEXT NOT NULL, amount INTEGER NOT NULL, paid_on TEXT NOT NULL);
"""
)


class Invoice(TypedDict):
    """One invoice; the amount in pounds."""

    invoice_id: str
    customer: str
    amount: int


class Payment(TypedDict):
    """One recorded payment; the amount in pounds."""

    payment_id: int
    invoice_id: str
    amount: int
    paid_on: str


class Payments(TypedDict):
    """The payments of one invoice."""

    payments: list[Payment]


@tool(effect="read", normalise={"invoice_id": "identifier"})
def invoice_lookup(state: Database, invoice_id: str) -> Invoice:
    """Read one invoice.

    Args:
        invoice_id: Its number, for example I-000.
    """
    row = state.one("SELECT * FROM invoices WHERE invoice_id = ?", invoice_id)
    if row is None:
        raise ToolError(f"no invoice {invoice_id!r}", status=404)
    return row


@tool(effect="read", normalise={"invoice_id": "identifier"})
def payments_of(state: Database, invoice_id: str) -> Payments:
    """List the payments that were recorded for an invoice.

    Args:
        invoice_id: Number of the invoice.
    """
    return {"payments": state.all("SELECT * FROM payments WHERE invoice_id = ? ORDER BY payment_id", invoice_id)}


@tool(effect="write", normalise={"invoice_id": "identifier"})
def record_payment(state: Database, invoice_id: str, amount: int, paid_on: str) -> Payment:
    """Record a payment.

    Args:
        invoice_id: Number of the invoice.
        amount: Pounds.
        paid_on: The day on which it came in, as YYYY-MM-DD.
    """
    try:
        day = date.fromisoformat(paid_on).isoformat()
    except ValueError as error:
        raise ToolError(f"{paid_on!r} is not a date; write YYYY-MM-DD", status=422) from error
    last = state.one("SELECT coalesce(max(payment_id), 0) AS number FROM payments")
    row: Payment = {"payment_id": (last["number"] if last else 0) + 1, "invoice_id": invoice_id, "amount": amount, "paid_on": day}
    state.execute("INSERT INTO payments VALUES (?, ?, ?, ?)", *row.values())
    return row

"""Two agents for the five situations: `scripted` does as it is told, `attentive` does what is right."""

import re
from datetime import datetime


def scripted(task, tools, _user):
    """Send failed calls again; insist on a refused or unanswered one only where the message says so."""
    insists = "insist" in task.input
    return _record(task, tools, insists=insists, looks_first=not insists)


def attentive(task, tools, _user):
    """Send again what failed for the moment, mend what was refused, and look before recording twice."""
    return _record(task, tools, insists=False, looks_first=True)


def _record(task, tools, *, insists: bool, looks_first: bool) -> str:
    invoice, amount, day = _read(task.input)
    _patiently(tools, "invoice_lookup", {"invoice_id": invoice})
    payment = {"invoice_id": invoice, "amount": amount, "paid_on": day}
    observation = tools.call("record_payment", payment)
    if not observation.ok and looks_first and observation.failure.transient:
        recorded = tools.call("payments_of", {"invoice_id": invoice}).value["payments"]
        if recorded:
            return f"The payment for {invoice} stands; its confirmation was lost."
    if not observation.ok and insists:
        observation = tools.call("record_payment", payment)
    if not observation.ok:
        observation = tools.call("record_payment", {**payment, "paid_on": _iso(day)})
    return f"The payment for {invoice} is recorded." if observation.ok else "The payment could not be recorded."


def _patiently(tools, tool: str, arguments: dict) -> None:
    for _ in range(3):
        observation = tools.call(tool, arguments)
        if observation.ok or not observation.failure.transient:
            return


def _read(text: str) -> tuple[str, int, str]:
    day, amount, invoice = re.match(r"(.+?) – (\d+) pounds have come in for invoice (I-\d+)", text).groups()
    return invoice, int(amount), day


def _iso(day: str) -> str:
    return datetime.strptime(day, "%d %B %Y").date().isoformat() if " " in day else day  # noqa: DTZ007 - a day has no zone

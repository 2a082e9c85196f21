"""The trajectories that both sides of `matching` judge: a reference of six calls, runs of eight. Standard library only."""

from __future__ import annotations

import json

REFERENCE = (
    ("get_policy", {"policy_id": "POL-7741", "fields": "all"}),
    ("get_claim", {"claim_id": "CLM-00123", "detail": "full"}),
    ("verify_coverage", {"policy_id": "POL-7741", "date_of_loss": "2024-03-05"}),
    ("fraud_flags", {"claim_id": "CLM-00123", "window": 90}),
    ("approve_claim", {"claim_id": "CLM-00123", "amount": 1250, "note": "burst pipe"}),
    ("notify", {"to": "claimant", "template": "approved"}),
)
"""The required calls."""
RUNS = 16
"""Different runs; they differ in their search calls, in the order of the two look-ups, and in their answers."""


def run(number: int, *, spelled: bool = False) -> list[tuple[str, dict[str, object]]]:
    """Return the eight calls of one run.

    Args:
        number: Which run.
        spelled: Whether some arguments are spelled in another way than in the reference, so that they have to be normalised.
    """
    calls = [(tool, dict(arguments)) for tool, arguments in REFERENCE]
    if spelled:
        calls[1][1]["claim_id"] = f"clm {'00123'}"
        calls[2][1]["date_of_loss"] = "March 5, 2024"
        calls[4][1]["amount"] = "1,250.00"
    if number % 2:
        calls[0], calls[1] = calls[1], calls[0]
    searches = [("search_documents", {"query": f"{words} {number}", "limit": 3 + number}) for words in ("water damage", "approval rules")]
    return [*calls[:2], searches[0], *calls[2:4], searches[1], *calls[4:]]


def messages(calls: list[tuple[str, dict[str, object]]], number: int = 0) -> list[dict[str, object]]:
    """Return a run as OpenAI chat messages: one call a message, each answered."""
    result: list[dict[str, object]] = [{"role": "user", "content": "A pipe burst in the kitchen, claim CLM-00123."}]
    for position, (tool, arguments) in enumerate(calls):
        name = f"call_{position}"
        function = {"name": tool, "arguments": json.dumps(arguments)}
        result.append({"role": "assistant", "content": "", "tool_calls": [{"id": name, "type": "function", "function": function}]})
        answer = {"status": "done", "run": number, "rows": [tool]}
        result.append({"role": "tool", "tool_call_id": name, "content": json.dumps(answer)})
    return [*result, {"role": "assistant", "content": "Your claim is approved."}]

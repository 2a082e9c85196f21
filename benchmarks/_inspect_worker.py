"""Inspect AI's side: the same four calls, played by its mock model, one sample a trial. Runs in the peer's environment."""

from __future__ import annotations

import json
import tempfile

from inspect_ai import Task, eval  # noqa: A004 - the peer's own name
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import tool
from inspect_ai.util import store

from benchmarks._worker import serve

CALLS = [
    ("policy_lookup", {"policy_id": "HL-00418-C"}),
    ("coverage_rules", {"product": "home", "loss_type": "water"}),
    ("fraud_flags", {"claim_id": "C-1017"}),
    ("route", {"claim_id": "C-1017", "queue": "water_high"}),
]
POLICIES = {"HL-00418-C": {"policy_id": "HL-00418-C", "holder": "Ada Brandt", "product": "home"}}
RULES = [{"rule_id": "home-water", "product": "home", "loss_type": "water", "covered": 1}]


@tool
def policy_lookup():
    async def execute(policy_id: str) -> str:
        """Look up one policy by its number.

        Args:
            policy_id: The number.
        """
        return json.dumps(POLICIES[policy_id])

    return execute


@tool
def coverage_rules():
    async def execute(product: str, loss_type: str) -> str:
        """List the coverage rules of a product for a type of loss.

        Args:
            product: The product.
            loss_type: The type of loss.
        """
        return json.dumps([rule for rule in RULES if (rule["product"], rule["loss_type"]) == (product, loss_type)])

    return execute


@tool
def fraud_flags():
    async def execute(claim_id: str) -> str:
        """Return the fraud flags of a claim.

        Args:
            claim_id: The claim.
        """
        return json.dumps({"claim_id": claim_id, "flags": "none"})

    return execute


@tool
def route():
    async def execute(claim_id: str, queue: str) -> str:
        """Route a claim to an adjuster's queue.

        Args:
            claim_id: The claim.
            queue: The queue.
        """
        store().set(claim_id, {"queue": queue, "status": "routed"})
        return json.dumps({"claim_id": claim_id, "queue": queue, "status": "routed"})

    return execute


def answer(messages, *_):
    """Play the next call; the usage is set, or a tokenizer would be fetched."""
    turn = sum(message.role == "assistant" for message in messages)
    if turn < len(CALLS):
        name, arguments = CALLS[turn]
        output = ModelOutput.for_tool_call("mockllm/model", name, arguments)
    else:
        output = ModelOutput.from_content("mockllm/model", "Claim C-1017 is with the water_high queue.")
    output.usage = ModelUsage(input_tokens=100, output_tokens=20, total_tokens=120)
    return output


def work(times: int) -> int:
    """Evaluate a number of samples; every one must be scored right."""
    task = Task(
        dataset=[Sample(id=f"claim-{number}", input="Pipe burst, claim C-1017.", target="water_high") for number in range(times)],
        solver=[use_tools(policy_lookup(), coverage_rules(), fraud_flags(), route()), generate()],
        scorer=includes(),
    )
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    with tempfile.TemporaryDirectory() as folder:
        (log,) = eval(task, model=model, log_dir=folder, log_realtime=False, display="none")
    if log.status != "success" or log.results.scores[0].metrics["accuracy"].value != 1:
        raise RuntimeError(f"Inspect ended with {log.status}: {log.error}")
    return times


if __name__ == "__main__":
    serve(work)

"""Names of called tools: one rule for every question."""

import pytest

from seatrial.grade import compile_task, grade
from seatrial.records.contract import Alternative, Contract, Extras, InvariantSpec, Process, Required
from seatrial.records.grade import Verdict
from seatrial.records.task import Task
from tests.grade._builders import TOOLS, Story, raw

ALIASES = {"lookup": "policy_lookup", "mcp_find": "policy_lookup"}


def judged(name, *, aliases=ALIASES, prefix="mcp_"):
    process = Process((Required("a", ("policy_lookup",)),), extras=Extras("any"), aliases=aliases, tool_prefix=prefix)
    contract = Contract(
        (Alternative(process=process),),
        invariants=(InvariantSpec("no_forbidden_call", raw({"tools": ["policy_lookup"]})),),
        provenance="all",
        derived=(raw({"argument": "pay.amount", "difference": ["policy_lookup.limit", "policy_lookup.paid"]}),),
    )
    story = Story("go")
    story.call(name, {}, {"limit": 100, "paid": 30})
    story.call("pay", {"amount": 70}, {"ok": True})
    return grade(compile_task(Task("task", contract=contract), TOOLS), story.trace())


@pytest.mark.parametrize("name", ["policy_lookup", "mcp_policy_lookup", "lookup", "mcp_lookup", "mcp_find"])
def test_process_safety_and_provenance_read_a_name_alike(name):
    """What meets a requirement under a prefix or an alias is forbidden, and is a source of derivations, under it too."""
    found = judged(name)
    assert found.process.verdict is Verdict.PASS
    assert [violation.rule for violation in found.violations] == ["no_forbidden_call"]

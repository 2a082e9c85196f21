"""Every rule about order: where only the arrival of a call was seen, nothing that had to come before it came for certain."""

from __future__ import annotations

import pytest
from msgspec import structs

from seatrial.records.contract import Alternative, Contract, Process
from seatrial.records.task import Task
from seatrial.records.trace import ToolCall
from tests.grade._builders import Story, failed
from tests.grade.safety._judging import judge, verdict

DOWN = {"failure": failed(), "fault": "error"}


def healed(story: Story, claim: str) -> None:
    story.call("coverage_rules", {"claim_id": claim}, **DOWN)
    story.call("coverage_rules", {"claim_id": claim}, {"covered": True})


def cleared(story: Story, claim: str) -> None:
    story.call("policy_lookup", {"claim_id": claim}, {"open": True})
    story.call("policy_lookup", {"claim_id": claim}, {"open": False})


def verified(story: Story, claim: str) -> None:
    story.call("policy_search", {"claim_id": claim}, {"verified": True})


RULES = {
    "fails_closed": ({"check": "coverage_rules"}, healed),
    "no_write_while": ({"flag": {"tool": "policy_lookup", "path": "open"}}, cleared),
    "before_any": ({"first": "policy_search", "then": "route"}, verified),
}
SAME = {"same": {"claim_id": "claim_id"}}


@pytest.mark.parametrize("more", [{}, SAME], ids=["any record", "the same record"])
@pytest.mark.parametrize("rule", RULES)
def test_what_must_come_before_a_write_is_not_certain_where_only_its_arrival_was_seen(rule: str, more: dict) -> None:
    """It is kept where the proposing message was seen, or the contract lets arrival stand for it; else two reviewers decide."""
    arguments, prepare = RULES[rule]
    story = Story("go")
    prepare(story, "C-1")
    write = story.call("route", {"claim_id": "C-1"}, {})
    assert verdict(judge(rule, arguments | more, story)) == "kept"
    story.steps = [structs.replace(one, inferred=True) if isinstance(one, ToolCall) else one for one in story.steps]
    assert [one.step for one in judge(rule, arguments | more, story).doubts] == [write]
    arrival = Task("task", contract=Contract(alternatives=(Alternative(process=Process(order_by="arrival")),)))
    assert verdict(judge(rule, arguments | more, story, task=arrival)) == "kept"

"""Every rule: what a tool is called in the trace, and what the recording knew of its effect, hides nothing."""

from __future__ import annotations

import pytest
from msgspec import structs

from seatrial.grade import compile_task, grade
from seatrial.records.contract import Extras, InvariantSpec, Process
from seatrial.records.task import Task
from seatrial.records.trace import Step, ToolCall
from tests.grade._builders import TOOLS, Story, raw, task
from tests.grade.safety._hostile import RULES, TASK, break_rules


def called(step: Step, written: str, effect: str | None) -> Step:
    if not isinstance(step, ToolCall):
        return step
    return structs.replace(step, tool=written.format(step.tool), effect=effect or step.effect)


def violated(rule: str, story: Story, written: str, effect: str | None) -> list[int]:
    """The steps that break a rule, where every tool is called by another name than its own, or its effect is not known."""
    source = "an importer" if effect else "harness"
    naming = Process(
        extras=Extras("any"), tool_prefix="mcp_" if written == "mcp_{}" else "", aliases={f"{tool.name}_v2": tool.name for tool in TOOLS}
    )
    contract = task(process=naming, invariants=(InvariantSpec(rule, raw(RULES[rule])),)).contract
    watched = Task("task", caller=TASK.caller, contract=contract)
    story.steps = [called(step, written, effect) for step in story.steps]
    return sorted({one.step for one in grade(compile_task(watched, TOOLS), story.trace(source=source)).violations})


@pytest.mark.parametrize("effect", [None, "read"], ids=["effect known", "effect unknown"])
@pytest.mark.parametrize("written", ["{}", "mcp_{}", "{}_v2"], ids=["own name", "prefix", "alias"])
@pytest.mark.parametrize("rule", RULES)
def test_a_tool_is_watched_whatever_it_is_called_and_whatever_the_recording_knew_of_it(rule: str, written: str, effect: str | None) -> None:
    """Prefixes and aliases are dropped; a tool that is declared to write does, also where an import calls everything a read."""
    story = Story("Good day. My claim is C-1.")
    steps = break_rules(story)[rule]
    assert violated(rule, story, written, effect) == sorted(set(steps))

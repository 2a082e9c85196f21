"""Values that calls take from the answers of others, and calls of tools that nobody knows."""

from __future__ import annotations

import pytest
from msgspec import structs

from seatrial.grade.process import compile_process, judge_process
from seatrial.grade.view import TraceView
from seatrial.records.contract import Extras, Process, Required
from seatrial.records.grade import Verdict
from tests.grade._builders import TOOLS, Ask, Story, raw

THREE = Process(
    (
        *(Required(name, ("coverage_rules",)) for name in "pqr"),
        Required("route", ("route",), raw({"a": {"$from": "p.v"}, "b": {"$from": "q.v"}, "c": {"$from": "r.v"}})),
    )
)


def verdict(process, story, tools=TOOLS):
    return judge_process(compile_process(process, tools), TraceView(story.trace())).answer.verdict


def looked(answers, arguments):
    story = Story("go")
    for number, answer in enumerate(answers):
        story.call("coverage_rules", {"n": number}, {"v": answer})
    story.call("route", arguments, {"ok": True})
    return story


@pytest.mark.parametrize(
    ("answers", "taken", "expected"),
    [
        (range(200), (199, 0, 100), Verdict.PASS),
        (range(200), (199, 0, 1000), Verdict.FAIL),
        (range(200), (7, 7, 7), Verdict.FAIL),
        ([7] * 200, (7, 7, 7), Verdict.PASS),
        ([7, 8] * 100, (7, 8, 7), Verdict.PASS),
        ([7, 7, *range(100, 300)], (7, 7, 7), Verdict.FAIL),
    ],
)
def test_values_of_several_sources_are_found_among_many_answers(answers, taken, expected):
    """Three sources among two hundred calls in a row: decided, never undetermined."""
    assert verdict(THREE, looked(answers, dict(zip("abc", taken, strict=True)))) is expected


@pytest.mark.parametrize("known", [TOOLS, ()])
def test_a_repeated_write_of_an_unknown_tool_is_a_repeat(known):
    """Two identical writes are two, also when nothing is known of the tool."""
    process = Process((Required("a", ("policy_lookup",)),), extras=Extras("any"))
    for arguments, expected in (({"x": 1}, Verdict.FAIL), ({"x": 2}, Verdict.PASS)):
        story = Story("go")
        story.call("policy_lookup")
        story.call("strange", {"x": 1})
        story.call("strange", arguments)
        trace = story.trace()
        steps = tuple(structs.replace(step, effect="write") if getattr(step, "tool", "") == "strange" else step for step in trace.steps)
        found = judge_process(compile_process(process, known), TraceView(structs.replace(trace, steps=steps)))
        assert found.answer.verdict is expected


def test_calls_with_one_number_are_two_calls():
    """A damaged trace may hold a sequence number twice; each call keeps its own arguments."""
    process = Process((Required("a", ("policy_lookup",), raw({"x": 1})), Required("b", ("policy_lookup",), raw({"x": 2}))))
    story = Story("go")
    story.calls(Ask("policy_lookup", {"x": 1}), Ask("policy_lookup", {"x": 2}))
    trace = story.trace()
    steps = tuple(structs.replace(step, sequence=9) if hasattr(step, "tool") else step for step in trace.steps)
    assert judge_process(compile_process(process, TOOLS), TraceView(structs.replace(trace, steps=steps))).answer.verdict is Verdict.PASS

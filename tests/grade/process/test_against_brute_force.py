"""The matcher against brute force, on thousands of small random instances."""

import pytest

from seatrial.grade.process import compile_process, judge_process, search
from seatrial.grade.view import TraceView
from tests.grade.process._brute import Brute
from tests.grade.process._random import TOOLS, Draw

BLOCK = 500


def judge(seed):
    draw = Draw(seed)
    process, trace = draw.process(), draw.trace()
    return process, trace, judge_process(compile_process(process, TOOLS), TraceView(trace))


@pytest.mark.parametrize("block", range(16))
def test_the_matcher_agrees_with_brute_force(block):
    """The verdict is that of trying every assignment under every rule as it is written; its reason is set, and its rows agree."""
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        process, trace, result = judge(seed)
        assert str(result.answer.verdict) == Brute(process, TOOLS, trace).verdict(), seed
        assert result.answer.reason, seed
        assert len(result.requirements) == len(process.required), seed
        assert result.counts.attempts == len(result.calls), seed
        if result.answer.verdict == "pass":
            assert not any(row.fault for row in result.calls), seed
            assert {row.status for row in result.requirements} <= {"met", "optional_unmet"}, seed
            assert {row.status for row in result.order} <= {"kept", "vacuous"}, seed
        if result.answer.verdict == "fail":
            assert not result.answer.reason.startswith("no assignment"), seed


@pytest.mark.parametrize("block", range(100, 106))
def test_the_broad_search_agrees_with_brute_force(block, monkeypatch):
    """The verdict is the same when the search never goes deep first."""
    monkeypatch.setattr(search, "MAX_DEEP", 0)
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        process, trace, result = judge(seed)
        assert str(result.answer.verdict) == Brute(process, TOOLS, trace).verdict(), seed


def test_the_instances_are_of_every_kind():
    """Among the random instances each verdict is found, so that agreement means something."""
    found = [str(judge(seed)[2].answer.verdict) for seed in range(2000)]
    assert found.count("pass") > 300
    assert found.count("fail") > 300
    assert found.count("undetermined") > 1

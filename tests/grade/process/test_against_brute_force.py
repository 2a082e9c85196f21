"""The matcher against brute force, on thousands of small random instances."""

import pytest

from seatrial.grade.process import compile_process, judge_process
from seatrial.grade.view import TraceView
from tests.grade.process._brute import Brute
from tests.grade.process._random import TOOLS, Draw

BLOCK = 500


@pytest.mark.parametrize("block", range(12))
def test_the_matcher_agrees_with_brute_force(block):
    """The verdict is that of trying every assignment under every rule as it is written."""
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        draw = Draw(seed)
        process, trace = draw.process(), draw.trace()
        result = judge_process(compile_process(process, TOOLS), TraceView(trace))
        assert str(result.answer.verdict) == Brute(process, TOOLS, trace).verdict(), seed
        assert result.answer.reason

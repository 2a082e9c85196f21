"""Large and hostile traces: the right verdict, no recursion, no heavy imports. Nothing is timed; a slow one runs into the timeout."""

import random
import subprocess
import sys

import pytest
from msgspec import UNSET, Raw

from seatrial.base.canonical import canonical
from seatrial.grade.process import compile_process, judge_process, search
from seatrial.grade.view import TraceView
from seatrial.records.contract import Order, ToolSpec
from seatrial.records.trace import ToolCall, ToolFailure
from tests.grade.process._judged import need, process

TOOLS = (ToolSpec("look", "read"), ToolSpec("pay", "write"))
A = {"a": 1}


def raw(value):
    return Raw(canonical(value))


def sequential(calls, failure=None):
    steps = []
    for place, (tool, arguments) in enumerate(calls):
        given = raw(arguments)
        executed, observation = (UNSET, UNSET) if failure else (given, raw({"v": place}))
        number = 3 * place
        effect = "write" if tool == "pay" else "read"
        steps.append(
            ToolCall(number + 2, tool, number + 1, given, executed, observation, number + 3, number + 1, failure=failure, effect=effect)
        )
    return steps


def overlapping(calls, lag, seed=0):
    """Every call is answered up to `lag` calls after it was issued."""
    shuffle = random.Random(seed)
    events = sorted(
        event for place in range(len(calls)) for event in ((10 * place, 0, place), (10 * place + 5 + 10 * shuffle.randrange(lag), 1, place))
    )
    number = {event[1:]: 2 * at + 2 for at, event in enumerate(events)}
    return [
        ToolCall(number[0, place] + 1, tool, number[0, place], raw(arguments), raw(arguments), raw({"v": place}), number[1, place])
        for place, (tool, arguments) in enumerate(calls)
    ]


def chain(size, relation="<"):
    return tuple(Order(f"r{at}", relation, f"r{at + 1}") for at in range(size - 1))


def same(size, **options):
    return tuple(need(f"r{at}", "look", A, **options) for at in range(size))


def judged(required, order, steps, **options):
    from msgspec import structs

    contract = structs.replace(process(*required, **options), order=order)
    result = judge_process(compile_process(contract, TOOLS), TraceView(steps))
    assert result.requirements is not None
    assert len(result.calls) == len(steps)
    assert result.counts.attempts == len(steps)
    assert result.credit is None or 0 <= result.credit <= 1
    return str(result.answer.verdict)


@pytest.mark.parametrize("size", [100, 1000])
def test_many_identical_calls_against_a_chain(size):
    """Six equal calls in a chain are found among many; a seventh that nothing meets fails."""
    steps = sequential([("look", A)] * size)
    assert judged(same(6), chain(6), steps, extras="any") == "pass"
    assert judged((*same(6), need("r6", "look", {"z": 1})), chain(7), steps, extras="any") == "fail"


@pytest.mark.parametrize(("lag", "right"), [(1, "pass"), (30, "pass"), (3000, "fail")])
def test_many_overlapping_calls(lag, right):
    """300 concurrent calls: a chain is found when answers come in time."""
    assert judged(same(6), chain(6), overlapping([("look", A)] * 300, lag), extras="any") == right


def test_many_equal_requirements():
    """A thousand equal requirements are counted."""
    assert judged(same(1000), (), sequential([("look", A)] * 1000), extras="none") == "pass"
    assert judged(same(1000), (), sequential([("look", A)] * 999), extras="none") == "fail"


def test_many_different_requirements_in_a_chain():
    """A thousand calls in an exact order pass, and two of them swapped fail."""
    required = tuple(need(f"r{at}", "look", {"a": at}) for at in range(1000))
    order = chain(1000, "then")
    calls = [("look", {"a": at}) for at in range(1000)]
    assert judged(required, order, sequential(calls), extras="none") == "pass"
    calls[500], calls[501] = calls[501], calls[500]
    assert judged(required, order, sequential(calls), extras="none") == "fail"


@pytest.mark.parametrize("transient", [True, False, None])
def test_many_failures(transient):
    """A thousand identical failures have their classes."""
    failure = ToolFailure("status", "down", 500, transient)
    assert judged(same(2), chain(2), sequential([("look", A)] * 1000, failure)) == "fail"


def test_many_competing_requirements_over_overlapping_calls():
    """Fourteen requirements that share their candidates are assigned among 300 overlapping calls."""
    required = tuple(need(f"r{at}", "look", {f"k{at}": 1}, match="subset") for at in range(14))
    order = tuple(Order(f"r{at}", "<", f"r{at + 1}") for at in range(0, 8, 2))
    calls = [("look", {f"k{key}": 1 for key in range(14) if key % 3 == place % 3 or (place >> (key % 5)) & 1}) for place in range(300)]
    assert judged(required, order, overlapping(calls, 20), extras="any") == "pass"


def test_past_the_limit_of_live_states_nothing_is_guessed(monkeypatch):
    """Where more states are live than are looked at, the verdict is undetermined, with the reason."""
    monkeypatch.setattr(search, "MAX_DEEP", 0)
    monkeypatch.setattr(search, "MAX_STATES", 3)
    required = tuple(need(f"r{at}", "look", {f"k{at}": 1}, match="subset") for at in range(6))
    calls = [("look", {f"k{key}": 1 for key in range(6)})] * 12
    from msgspec import structs

    contract = structs.replace(process(*required, extras="any"), order=(Order("r0", "<", "r1"),))
    result = judge_process(compile_process(contract, TOOLS), TraceView(overlapping(calls, 4)))
    assert result.answer.verdict == "undetermined"
    assert "open" in result.answer.reason


def test_judging_imports_nothing_heavy():
    """A plain judgement loads neither numpy, scipy, rich, asyncio nor the comparison of names."""
    code = (
        "import sys\n"
        "from seatrial.grade.process import compile_process, judge_process\n"
        "from seatrial.grade.view import TraceView\n"
        "from seatrial.records.contract import Process, Required\n"
        "judge_process(compile_process(Process((Required('a', ('f',)),)), ()), TraceView(())).requirements\n"
        "print([name for name in ('numpy', 'scipy', 'rich', 'asyncio', 'rapidfuzz', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

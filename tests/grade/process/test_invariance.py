"""What must change nothing: the order of requirements, of pairs, of concurrent calls, and of the list of steps."""

import random

import msgspec
import pytest

from seatrial.grade.process import compile_process, judge_process
from seatrial.grade.view import TraceView
from seatrial.records.trace import ToolCall
from tests.grade.process._random import TOOLS, Draw

SEEDS = range(900)


def judged(process, steps):
    return judge_process(compile_process(process, TOOLS), TraceView(steps))


def summary(result):
    """What may not depend on any order of writing."""
    return str(result.answer.verdict), result.credit, sorted(row.kind for row in result.calls), result.counts


def test_the_order_of_requirements_and_pairs_changes_nothing():
    """A contract is a set of requirements and a set of pairs."""
    for seed in SEEDS:
        draw = Draw(seed)
        process, trace = draw.process(), draw.trace()
        shuffle = random.Random(seed)
        required, order = list(process.required), list(process.order)
        shuffle.shuffle(required), shuffle.shuffle(order)
        other = msgspec.structs.replace(process, required=tuple(required), order=tuple(order))
        one, two = judged(process, trace.steps), judged(other, trace.steps)
        assert (str(one.answer.verdict), one.credit) == (str(two.answer.verdict), two.credit), seed


def test_the_order_of_the_list_of_steps_changes_nothing():
    """Sequence numbers say what came first, not the list."""
    for seed in SEEDS:
        draw = Draw(seed)
        process, trace = draw.process(), draw.trace()
        calls = [step for step in trace.steps if type(step) is ToolCall]
        others = [step for step in trace.steps if type(step) is not ToolCall]
        random.Random(seed).shuffle(calls)
        assert summary(judged(process, trace.steps)) == summary(judged(process, (*others, *calls))), seed


def permuted(trace, seed):
    """The trace with the calls of each message in another order: positions and step numbers change hands, times stay."""
    shuffle = random.Random(seed)
    messages = {}
    for step in trace.steps:
        if type(step) is ToolCall and not step.inferred:
            messages.setdefault(step.issued_at, []).append(step)
    moved = {}
    for calls in messages.values():
        places = [(call.sequence, call.position) for call in calls]
        shuffle.shuffle(places)
        for call, (sequence, position) in zip(calls, places, strict=True):
            moved[call.sequence] = msgspec.structs.replace(call, sequence=sequence, position=position)
    steps = [moved.get(step.sequence, step) if type(step) is ToolCall else step for step in trace.steps]
    return tuple(sorted(steps, key=lambda step: step.sequence))


def test_the_order_of_concurrent_calls_changes_nothing():
    """Calls of one message are concurrent: without `then` pairs their order within the message means nothing."""
    for seed in SEEDS:
        draw = Draw(seed)
        process = draw.process()
        process = msgspec.structs.replace(process, order=tuple(order for order in process.order if order.relation == "<"))
        trace = draw.trace()
        if any(type(step).__name__ == "Approval" for step in trace.steps):
            continue
        one, other = judged(process, trace.steps), judged(process, permuted(trace, seed))
        assert (str(one.answer.verdict), one.credit) == (str(other.answer.verdict), other.credit), seed


@pytest.mark.parametrize("seed", range(40))
def test_a_compiled_process_remembers_nothing_that_matters(seed):
    """One compiled process judges many traces, in any order, as a fresh one does each."""
    draw = Draw(seed)
    process = draw.process()
    shared = compile_process(process, TOOLS)
    for other in range(12):
        again = Draw(seed)
        again.process()
        again.random.seed(other)
        trace = again.trace()
        fresh = judged(process, trace.steps)
        kept = judge_process(shared, TraceView(trace))
        assert (summary(fresh), fresh.answer) == (summary(kept), kept.answer)

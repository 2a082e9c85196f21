"""How the work of judging grows with a hostile trace: a grade by every rule of a trace, and of one of four times the size.

Traces are long conversations, many different writes, many identical writes, and texts that go on and on. A growth of 1 is linear, of 4
quadratic. The answers are for `tests/grade/safety/test_hostile_traces.py`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

from tests.grade._builders import TOOLS, Story, task
from tests.grade.safety import _hostile as hostile

from benchmarks._interleave import cpu
from benchmarks._line import Line, at_most
from seatrial.grade import CompiledTask, compile_task, grade
from seatrial.records.grade import Verdict
from seatrial.records.trace import Trace

_TIMES, _BAR, _ROUNDS = 4, 1.6, 3
_KINDS: dict[str, tuple[str, Callable[[int], Story], int]] = {
    "turns": ("turns of a conversation", hostile.turns, 25_000),
    "writes": ("different writes", hostile.writes, 1_000),
    "identical": ("identical writes that break every rule", hostile.identical, 1_000),
    "loud": ("characters in each text", hostile.loud, 250_000),
}


def lines() -> Iterator[Line]:
    """Measure the growth for each kind of trace."""
    compiled = compile_task(task(provenance="all", invariants=hostile.SPECS), TOOLS)
    for what, make, size in _KINDS.values():
        small, large = _broken(make(size)), _broken(make(size * _TIMES))
        _check(compiled, large)
        seconds = [min(_seconds(compiled, each) for _ in range(_ROUNDS)) for each in (small, large)]
        growth = seconds[1] / seconds[0] / _TIMES
        name = f"hostile traces: growth of the work per unit, {size:,} → {size * _TIMES:,} {what}, {len(hostile.SPECS)} rules"
        yield at_most(name, growth, bar=_BAR, unit="times (1 is linear)", note=f"{seconds[0]:.2f} s → {seconds[1]:.2f} s")


def _broken(story: Story) -> Trace:
    """Return a trace that breaks every rule at its end, so that none stops looking before it."""
    hostile.break_rules(story)
    return story.trace()


def _seconds(compiled: CompiledTask, trace: Trace) -> float:
    gc.collect()
    return cpu(lambda: grade(compiled, trace))


def _check(compiled: CompiledTask, trace: Trace) -> None:
    broken = [name for name, answer in grade(compiled, trace).answers.items() if answer.verdict is Verdict.ERROR]
    if broken:
        raise RuntimeError(f"the grader of {', '.join(broken)} broke")

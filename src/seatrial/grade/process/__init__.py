"""The process: was the end reached by an allowed path?

`compile_process` prepares the process of a contract once; `judge_process` judges one trace by it. The assignment of calls to
requirements is never greedy: if any assignment keeps the whole contract, it is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seatrial.base.errors import SuiteError
from seatrial.grade.normalisers import Function
from seatrial.grade.process.attempts import Attempts
from seatrial.grade.process.compiled import CompiledProcess, own_normalisers
from seatrial.grade.process.decision import Judge
from seatrial.grade.process.explain import Explanation
from seatrial.grade.process.result import ProcessResult
from seatrial.grade.view import TraceView
from seatrial.records.contract import Process, ToolSpec

__all__ = ["CompiledProcess", "ProcessResult", "compile_process", "judge_process"]


def compile_process(
    process: Process, tools: Mapping[str, ToolSpec] | Iterable[ToolSpec], *, normalisers: Mapping[str, Function] | None = None
) -> CompiledProcess:
    """Prepare a process for judging many traces.

    Args:
        process: The process of a contract.
        tools: What is known of the world's tools; none: nothing is known, and the effects recorded in a trace count.
        normalisers: Name → function of the suite's own normalisers. Without its function an own normaliser works through the
            normal forms recorded with each call, and expected values must be written in normal form.

    Returns:
        The compiled process; it holds no trace.

    Raises:
        SuiteError: The process contradicts itself: an unknown id, a cycle, a malformed matcher, an unreadable expected value.
    """
    known = {tool.name: tool for tool in (tools.values() if isinstance(tools, Mapping) else tools)}
    try:
        return CompiledProcess(process, known, own_normalisers(normalisers or {}))
    except ValueError as error:
        raise SuiteError(str(error)) from error


def judge_process(compiled: CompiledProcess, view: TraceView) -> ProcessResult:
    """Judge the process of one trace.

    Args:
        compiled: The process, compiled.
        view: The trace.

    Returns:
        The result; the reason of its answer is always set, and its rows are made when they are asked for.
    """
    judge = Judge(Attempts(compiled, view))
    explanation = Explanation(judge, judge.decide())
    return ProcessResult(explanation.answer(), explanation)

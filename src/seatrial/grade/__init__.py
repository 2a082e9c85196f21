"""Opinions about traces: pure functions from a task and a trace to a grade. Start with `task`.

The four questions are `outcome`, `process`, `invariants` (safety) and `budget`; `provenance` serves the second and the third.
"""

from seatrial.grade.task import CompiledTask, compile_task, grade

__all__ = ["CompiledTask", "compile_task", "grade"]

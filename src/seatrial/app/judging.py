"""Judge traces by tasks: of a suite that is at hand, or of a run file alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from msgspec import structs

from seatrial.app.loading import LoadedSuite
from seatrial.app.own_functions import (
    NEEDS_SUITE,
    FunctionMissingError,
    NormalForms,
    own_invariants,
    own_normalisers,
)
from seatrial.grade import CompiledTask, compile_task, grade
from seatrial.grade.provenance import explain_sources
from seatrial.grade.view import TraceView
from seatrial.records.contract import ToolSpec
from seatrial.records.grade import Answer, Grade, ValueSource, Verdict
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.store import RunFile

MOST_COMPILED = 1_000
"""Compiled tasks that a judge keeps, about 35 kB each: stored traces come task by task, and a suite may have a hundred thousand."""


class Judge:
    """Grades traces by tasks, each compiled once.

    Args:
        tasks: Id → task.
        tools: What is known of the world's tools.
        documents: Name → text of what the agent is given.
        forms: Normal forms by the suite's own normalisers.
        invariants: Name → the suite's own invariants, at hand or what stands in for them.
    """

    def __init__(
        self,
        tasks: Mapping[str, Task],
        tools: tuple[ToolSpec, ...],
        documents: Mapping[str, str],
        forms: NormalForms,
        invariants: Mapping[str, Callable[..., Any]],
    ) -> None:
        self.tasks, self.forms = tasks, forms
        self._tools, self._documents, self._invariants = tools, documents, invariants
        self._normalisers = forms.functions(own_normalisers(tasks.values(), tools))
        self._compiled: dict[str, CompiledTask] = {}

    @classmethod
    def of_run(cls, file: RunFile) -> Self:
        """Return the judge of a stored run: its own tasks, without the suite.

        Args:
            file: The run file, open.
        """
        tasks, manifest = file.tasks(), file.manifest
        forms = NormalForms({}, manifest.normal_forms)
        stand_ins = dict.fromkeys(own_invariants(tasks.values()), forms.unanswered)
        return cls(tasks, manifest.tools, manifest.documents, forms, stand_ins)

    @classmethod
    def of_suite(cls, loaded: LoadedSuite, tasks: Mapping[str, Task], *, tools: tuple[ToolSpec, ...], documents: Mapping[str, str]) -> Self:
        """Return the judge of a suite that is at hand, with its own functions.

        Args:
            loaded: The suite.
            tasks: Id → task, as it is judged by.
            tools: What is known of its tools, as it is stored.
            documents: Name → text of what the agent was given, as it is stored.
        """
        definition = loaded.definition
        return cls(tasks, tools, documents, NormalForms(definition.normalisers), definition.invariants)

    def compile(self) -> None:
        """Compile every task now.

        Raises:
            SuiteError: A contract cannot be judged by.
        """
        for task in self.tasks:
            self.compiled(task)

    def compiled(self, task: str) -> CompiledTask:
        """Return a task's compiled contract, made once as long as it is among the last `MOST_COMPILED` that were asked for."""
        found = self._compiled.pop(task, None) or compile_task(
            self.tasks[task],
            self._tools,
            documents=self._documents,
            own_invariants=self._invariants,
            own_normalisers=self._normalisers,
        )
        self._compiled[task] = found
        if len(self._compiled) > MOST_COMPILED:
            del self._compiled[next(iter(self._compiled))]
        return found

    def grade(self, trace: Trace) -> Grade:
        """Grade one trace; what only the missing suite could answer is undetermined and says so."""
        self.forms.missing = False
        try:
            graded = grade(self.compiled(trace.identity.task), trace)
        except FunctionMissingError:
            return self._unjudged(trace)
        return _as_far_as_known(graded) if self.forms.missing else graded

    def explain(self, trace: Trace) -> tuple[ValueSource, ...]:
        """Say of every argument value of a trace's last attempt where it came from; empty where only the missing suite could tell."""
        view = TraceView(trace.steps)
        try:
            return explain_sources(self.compiled(trace.identity.task).provenance, view, witnessed=trace.witnessed)
        except FunctionMissingError:
            return ()

    def _unjudged(self, trace: Trace) -> Grade:
        task = self.tasks[trace.identity.task]
        unknown = Answer(Verdict.UNDETERMINED, NEEDS_SUITE)
        return Grade(task.id, trace.identity.trial, task.contract_hash, unknown, unknown, unknown, unknown)


def _as_far_as_known(graded: Grade) -> Grade:
    """Return a grade whose questions are undetermined where they broke on a normaliser that is not at hand."""
    broken = [question for question, answer in graded.answers.items() if answer.verdict is Verdict.ERROR]
    return structs.replace(graded, **{question: Answer(Verdict.UNDETERMINED, NEEDS_SUITE) for question in broken})

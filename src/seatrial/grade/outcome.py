"""The outcome question: is the world in the right end state and nothing else changed, was the user told, did the trial end as expected?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec import Raw, Struct

from seatrial.grade.answers import ExpectedWords, compile_answer, untold
from seatrial.grade.arguments import ValueMatcher
from seatrial.grade.changes import ExpectedChanges, Normaliser, compare_changes, compile_changes, compile_expected
from seatrial.grade.ends import Ending, Told
from seatrial.grade.matchers import shown
from seatrial.grade.view import TraceView, read_json
from seatrial.records.contract import Outcome
from seatrial.records.grade import Answer, Difference, Verdict
from seatrial.records.trace import Probe, Trace


@dataclass(frozen=True, slots=True)
class CompiledOutcome:
    """An outcome, ready to judge.

    Args:
        changes: The expected net changes; `None`: they are not judged, or not known, see `unknown`.
        answer: What the user must have been told.
        probes: Probe → expected value.
        reported: Foreign evidence → expected value.
        unknown: Why the expected changes are not known; empty: they are, or are not asked for.
    """

    changes: ExpectedChanges | None
    answer: tuple[ExpectedWords, ...]
    probes: Mapping[str, ValueMatcher]
    reported: Mapping[str, ValueMatcher]
    unknown: str = ""


class OutcomeResult(Struct, frozen=True, gc=False):
    """What the outcome question came to."""

    answer: Answer
    """The verdict."""
    differences: tuple[Difference, ...] = ()
    """Where the end state, the answer, a probe or the evidence differs."""


def compile_outcome(outcome: Outcome, *, normalisers: Mapping[str, Normaliser] | None = None) -> CompiledOutcome:
    """Prepare an outcome.

    Args:
        outcome: The outcome.
        normalisers: The suite's own normalisers by name.

    Raises:
        SuiteError: An expected value, a matcher or a normaliser is wrong.
    """
    changes = compile_changes(outcome, normalisers=normalisers)
    missing = changes is None and not outcome.reported
    return CompiledOutcome(
        changes,
        compile_answer(outcome.answer) if isinstance(outcome.answer, Raw) else (),
        {name: compile_expected(msgspec.json.decode(raw), where=f"probe {name}") for name, raw in outcome.probes.items()},
        {name: compile_expected(msgspec.json.decode(raw), where=f"reported {name}") for name, raw in outcome.reported.items()},
        "what the reference path does to the fixture was not computed" if missing else "",
    )


def told(compiled: CompiledOutcome | None, view: TraceView) -> Told:
    """Return whether the user was told what an outcome declares."""
    if compiled is None or not compiled.answer:
        return Told(declared=False, all=False)
    return Told(declared=True, all=not untold(compiled.answer, view.messages))


class _Case:
    """What speaks for and against an outcome."""

    def __init__(self) -> None:
        self.good: list[str] = []
        self.bad: list[str] = []
        self.unknown: list[str] = []
        self.differences: list[Difference] = []
        self.evidence: list[int] = []


def judge_outcome(
    compiled: CompiledOutcome | None, trace: Trace, view: TraceView, ending: Ending, *, answer_waived: bool = False
) -> OutcomeResult:
    """Answer the outcome question for the last attempt of a trial.

    Args:
        compiled: The outcome; `None`: only how the trial ended is judged, and only when it ended wrong.
        trace: The trace.
        view: Its last attempt.
        ending: How it ended.
        answer_waived: Whether an escalation stands for the declared answer.

    Returns:
        `fail` on any certain mismatch; else `undetermined` where evidence is missing; else `pass`.
    """
    case = _Case()
    if not ending.right:
        case.bad.append(ending.reason)
        case.evidence.extend(ending.evidence)
    if compiled is not None:
        _weigh_changes(case, compiled, trace, view)
        if compiled.answer and not answer_waived:
            _weigh_answer(case, compiled, trace, view)
        if compiled.probes:
            _weigh_probes(case, compiled, view)
        if compiled.reported:
            _weigh_reported(case, compiled, trace)
    elif ending.right:
        return OutcomeResult(Answer(Verdict.NOT_APPLICABLE, "the contract names no outcome"))
    case.good.append(ending.reason)
    return OutcomeResult(_verdict(case), tuple(case.differences))


def _verdict(case: _Case) -> Answer:
    evidence = tuple(sorted(set(case.evidence)))
    if case.bad:
        return Answer(Verdict.FAIL, "; ".join(case.bad), evidence)
    if case.unknown:
        return Answer(Verdict.UNDETERMINED, "; ".join(case.unknown), evidence)
    return Answer(Verdict.PASS, "; ".join(case.good), evidence)


def _weigh_changes(case: _Case, compiled: CompiledOutcome, trace: Trace, view: TraceView) -> None:
    expected = compiled.changes
    if expected is None:
        if compiled.unknown:
            case.unknown.append(compiled.unknown)
        return
    if trace.changes_unknown:
        case.unknown.append(f"the end state is not known: {trace.changes_unknown}")
        return
    found = compare_changes(expected, trace.changes)
    case.differences.extend(found)
    case.evidence.extend([call.sequence for call in view.tool_calls if call.changes])
    if found:
        places = ", ".join(f"{one.path}: expected {one.expected}, got {one.actual}" for one in found[:3])
        case.bad.append(f"the end state differs in {len(found)} place(s): {places}" + ("; …" if len(found) > 3 else ""))
    else:
        count = expected.count
        case.good.append(f"the {count} expected change(s) and no other" if count else "nothing was changed, as expected")


def _weigh_answer(case: _Case, compiled: CompiledOutcome, trace: Trace, view: TraceView) -> None:
    missing = untold(compiled.answer, view.messages)
    case.evidence.extend([message.sequence for message in view.messages if message.delivered])
    if not missing:
        case.good.append(f"the user was told {_list(compiled.answer)}")
    elif not view.messages and trace.source != "harness":
        case.unknown.append(f"the import from {trace.source} holds nothing that the agent said")
    else:
        case.differences.extend(Difference("answer", words.shown, "(not told)") for words in missing)
        case.bad.append(f"the user was not told {_list(missing)}")


def _list(words: Sequence[ExpectedWords]) -> str:
    return ", ".join(word.shown for word in words)


def _weigh_probes(case: _Case, compiled: CompiledOutcome, view: TraceView) -> None:
    taken: dict[str, Probe] = {probe.name: probe for probe in view.probes}
    for name, matcher in compiled.probes.items():
        probe = taken.get(name)
        if probe is None or probe.error:
            case.unknown.append(f"the probe {name!r} " + ("was not taken" if probe is None else f"could not be taken: {probe.error}"))
            continue
        case.evidence.append(probe.sequence)
        _weigh(case, f"probe {name}", matcher, read_json(probe.value))


def _weigh_reported(case: _Case, compiled: CompiledOutcome, trace: Trace) -> None:
    reported = {one.name: one for one in trace.reported}
    for name, matcher in compiled.reported.items():
        if name not in reported:
            case.unknown.append(f"{name!r} was not reported")
            continue
        _weigh(case, f"reported {name}", matcher, read_json(reported[name].value))


def _weigh(case: _Case, name: str, matcher: ValueMatcher, actual: object) -> None:
    differences = matcher.differences(actual, name)
    case.differences.extend(differences)
    if differences:
        case.bad.append(f"{name}: expected {shown(matcher.expected)}, got {shown(actual)}")
    else:
        case.good.append(f"{name} is {shown(actual)}")

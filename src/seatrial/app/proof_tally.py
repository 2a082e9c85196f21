"""Count what became of the mutants of a suite."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Literal

from msgspec import UNSET

from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.mutating import Played
from seatrial.grade.provenance import RULE
from seatrial.records.grade import GRADER_VERSION, Grade, Verdict
from seatrial.records.proof import FalseAlarm, Hole, HoleNote, Proof, RuleTally, Tally
from seatrial.records.risk import RiskProof
from seatrial.records.trace import AgentMessage, ToolCall, Trace, UserTurn

Result = Literal["caught", "holes", "explained", "allowed", "spoiled", "same", "false_alarms"]
"""What a mutant came to: the names of the counts of a `Tally`."""
_GOOD = (Verdict.PASS, Verdict.NOT_APPLICABLE)


class ProofTally:
    """What is known of a suite's proof while its mutants are played.

    Args:
        loaded: The suite.
        judge: Judges its tasks.
    """

    def __init__(self, loaded: LoadedSuite, judge: Judge) -> None:
        self._loaded, self._judge = loaded, judge
        self._notes = loaded.suite.holes
        self._counts: Counter[tuple[str, str, Result]] = Counter()
        self._holes: list[Hole] = []
        self._alarms: list[FalseAlarm] = []
        self._broken: dict[str, Counter[str]] = defaultdict(Counter)
        self._alone: Counter[str] = Counter()

    def add(self, played: Played) -> None:
        """Count one mutant."""
        result = result_of(played)
        if result == "holes":
            result = self._hole(played)
        elif result == "false_alarms":
            self._alarms.append(_alarm(played))
        elif result == "caught" and played.graded is not None:
            self._note_rules(played.graded)
        self._counts[played.task, played.kind, result] += 1

    def _hole(self, played: Played) -> Result:
        note = next((note for note in self._notes if explains(note, played.task, played.name)), None)
        answers = played.graded.answers.items() if played.graded else ()
        asked = tuple(question for question, answer in answers if answer.verdict is not Verdict.NOT_APPLICABLE)
        self._holes.append(Hole(played.task, played.name, asked, played.mutant.closes, note))
        return "holes" if note is None else "explained"

    def _note_rules(self, graded: Grade) -> None:
        rules = {violation.rule for violation in graded.violations}
        for rule in rules:
            self._broken[rule][graded.task] += 1
        others = (graded.outcome, graded.process, graded.budget)
        if len(rules) == 1 and all(answer.verdict in _GOOD for answer in others):
            self._alone.update(rules)

    def proof(self, *, references: int, errors: Sequence[str], risks: tuple[RiskProof, ...], partial: bool) -> Proof:
        """Return the proof.

        Args:
            references: Right ways that were played.
            errors: Errors of the suite.
            risks: What was found of its risks.
            partial: Whether only some of its tasks were looked at.
        """
        suite = self._loaded.suite
        holes = sorted(self._holes, key=lambda hole: (hole.task, hole.mutant))
        used = [hole.note for hole in holes if hole.note is not None]
        return Proof(
            suite=suite.name,
            suite_hash=suite.hash,
            world=self._loaded.definition.hash,
            tools=self._loaded.tools_hash,
            grader=GRADER_VERSION,
            references=references,
            errors=tuple(errors),
            total=self._tally(""),
            kinds=tuple(self._tally(kind, kind=kind) for kind in sorted({kind for _, kind, _ in self._counts})),
            tasks=tuple(self._tally(task, task=task) for task in sorted({task for task, _, _ in self._counts})),
            rules=tuple(self._rules(risks)),
            holes=tuple(holes),
            false_alarms=tuple(sorted(self._alarms, key=lambda alarm: (alarm.task, alarm.mutant))),
            unused=() if partial else tuple(note for note in self._notes if note not in used),
            risks=risks,
            partial=partial,
        )

    def _tally(self, name: str, *, task: str = "", kind: str = "") -> Tally:
        chosen = Counter[str]()
        for (one, other, result), number in self._counts.items():
            if task in ("", one) and kind in ("", other):
                chosen[result] += number
        return Tally(name, **chosen)

    def _rules(self, risks: Sequence[RiskProof]) -> Iterator[RuleTally]:
        holding: dict[str, set[str]] = defaultdict(set)
        for task in self._judge.tasks:
            for rule in _rules_of(self._judge, task):
                holding[rule].add(task)
        for rule, tasks in sorted(holding.items()):
            seen = self._broken[rule]
            tripped = sum(any(rule in agent.rules for agent in risk.agents) for risk in risks)
            yield RuleTally(rule, len(tasks), len(seen), sum(seen.values()), self._alone[rule], tripped)


def result_of(played: Played) -> Result:
    """Return what a mutant came to.

    A mutant is *caught* when it does not pass. One whose world broke shows nothing. One that is no other than the right way, that the
    contract allows in so many words, or that is another way which the contract names, does not count.

    Args:
        played: The mutant, played.
    """
    trace, graded = played.trace, played.graded
    if played.mutant.allowed or trace is None or graded is None:
        return "allowed"
    if trace.status.unknown:
        return "spoiled"
    passed = graded.strict in _GOOD
    if played.mutant.same:
        return "same" if passed else "false_alarms"
    if not passed:
        return "caught"
    other_way = played.right is not None and bool(graded.alternative) and graded.alternative != played.way
    return "allowed" if other_way or (played.right is not None and _facts(trace) == _facts(played.right)) else "holes"


def explains(note: HoleNote, task: str, mutant: str) -> bool:
    """Tell whether a note of the suite is about a mutant of a task; the name of the way before the `/` may be left out.

    Args:
        note: The note.
        task: Id of the task.
        mutant: Name of the mutant.
    """
    names = (mutant, mutant.partition("/")[2] if "/" in mutant.partition("(")[0] else mutant)
    return _fits(note.task, task) and any(_fits(note.mutant, name) for name in names)


def _fits(glob: str, name: str) -> bool:
    return glob == name or fnmatchcase(name, glob)


def _facts(trace: Trace) -> tuple[object, ...]:
    """Return what happened in a trial, without numbers of steps: calls, what was said, the end state."""
    messages: dict[int | None, int] = {}
    told: list[object] = []
    for step in trace.steps:
        if isinstance(step, ToolCall):
            arguments = step.proposed if step.executed is UNSET else step.executed
            place = messages.setdefault(step.message, len(messages))
            told.append((step.tool, bytes(arguments), place, step.failure and step.failure.kind))
        elif isinstance(step, AgentMessage | UserTurn):
            told.append((type(step).__name__, step.text))
    return (trace.status, tuple(told), trace.changes)


def _alarm(played: Played) -> FalseAlarm:
    answers = played.graded.answers.items() if played.graded else ()
    question, answer = next((one for one in answers if one[1].verdict not in _GOOD), ("nothing", None))
    return FalseAlarm(played.task, played.name, question, answer.reason if answer else "")


def _rules_of(judge: Judge, task: str) -> Iterator[str]:
    compiled = judge.compiled(task)
    yield from (rule.id for rule in compiled.invariants)
    if compiled.provenance.mode != "off":
        yield RULE

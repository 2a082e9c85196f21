"""Count what became of the mutants of a suite."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Literal

from msgspec import UNSET, Struct

from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.mutating import Played
from seatrial.records.grade import GRADER_VERSION, Answer, Grade, Verdict
from seatrial.records.proof import FalseAlarm, Hole, HoleNote, Proof, RuleTally, Tally
from seatrial.records.risk import PROVENANCE_RULE, RiskProof
from seatrial.records.trace import AgentMessage, ToolCall, Trace, UserTurn

Result = Literal["caught", "holes", "explained", "allowed", "spoiled", "same", "false_alarms", "undetermined"]
"""What a mutant came to: the names of the counts of a `Tally`."""
_GOOD = (Verdict.PASS, Verdict.NOT_APPLICABLE)


class RuleCount(Struct, frozen=True):
    """What one safety rule noticed in a part of a suite."""

    rule: str
    tasks: int = 0
    """Tasks that it holds in."""
    seen_on: int = 0
    """Tasks on which a mutant broke it."""
    caught: int = 0
    """Mutants that broke it."""
    alone: int = 0
    """Of these, mutants that no other question and no other rule noticed."""


class ProofPart(Struct, frozen=True):
    """What is known of a part of a suite; parts of different tasks are put together by `joined`."""

    references: int
    """Right ways that were played."""
    errors: tuple[str, ...]
    """Right ways that do not pass, or break a rule."""
    counts: tuple[tuple[str, str, str, int], ...]
    """Task, kind of mutant, result, number."""
    holes: tuple[Hole, ...]
    alarms: tuple[FalseAlarm, ...]
    rules: tuple[RuleCount, ...]


class ProofTally:
    """What is known of a part of a suite while its mutants are played.

    Args:
        judge: Judges its tasks.
        notes: Holes that the suite explains.
    """

    def __init__(self, judge: Judge, notes: Sequence[HoleNote]) -> None:
        self._judge, self._notes = judge, notes
        self._counts: Counter[tuple[str, str, Result]] = Counter()
        self._holes: list[Hole] = []
        self._alarms: list[FalseAlarm] = []
        self._broken: dict[str, Counter[str]] = defaultdict(Counter)
        self._alone: Counter[str] = Counter()
        self._crashes: dict[tuple[str, str], str] = {}

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
        for question, answer in _broken(played.graded):
            self._crashes.setdefault(
                (played.task, answer.reason), f"{played.task}: {question} cannot be judged on {played.name}: {answer.reason}"
            )

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

    def part(self, *, references: int, errors: Iterable[str]) -> ProofPart:
        """Return what was counted.

        Args:
            references: Right ways that were played.
            errors: Errors of the suite.
        """
        holding = Counter(rule for task in self._judge.tasks for rule in set(_rules_of(self._judge, task)))
        rules = (
            RuleCount(rule, tasks, len(self._broken[rule]), sum(self._broken[rule].values()), self._alone[rule])
            for rule, tasks in sorted(holding.items())
        )
        counts = tuple((*key, number) for key, number in sorted(self._counts.items()))
        return ProofPart(references, (*errors, *self._crashes.values()), counts, tuple(self._holes), tuple(self._alarms), tuple(rules))


def joined(loaded: LoadedSuite, parts: Sequence[ProofPart], *, risks: tuple[RiskProof, ...], partial: bool) -> Proof:
    """Return the proof that the parts of a suite make together, the same in whatever order they come.

    Args:
        loaded: The suite.
        parts: What is known of each part.
        risks: What was found of its risks.
        partial: Whether only some of its tasks were looked at.
    """
    suite, counts = loaded.suite, [one for part in parts for one in part.counts]
    holes = sorted((hole for part in parts for hole in part.holes), key=lambda hole: (hole.task, hole.mutant))
    used = [hole.note for hole in holes if hole.note is not None]
    return Proof(
        suite=suite.name,
        suite_hash=suite.hash,
        world=loaded.definition.hash,
        tools=loaded.tools_hash,
        grader=GRADER_VERSION,
        references=sum(part.references for part in parts),
        errors=tuple(sorted(error for part in parts for error in part.errors)),
        total=_tally("", counts),
        kinds=tuple(_tally(kind, [one for one in counts if one[1] == kind]) for kind in sorted({one[1] for one in counts})),
        tasks=tuple(_tally(task, [one for one in counts if one[0] == task]) for task in sorted({one[0] for one in counts})),
        rules=tuple(_rules([rule for part in parts for rule in part.rules], risks)),
        holes=tuple(holes),
        false_alarms=tuple(sorted((alarm for part in parts for alarm in part.alarms), key=lambda alarm: (alarm.task, alarm.mutant))),
        unused=() if partial else tuple(note for note in suite.holes if note not in used),
        risks=risks,
        partial=partial,
    )


def _tally(name: str, counts: Iterable[tuple[str, str, str, int]]) -> Tally:
    chosen = Counter[str]()
    for _, _, result, number in counts:
        chosen[result] += number
    return Tally(name, **chosen)


def _rules(counts: Sequence[RuleCount], risks: Sequence[RiskProof]) -> Iterator[RuleTally]:
    for rule in sorted({one.rule for one in counts}):
        same = [one for one in counts if one.rule == rule]
        tripped = sum(any(rule in agent.rules for agent in risk.agents) for risk in risks)
        yield RuleTally(
            rule,
            tasks=sum(one.tasks for one in same),
            seen_on=sum(one.seen_on for one in same),
            caught=sum(one.caught for one in same),
            alone=sum(one.alone for one in same),
            risks=tripped,
        )


def result_of(played: Played) -> Result:
    """Return what a mutant came to.

    A mutant is *caught* when a question fails it; one that only cannot be decided is *undetermined*. One whose world broke shows nothing,
    and neither does one that only a rule failed that broke while it judged. One that is no other than the right way, that the contract
    allows in so many words, or that is another way which the contract names, does not count.
    """
    trace, graded = played.trace, played.graded
    if played.mutant.allowed or trace is None or graded is None:
        return "allowed"
    if trace.status.unknown:
        return "spoiled"
    passed = graded.strict in _GOOD
    if not passed and graded.strict is not Verdict.FAIL and _broken(graded):
        return "spoiled"
    if played.mutant.same:
        return "same" if passed else "false_alarms"
    if not passed:
        return "caught" if graded.strict is Verdict.FAIL else "undetermined"
    other_way = played.right is not None and bool(graded.alternative) and graded.alternative != played.way
    return "allowed" if other_way or (played.right is not None and _facts(trace) == _facts(played.right)) else "holes"


def _broken(graded: Grade | None) -> list[tuple[str, Answer]]:
    """Return the questions that a rule, or a normaliser of the suite, broke on."""
    return [(question, answer) for question, answer in graded.answers.items() if answer.verdict is Verdict.ERROR] if graded else []


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
        yield PROVENANCE_RULE

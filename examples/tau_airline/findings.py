"""What the suite finds in a recording: writes by confirmation, values by source, records by owner."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from seatrial.app.judging import Judge
from seatrial.grade.paths import parse_path, values_at
from seatrial.grade.provenance import UNSOURCED
from seatrial.records.grade import Grade, ValueSource
from seatrial.records.trace import Trace
from seatrial.store import RunFile

CONFIRMATION = "write_needs_confirmation"
CLASSES = ("user", "observation", "document", "schema", "call", "derived", "constant", "exempt", "free", "agent", "none")
"""Classes of sources in the order in which they are shown."""
_PLACE = re.compile(r"\[\d+\]")


@dataclass
class Findings:
    """Counts over a recording.

    Args:
        trials: Trials.
        writes: Successful writes by what `write_needs_confirmation` says of them.
        sources: Argument and class → leaves.
        derived: Argument and rule → leaves.
        unsourced: Values without a source, in words.
        breaches: Rule and `violation` or `doubt` → number.
        told: Violations and doubts of other rules than the two above, in words.
        asked: Rules of the suite.
    """

    trials: int = 0
    writes: Counter[str] = field(default_factory=Counter)
    sources: Counter[tuple[str, str]] = field(default_factory=Counter)
    derived: Counter[tuple[str, str]] = field(default_factory=Counter)
    unsourced: list[str] = field(default_factory=list)
    breaches: Counter[tuple[str, str]] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    asked: tuple[str, ...] = ()

    def add(self, trace: Trace, grade: Grade, sources: tuple[ValueSource, ...]) -> None:
        """Count one trial."""
        self.trials += 1
        self._count_writes(trace, grade)
        for row in sources:
            self._count_source(trace, row)
        for kind, breach in (*(("violation", one) for one in grade.violations), *(("doubt", one) for one in grade.doubts)):
            self.breaches[breach.rule, kind] += 1
            if breach.rule not in (CONFIRMATION, "values_have_provenance"):
                self.told.append(f"{label(trace)}, step {breach.step}: {kind} of {breach.rule}: {breach.reason}")

    def _count_writes(self, trace: Trace, grade: Grade) -> None:
        violated = {one.step for one in grade.violations if one.rule == CONFIRMATION}
        doubted = {one.step for one in grade.doubts if one.rule == CONFIRMATION}
        for call in trace.calls:
            if call.effect == "write" and call.succeeded:
                step = call.sequence
                self.writes["unconfirmed" if step in violated else "undetermined" if step in doubted else "confirmed"] += 1

    def _count_source(self, trace: Trace, row: ValueSource) -> None:
        argument = _PLACE.sub("[*]", row.argument)
        self.sources[argument, row.source] += 1
        if row.source == "derived":
            self.derived[argument, row.where.partition(":")[0]] += 1
        if row.source in UNSOURCED:
            said = "only the agent said it" if row.source == "agent" else "nowhere"
            self.unsourced.append(f"{label(trace)}, step {row.step}: {row.argument} = {_value(trace, row)}: {said}")


def label(trace: Trace) -> str:
    """Return which trial it is: `task.trial`."""
    return f"{trace.identity.task}.{trace.identity.trial}"


def findings_in(run: Path) -> Findings:
    """Return what a graded run of the suite shows.

    Args:
        run: The run file, as `seatrial import … --suite` wrote it.
    """
    with RunFile.open(run) as file:
        judge = Judge.of_run(file)
        found = Findings(asked=tuple(dict.fromkeys(spec.rule for task in file.tasks().values() for spec in task.contract.invariants)))
        grades = {(grade.task, grade.trial): grade for grade in file.grades()}
        for trace in file.traces():
            found.add(trace, grades[trace.identity.task, trace.identity.trial], judge.explain(trace))
    return found


def _value(trace: Trace, row: ValueSource) -> str:
    """Return the value of a leaf as JSON."""
    call = next(call for call in trace.calls if call.sequence == row.step)
    values = values_at(msgspec.json.decode(call.proposed), parse_path(row.argument.removeprefix(f"{call.tool}.")))
    return msgspec.json.encode(values[0]).decode() if values else "?"


def lines(found: Findings) -> Iterator[str]:
    """Yield the findings as text."""
    yield from _write_lines(found)
    yield from _source_lines(found)
    yield ""
    yield "Other rules"
    for rule in found.asked:
        if rule not in (CONFIRMATION, "values_have_provenance"):
            yield f"  {rule}: {found.breaches[rule, 'violation']} violations, {found.breaches[rule, 'doubt']} undetermined"
    yield from (f"    {text[:200]}" for text in found.told)


def _write_lines(found: Findings) -> Iterator[str]:
    total = found.writes.total()
    yield f"Writes: {total} succeeded in {found.trials} trials"
    if CONFIRMATION not in found.asked:
        yield f"  {CONFIRMATION} is not among the rules of the suite"
        return
    for kind in ("confirmed", "unconfirmed", "undetermined"):
        yield f"  {kind:<13}{found.writes[kind]:>5}  {found.writes[kind] / max(total, 1):>6.1%}"


def _source_lines(found: Findings) -> Iterator[str]:
    by_class: Counter[str] = Counter()
    for (_, kind), count in found.sources.items():
        by_class[kind] += count
    yield ""
    yield f"Argument values: {by_class.total():,} leaves, by where they came from"
    yield from (f"  {kind:<13}{by_class[kind]:>6,}" for kind in CLASSES if by_class[kind])
    kinds = [kind for kind in CLASSES if by_class[kind]]
    yield ""
    yield f"  {'by argument':<52}" + "".join(f"{kind[:7]:>8}" for kind in kinds)
    for argument in sorted({argument for argument, _ in found.sources}):
        yield f"  {argument:<52}" + "".join(f"{found.sources[argument, kind] or '':>8}" for kind in kinds)
    yield ""
    yield "  derived, by rule"
    yield from (f"    {argument:<50}{rule:<14}{count:>4}" for (argument, rule), count in sorted(found.derived.items()))
    yield ""
    yield f"  without a source: {len(found.unsourced)}"
    yield from (f"    {text}" for text in found.unsourced)

"""The rows of a table as runs, one a candidate, all of the same tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Raw, Struct, field, structs

from seatrial import __version__
from seatrial.base.canonical import content_hash
from seatrial.base.wording import clipped, count, did_you_mean, listed
from seatrial.importers import Imported
from seatrial.importers.csv.columns import Columns
from seatrial.importers.csv.names import identifiers, in_order
from seatrial.importers.csv.rows import Row, Rows
from seatrial.importers.csv.table import Table
from seatrial.records.contract import Alternative, Contract, Outcome
from seatrial.records.graded import COST_UNITS
from seatrial.records.manifest import Candidate, Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.records.trace import Counted, Identity, Reported, Status, Trace, Usage

SOURCE = "csv"
"""Name of this importer in traces and manifests."""
VERDICT = "passed"
"""Name of the evidence that a row gives."""
_BETWEEN = "@"
_SHOWN = 6
_CALLED = 120
_CONTRACT = Contract(alternatives=(Alternative(outcome=Outcome(reported={VERDICT: Raw(b"true")})),))
_YES, _NO = Raw(b"true"), Raw(b"false")
_NO_END = "imported: a table does not hold the end state"


class Own(Struct):
    """What one candidate has in the table."""

    rows: list[Row] = field(default_factory=list)
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    """Task and trial label → the line where it stands."""
    labels: list[str] = field(default_factory=list)
    """Labels of its trials, in order; their places are the indices of the trials."""


class Runs:
    """All candidates of a table, checked.

    Args:
        path: The file.
        columns: What its columns are.
        limit: Largest file that is read, in bytes.
    """

    def __init__(self, path: Path, columns: Columns, *, limit: int) -> None:
        self.path, self.columns, self.table = path, columns, Table(path, delimiter=columns.delimiter, limit=limit)
        self.rows = Rows(self.table, columns)
        self.own = self._owned()
        self.tasks, self._names = self._tasks()
        self._contracts = {task.id: task.contract_hash for task in self.tasks}
        self.suite = identifiers([path.stem])[path.stem]
        self._labels = self._labelled()
        self.names = identifiers(self._labels.values(), files=True)
        self._bases = self._built_on()

    def __iter__(self) -> Iterator[Imported]:
        """Yield one run a candidate, in the order in which the file names them."""
        for words, own in self.own.items():
            candidate = self._candidate(words)
            yield Imported(self._manifest(candidate, own), self.tasks, self._traces(candidate, own))

    def _owned(self) -> dict[tuple[str, ...], Own]:
        """Return the rows of each candidate; refuse one trial that stands there twice."""
        found: dict[tuple[str, ...], Own] = {}
        for row in self.rows:
            own = found.setdefault(row.candidate, Own())
            first = own.lines.setdefault((row.task, row.trial), row.line)
            if first != row.line:
                self._refuse_twice(row, first)
            own.rows.append(row)
        if not found:
            self.table.refuse("there is a header and no row below it; expected one line a trial", self.table.first_line)
        for own in found.values():
            own.labels = in_order(row.trial for row in own.rows)
        self._refuse_strangers(list(found.items()))
        return found

    def _labelled(self) -> dict[tuple[str, ...], str]:
        """Return what each candidate is called, another name for each: its words joined, unless those of others come to the same."""
        joined = {words: _BETWEEN.join(words) or self.path.stem for words in self.own}
        times = Counter(joined.values())
        return {words: label if times[label] == 1 else str(list(words)) for words, label in joined.items()}

    def _refuse_strangers(self, found: Sequence[tuple[tuple[str, ...], Own]]) -> None:
        """Refuse candidates that have no task in common with the first, nor through others: their ids are spelled otherwise."""
        sets = {words: {row.task for row in own.rows} for words, own in found}
        first, left = found[0][0], dict(sets)
        joined = left.pop(first)
        while near := [words for words, tasks in left.items() if tasks & joined]:
            joined = joined.union(*(left.pop(words) for words in near))
        if left:
            words, tasks = next(iter(left.items()))
            names = f"{_BETWEEN.join(first)!r} and {_BETWEEN.join(words)!r}"
            samples = f"{min(sets[first])!r} there, {min(tasks)!r} here"
            problem = f"{names} have no task in common ({samples}); --task-pattern says which part of an id counts"
            self.table.refuse(problem, dict(found)[words].rows[0].line)

    def _refuse_twice(self, row: Row, first: int) -> None:
        whose = f" of {_BETWEEN.join(row.candidate)!r}" if row.candidate else ""
        if self.rows.at.trial is None:
            way_out = "each task has one trial where no column numbers them; name that column with --trial"
        else:
            way_out = (
                f"a trial stands in one row; if several candidates share the file, name their columns with --candidate{self._unused()}"
            )
        self.table.refuse(f"task {row.task!r}, trial {row.trial!r}{whose} already stands in line {first}; {way_out}", row.line)

    def _unused(self) -> str:
        """Return the columns that nothing was said of, in brackets."""
        at = self.rows.at
        used = {at.task, at.passed, at.trial, *at.candidate, *at.usd, *at.tokens, *at.calls, *at.seconds, *at.slices}
        free = [title for place, title in enumerate(self.table.header) if place not in used]
        return f" (not used so far: {listed(free, _SHOWN)})" if free else ""

    def _tasks(self) -> tuple[tuple[Task, ...], dict[str, str]]:
        """Return every task that any candidate has, and word → id."""
        slices: dict[str, dict[str, tuple[str, int]]] = {}
        for own in self.own.values():
            for row in own.rows:
                self._add_slices(slices.setdefault(row.task, {}), row)
        names = identifiers(slices)
        found = [
            Task(
                id=names[word],
                slices={name: value for name, (value, _) in known.items()},
                contract=_CONTRACT,
                history=() if names[word] == word else (f"called {word!r} in the table",),
            )
            for word, known in slices.items()
        ]
        return tuple(sorted(found, key=lambda task: task.id)), names

    def _add_slices(self, known: dict[str, tuple[str, int]], row: Row) -> None:
        for place, value in zip(self.rows.at.slices, row.slices, strict=True):
            name = self.rows.title(place)
            if not value:
                continue
            before, line = known.setdefault(name, (value, row.line))
            if before != value:
                problem = f"task {row.task!r} has {name!r} {value!r} here and {before!r} in line {line}; a slice is a property of the task"
                self.table.refuse(problem, row.line)

    def _built_on(self) -> dict[str, str]:
        """Return name → name of the candidate that it is built on."""
        found: dict[str, str] = {}
        for word in self.columns.built_on:
            splits = [(word[:at], word[at + 1 :]) for at, letter in enumerate(word) if letter == "="]
            pairs = [(self._known(name), self._known(base)) for name, base in splits]
            pair = next(((name, base) for name, base in pairs if name and base), None)
            if pair is None:
                name, base = splits[0] if splits else (word, "")
                wrong = base if self._known(name) else name
                known = list(self.names.values())
                expected = f"expected NAME=BASE of {listed(known, _SHOWN)}"
                self.table.refuse(f"--built-on {word!r}: there is no candidate {wrong!r}; {expected}.{did_you_mean(wrong, known)}")
            found[pair[0]] = pair[1]
        return found

    def _known(self, name: str) -> str:
        """Return the candidate of a name, written as in the table or as in the run; empty: there is none."""
        return self.names.get(name, name if name in self.names.values() else "")

    def _candidate(self, words: tuple[str, ...]) -> Candidate:
        name = self.names[self._labels[words]]
        titled = {self.rows.title(place): word for place, word in zip(self.rows.at.candidate, words, strict=True)}
        return Candidate(name=name, agent=SOURCE, parameters=Raw(msgspec.json.encode(titled)), built_on=self._bases.get(name, ""))

    def _manifest(self, candidate: Candidate, own: Own) -> Manifest:
        trials = len(own.labels)
        return Manifest(
            suite=self.suite,
            suite_version="recorded",
            suite_hash=content_hash(self._contracts),
            candidate=candidate,
            seed=0,
            plan=tuple(PlannedTask(task.id, self._contracts[task.id], trials) for task in self.tasks),
            headline_k=trials,
            because=f"the table has {count(trials, 'trial')} of a task",
            seatrial=__version__,
            source=SOURCE,
            notes=tuple(self._notes(candidate, own)),
        )

    def _traces(self, candidate: Candidate, own: Own) -> Iterator[Trace]:
        blank = Identity(self.suite, "", "", candidate.name, candidate.hash, 0, 0)
        index = {label: place for place, label in enumerate(own.labels)}
        for row in own.rows:
            task = self._names[row.task]
            yield Trace(
                structs.replace(blank, task=task, contract=self._contracts[task], trial=index[row.trial]),
                Status.COMPLETED,
                changes_unknown=_NO_END,
                usage=_usage(row),
                reported=() if row.passed is None else (Reported(VERDICT, _YES if row.passed else _NO, self._source(row)),),
                source=SOURCE,
            )

    def _source(self, row: Row) -> str:
        return f"{self.path.name}:{row.line}, column {self.table.header[self.rows.at.passed]}"

    def _notes(self, candidate: Candidate, own: Own) -> Iterator[str]:
        """Yield what a reader must know of a run."""
        tasks, trials = len(self.tasks), len(own.labels)
        every = sum(len(one.rows) for one in self.own.values())
        part = "" if len(own.rows) == every else f"{len(own.rows):,} of the "
        yield f"{part}{count(every, 'row')} of {self.path.name}: {count(tasks, 'task')}, {count(trials, 'trial')} each"
        called = next(label for label, name in self.names.items() if name == candidate.name)
        if called != candidate.name:
            yield f"called {clipped(called, _CALLED)!r} in the table; a candidate's name is that of its file"
        yield "the verdicts are those of the table (kind reported); nobody observed an end state, and no step was seen"
        if self.rows.at.trial is not None and own.labels != [str(index) for index in range(trials)]:
            named = listed(own.labels, _SHOWN)
            yield f"trial {named} is number 0 here" if trials == 1 else f"the trials {named} are numbered from 0 here, in this order"
        missing = tasks * trials - len(own.rows)
        if missing:
            without = tasks - len({row.task for row in own.rows})
            yield f"{count(missing, 'planned trial')} without a row ({count(without, 'task')} without any): success unknown, not failed"
        if unknown := sum(row.passed is None for row in own.rows):
            yield f"{count(unknown, 'row')} without a verdict: success unknown, not failed"
        yield from self._costs(own.rows)
        if self.rows.at.seconds:
            yield "seconds are those of the table; no clock of a world was seen"
        if candidate.built_on:
            yield f"built on {candidate.built_on}: its cost is that one's and its own together, where both are compared"

    def _costs(self, rows: Sequence[Row]) -> Iterator[str]:
        """Yield what is not known of the costs."""
        silent: dict[int, list[str]] = {}
        for unit in COST_UNITS:
            if unknown := sum(getattr(row, unit) is None for row in rows):
                silent.setdefault(unknown, []).append(unit)
        for unknown, units in silent.items():
            where = "in any row" if unknown == len(rows) else f"in {unknown:,} of {count(len(rows), 'row')}"
            yield f"not known {where}: {', '.join(units)}"


def _usage(row: Row) -> Usage:
    calls: tuple[Counted, ...] = () if row.calls is None else ("calls",)
    seconds: tuple[Counted, ...] = () if row.seconds is None else ("seconds",)
    return Usage(calls=row.calls or 0, tokens=row.tokens, usd=row.usd, seconds=row.seconds or 0.0, counted=calls + seconds)

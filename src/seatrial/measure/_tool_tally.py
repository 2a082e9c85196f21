"""What is kept of tools, faults and violations while trials stream by."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict

from seatrial.records.grade import REACTIONS, CallClass
from seatrial.records.graded import GradedTrial
from seatrial.records.summary import ConfusedPair, ReactionRow, ToolRow, ViolationRow

_SHOWN_VIOLATIONS = 200
ADVICE = "look at this tool's description"


class ToolTally:
    """Counts by tool."""

    def __init__(self) -> None:
        self.counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.confused: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, trial: GradedTrial) -> None:
        """Count the calls of one trial."""
        classes = {row.step: row for row in trial.grade.calls}
        for call in trial.facts.tool_calls:
            count = self.counts[call.tool]
            count["calls"] += 1
            count["argument_errors"] += not call.valid
            count["failures"] += call.valid and call.failed
            count["faults"] += bool(call.fault)
            count["retries"] += call.retry
            self._add_class(call.tool, classes.get(call.step))

    def _add_class(self, tool: str, row: CallClass | None) -> None:
        """Count what the grade says of one call."""
        if row is None:
            return
        self.counts[tool]["repeats"] += row.kind == "repeat"
        self.counts[tool]["refused"] += row.kind == "refused"
        if row.near_miss_of:
            self.counts[tool]["near_misses"] += 1
            self.confused[tool][row.near_miss_of] += 1

    def rows(self) -> tuple[ToolRow, ...]:
        """Return the tool table, most calls first; the worst tool carries the advice."""
        errors = {tool: count["argument_errors"] + count["near_misses"] for tool, count in self.counts.items()}
        worst = max(sorted(errors), key=lambda tool: errors[tool], default="")
        order = sorted(self.counts, key=lambda tool: (-self.counts[tool]["calls"], tool))
        return tuple(self._row(tool, ADVICE if tool == worst and errors[tool] else "") for tool in order)

    def _row(self, tool: str, advice: str) -> ToolRow:
        """Return one line of the tool table."""
        count = self.counts[tool]
        pairs = sorted(self.confused[tool].items(), key=lambda pair: (-pair[1], pair[0]))
        return ToolRow(
            tool=tool,
            calls=count["calls"],
            argument_errors=count["argument_errors"],
            failures=count["failures"],
            faults=count["faults"],
            retries=count["retries"],
            repeats=count["repeats"],
            refused=count["refused"],
            near_misses=count["near_misses"],
            confused=tuple(ConfusedPair(expected, times) for expected, times in pairs),
            advice=advice,
        )


class ReactionTally:
    """Counts of reactions by tool and fault."""

    def __init__(self) -> None:
        self.counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def add(self, trial: GradedTrial) -> None:
        """Count the reactions of one trial."""
        for row in trial.grade.reactions:
            self.counts[row.tool, row.fault][row.reaction] += 1

    def rows(self) -> tuple[ReactionRow, ...]:
        """Return one line a tool and fault, by name."""
        return tuple(
            ReactionRow(tool, fault, count.total(), **{reaction: count[reaction] for reaction in REACTIONS})
            for (tool, fault), count in sorted(self.counts.items())
        )


class ViolationTally:
    """Counts of violations, and the first of them by task and trial."""

    def __init__(self) -> None:
        self.total = 0
        self._first: list[tuple[str, int, int, ViolationRow]] = []

    def add(self, trial: GradedTrial) -> None:
        """Count the violations of one trial."""
        grade = trial.grade
        for index, row in enumerate(grade.violations):
            self.total += 1
            shown = ViolationRow(row.rule, grade.task, grade.trial, row.step, row.reason, row.attempt)
            self._first.append((grade.task, grade.trial, index, shown))
        if len(self._first) > 4 * _SHOWN_VIOLATIONS:
            self._first = self._smallest()

    def _smallest(self) -> list[tuple[str, int, int, ViolationRow]]:
        """Return the first violations by task, trial and place."""
        return heapq.nsmallest(_SHOWN_VIOLATIONS, self._first, key=lambda entry: entry[:3])

    def rows(self) -> tuple[ViolationRow, ...]:
        """Return the first violations."""
        return tuple(entry[3] for entry in self._smallest())

"""What is kept of the risk list while trials stream by: risk by risk, whether its rules were kept on its tasks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from seatrial.measure._task_tally import TaskTally
from seatrial.measure.binomial import clopper_pearson
from seatrial.records.grade import Verdict
from seatrial.records.graded import GradedTrial
from seatrial.records.risk import Risk, RiskRow, UnnamedRule, reported_rules
from seatrial.records.task import Task

_TWO_SIDED = 0.90
"""The upper end of a two-sided interval of 90 % is the one-sided bound of 95 %: at no violation, that of `zero_violations`."""


class RiskTally:
    """Counts by risk.

    Args:
        risks: The risk list of the run.
        tasks: Id → task.
    """

    def __init__(self, risks: Sequence[Risk], tasks: Mapping[str, Task]) -> None:
        self._risks = risks
        self._rules = [frozenset(risk.reported_as) for risk in risks]
        self._known: list[Counter[str]] = [Counter() for _ in risks]
        self._violated: list[Counter[str]] = [Counter() for _ in risks]
        self._violations: list[Counter[str]] = [Counter() for _ in risks]
        self._by_rule: Counter[str] = Counter()
        self._clean: Counter[str] = Counter()
        self._at: defaultdict[str, list[int]] = defaultdict(list)
        for index, risk in enumerate(risks):
            for task in risk.tasks:
                if task in tasks and reported_rules(tasks[task].contract) & self._rules[index]:
                    self._at[task].append(index)

    def add(self, trial: GradedTrial, safety: Verdict) -> None:
        """Count one trial, whose safety is known as far as it counts; one that kept every rule is counted once for all risks."""
        if safety is Verdict.PASS and not trial.grade.violations:
            self._clean[trial.grade.task] += 1
            return
        found = Counter(violation.rule for violation in trial.grade.violations)
        self._by_rule.update(found)
        for index in self._at.get(trial.grade.task, ()):
            self._add(index, trial, safety, found)

    def _add(self, index: int, trial: GradedTrial, safety: Verdict, found: Mapping[str, int]) -> None:
        task, rules = trial.grade.task, self._rules[index]
        violations = sum(number for rule, number in found.items() if rule in rules)
        self._violations[index][task] += violations
        self._violated[index][task] += violations > 0
        self._known[index][task] += violations > 0 or _is_known(trial, safety, rules)

    def rows(self, tallies: Mapping[str, TaskTally]) -> tuple[RiskRow, ...]:
        """Return one line a risk, in the order of the list; trials that were planned and not run are unknown."""
        return tuple(self._row(index, risk, tallies) for index, risk in enumerate(self._risks))

    def _row(self, index: int, risk: Risk, tallies: Mapping[str, TaskTally]) -> RiskRow:
        violated = self._violated[index]
        known = self._known[index] + Counter({task: self._clean[task] for task in risk.tasks if index in self._at.get(task, ())})
        asked = [tallies[task] for task in risk.tasks if task in tallies and index in self._at.get(task, ())]
        trials, tasks, own = known.total(), sum(n > 0 for n in known.values()), self._violations[index].total()
        return RiskRow(
            risk=risk.id,
            sentence=risk.sentence,
            owner=risk.owner,
            severity=risk.severity,
            category=risk.category,
            rules=risk.reported_as,
            listed=len(risk.tasks),
            tasks=tasks,
            trials=trials,
            unknown=sum(tally.planned for tally in asked) - trials,
            violations=own,
            violated_trials=violated.total(),
            violated_tasks=sum(n > 0 for n in violated.values()),
            elsewhere=sum(self._by_rule[rule] for rule in risk.reported_as) - own,
            allowed_per_task=_allowed(sum(n > 0 for n in violated.values()), tasks),
            allowed_per_trial=_allowed(violated.total(), trials),
        )

    def unnamed(self) -> tuple[UnnamedRule, ...]:
        """Return the rules that were broken and that no risk names, by name; none where there is no risk list."""
        named = frozenset[str]().union(*self._rules)
        broken = sorted(self._by_rule) if self._risks else ()
        return tuple(UnnamedRule(rule, self._by_rule[rule]) for rule in broken if rule not in named)


def _is_known(trial: GradedTrial, safety: Verdict, rules: Iterable[str]) -> bool:
    """Tell whether a trial without a violation of some rules is known to keep them."""
    if trial.facts.status.unknown or safety in (Verdict.ERROR, Verdict.NOT_APPLICABLE):
        return False
    doubted = _doubted(trial)
    if safety is Verdict.UNDETERMINED and not doubted:
        return False
    return doubted.isdisjoint(rules)


def _doubted(trial: GradedTrial) -> set[str]:
    """Return the rules whose doubts nobody settled."""
    if trial.review is not None:
        return {doubt.rule for doubt in trial.review.doubts if not doubt.settled}
    return {doubt.rule for doubt in trial.grade.doubts}


def _allowed(violated: int, units: int) -> float | None:
    """Return the highest rate that is still possible at 95 % confidence."""
    return clopper_pearson(violated, units, confidence=_TWO_SIDED).upper if units else None

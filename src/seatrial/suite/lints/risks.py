"""Rules about the risk list: every risk needs a rule, an adversarial task that asks it, and a faulty agent that shows it can fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from seatrial.base.wording import count
from seatrial.records.risk import Risk, reported_rules
from seatrial.records.task import Task
from seatrial.suite.finding import Finding
from seatrial.suite.suite import Suite


def find(suite: Suite) -> Iterator[Finding]:
    """Yield what the risk list lacks.

    Args:
        suite: The suite.
    """
    tasks = {task.id: task for task in suite.tasks}
    for risk in suite.risks:
        yield from _Look(suite, risk, [tasks[name] for name in risk.tasks]).findings()


@dataclass(frozen=True)
class _Look:
    """One risk with its tasks."""

    suite: Suite
    risk: Risk
    tasks: list[Task]

    def findings(self) -> Iterator[Finding]:
        """Yield what is missing, the first thing to mend first."""
        adversarial = [task for task in self.tasks if task.adversarial]
        if not self.risk.invariants:
            yield self._warning("risk_without_rule", "no rule answers it", "name `invariants`, so that a violation fails the run")
        if not adversarial:
            fix = "name a task with `adversarial: true` among its `tasks`"
            yield self._warning("risk_untried", f"none of its {count(len(self.tasks), 'task')} is adversarial", fix)
        if not self.risk.faulty_agents:
            fix = "name `faulty_agents` that break its rule, for example python:agents:hasty"
            yield self._warning("risk_unproven", "no faulty agent shows that its rules can fail", fix)
        silent = [task.id for task in adversarial if reported_rules(task.contract).isdisjoint(self.risk.reported_as)]
        if self.risk.invariants and adversarial and len(silent) == len(adversarial):
            fix = "name the rule under `invariants` of the suite or of these tasks"
            yield self._warning("risk_not_asked", f"none of its {count(len(adversarial), 'adversarial task')} asks one of its rules", fix)

    def _warning(self, rule: str, what: str, fix: str) -> Finding:
        return Finding("warning", rule, f"the risk {self.risk.id!r}: {what}", fix, file=str(self.suite.folder / "risks.yaml"))

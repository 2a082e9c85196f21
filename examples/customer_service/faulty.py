"""Show that every rule can fail: each faulty agent breaks its own rule on every adversarial task meant for it, and no other rule on any.

Run it as `python -m examples.customer_service.faulty`; it prints the table and ends with 1 when a cell is not as it should be.
"""

import asyncio
import importlib
import sys
from dataclasses import dataclass
from pathlib import Path

from seatrial.agents import make_agent
from seatrial.app.loading import load
from seatrial.app.reference import job_of
from seatrial.grade import compile_task, grade
from seatrial.run import run_trial

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """What became of one faulty agent.

    Args:
        rule: The rule that its habit breaks.
        agent: Its name.
        meant: Ids of the adversarial tasks that are meant for it.
        caught: Ids of those that the rule failed.
        others: Other rules that failed any task of the suite, with its id.
    """

    rule: str
    agent: str
    meant: tuple[str, ...]
    caught: tuple[str, ...]
    others: tuple[tuple[str, str], ...]

    @property
    def right(self):
        """Whether its rule, and no other, failed every task meant for it."""
        return bool(self.meant) and self.caught == self.meant and not self.others


class Bench:
    """The suite, ready to try agents on."""

    def __init__(self):
        self.loaded = load(FOLDER)
        self.tasks = self.loaded.suite.tasks
        self.compiled = {task.id: compile_task(task, self.loaded.tools, documents=self.loaded.suite.documents) for task in self.tasks}
        # The agents' module as the suite's own targets find it.
        self.faulty = importlib.import_module("examples.customer_service.agents").FAULTY
        self._rows: dict[str, Row] = {}

    def row(self, name):
        """Return what becomes of one faulty agent, tried once on every task of the suite."""
        if name not in self._rows:
            self._rows[name] = self._row(name)
        return self._rows[name]

    def grades(self, target):
        """Return the grade of one trial of an agent on each task, by the task's id."""
        return asyncio.run(self._grades(make_agent(target, FOLDER)))

    async def _grades(self, agent):
        return {task.id: grade(self.compiled[task.id], await run_trial(job_of(self.loaded, task, agent))) for task in self.tasks}

    def _row(self, name):
        rule, attacks = self.faulty[name]
        broken = {task: {violation.rule for violation in found.violations} for task, found in self.grades(f"agents:{name}").items()}
        meant = tuple(task.id for task in self.tasks if task.adversarial and task.slices["attack"] in attacks)
        others = tuple((other, task) for task, rules in broken.items() for other in sorted(rules - {rule}))
        return Row(rule, name, meant, tuple(task for task in meant if rule in broken[task]), others)


def main(bench=None):
    """Print the table, and return whether every row is right and the good agent passes every task."""
    bench = bench or Bench()
    rows = sorted((bench.row(name) for name in bench.faulty), key=lambda row: row.rule)
    print(f"{'rule':36}{'agent':24}{'meant':>7}{'failed':>8}  other rules")
    for row in rows:
        others = ", ".join(f"{rule} ({task})" for rule, task in row.others)
        print(f"{row.rule:36}{row.agent:24}{len(row.meant):7}{len(row.caught):8}  {others}")
    passed = [task for task, found in bench.grades("agents:good").items() if found.strict == "pass"]
    print(f"good: passes {len(passed)} of {len(bench.tasks)} tasks")
    return all(row.right for row in rows) and len(passed) == len(bench.tasks)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)

"""Propose ceilings from the trials that passed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from seatrial.app.reporting import graded_trials
from seatrial.records.contract import Budget
from seatrial.records.grade import Verdict
from seatrial.records.summary import GradedTrial
from seatrial.store import RunFile

HEADROOM = 1.5
"""A ceiling stands at this multiple of the largest passing trial."""
BUDGET_QUESTIONS = ("outcome", "process", "safety")


@dataclass(frozen=True)
class Proposal:
    """A ceiling proposed for one task.

    Args:
        task: Id of the task.
        passing: Trials that it rests on.
        budget: The proposed ceilings; a part is `None` when the run does not know what was used.
    """

    task: str
    passing: int
    budget: Budget


def propose(path: Path) -> tuple[Proposal, ...]:
    """Return ceilings for every task that passed at least once: one and a half times the most that a passing trial used.

    A trial passes here when outcome, process and safety pass, whatever its budget was.

    Args:
        path: The run file.
    """
    with RunFile.open(path) as file:
        passing: dict[str, list[GradedTrial]] = {}
        for one in graded_trials(file):
            if _passed(one):
                passing.setdefault(one.grade.task, []).append(one)
    return tuple(Proposal(task, len(trials), _budget(trials)) for task, trials in sorted(passing.items()))


def _passed(one: GradedTrial) -> bool:
    verdicts = [one.grade.answers[question].verdict for question in BUDGET_QUESTIONS]
    return Verdict.PASS in verdicts and all(verdict in (Verdict.PASS, Verdict.NOT_APPLICABLE) for verdict in verdicts)


def _budget(trials: Iterable[GradedTrial]) -> Budget:
    facts = [one.facts for one in trials]
    calls = math.ceil(HEADROOM * max(fact.calls for fact in facts))
    tokens = _most([fact.tokens for fact in facts])
    usd = _most([fact.usd for fact in facts])
    return Budget(max(calls, 1), math.ceil(HEADROOM * tokens) if tokens else None, round(HEADROOM * usd, 6) if usd else None)


def _most(values: list[int | None] | list[float | None] | list[int | float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) and known else None

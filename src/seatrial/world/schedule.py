"""When faults fire: the same for every candidate, as a draw knows the task, the trial, the tool and the occurrence only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Raw

from seatrial.base import catalogue
from seatrial.base.seeds import uniform
from seatrial.records.task import FaultSpec
from seatrial.records.trace import Effect
from seatrial.world.calls import Fault
from seatrial.world.matching import matches


class Due(NamedTuple):
    """A fault that fires on a call."""

    fault: Fault
    spec: FaultSpec
    draw: float
    """The call's own draw in [0, 1)."""


class Schedule:
    """The faults of one trial.

    Args:
        faults: The task's faults in order: of those that are due on one call the first fires.
        seed: Seed of the trial.
        task: Id of the task.
        trial: Index of the trial.
    """

    def __init__(self, faults: Sequence[FaultSpec], *, seed: int, task: str, trial: int) -> None:
        self._faults = [(number, spec, _plug_in(spec.kind)) for number, spec in enumerate(faults)]
        self._seed, self._task, self._trial = seed, task, trial
        self._occurrences: Counter[str] = Counter()

    def next(self, tool: str, effect: Effect, arguments: Raw) -> Due | None:
        """Count one call of a tool and return the fault that fires on it.

        Args:
            tool: Name of the tool.
            effect: Its effect: a fault only fires on effects that it knows.
            arguments: The call's arguments, defaults filled.

        Returns:
            The fault; `None`: none fires.
        """
        if not self._faults:
            return None
        self._occurrences[tool] += 1
        occurrence = self._occurrences[tool]
        for number, spec, fault in self._faults:
            if spec.tool in {tool, "*"} and effect in fault.effects and self._is_due(spec, number, tool, arguments):
                return Due(fault, spec, self._draw(tool, occurrence, number, "own"))
        return None

    def _is_due(self, spec: FaultSpec, number: int, tool: str, arguments: Raw) -> bool:
        """Tell whether every condition that a fault declares holds; one without any fires always."""
        occurrence = self._occurrences[tool]
        if spec.nth and occurrence not in spec.nth:
            return False
        if spec.first and occurrence > spec.first:
            return False
        if spec.when is not UNSET and not matches(msgspec.json.decode(spec.when), msgspec.json.decode(arguments)):
            return False
        return spec.rate is None or self._draw(tool, occurrence, number, "fires") < spec.rate

    def _draw(self, tool: str, occurrence: int, number: int, purpose: str) -> float:
        return uniform(self._seed, "fault", self._task, self._trial, tool, occurrence, number, purpose)


def _plug_in(kind: str) -> Fault:
    return catalogue.load("fault", kind).FAULT

"""The mutant: a path that is wrong by one thing, or spelled in another way and still right."""

from __future__ import annotations

from dataclasses import dataclass

from seatrial.agents import PathStep
from seatrial.records.task import FaultSpec


@dataclass(frozen=True)
class Mutant:
    """One way to spoil a path.

    Args:
        name: What was done to what, for example `coverage < route`; with its kind before it, it names the mutant in the suite.
        path: The steps to play.
        closes: Line of the contract, as YAML, that would notice it.
        same: Whether the path is still right, so that it must pass.
        faults: Faults that are injected beside the task's own.
        allowed: Why the contract allows it in so many words, so that it is not played; empty: it does not.
    """

    name: str
    path: tuple[PathStep, ...]
    closes: str = ""
    same: bool = False
    faults: tuple[FaultSpec, ...] = ()
    allowed: str = ""

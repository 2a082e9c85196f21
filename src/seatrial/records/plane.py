"""The plane of cost and value: several candidates on the tasks that all of them share, and what a simpler one does with the same money.

Capability and regression are never pooled. Values are under `strict`. A candidate of unknown cost is listed and has no place.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from seatrial.records.estimate import Difference, Estimate
from seatrial.records.graded import CostUnit
from seatrial.records.manifest import Candidate
from seatrial.records.task import Kind

PLANE_VERSION = 1
"""Version of the published shape of a plane."""


class PlanePoint(Struct, frozen=True, forbid_unknown_fields=True):
    """One candidate on the shared tasks of one kind."""

    name: str
    """Name of the candidate, made different from the others' where several are called the same."""
    candidate: Candidate
    built_on: tuple[str, ...]
    """The candidates whose output it starts from, the nearest first; their cost is in `cost`."""
    planned: int
    """Planned trials."""
    scored: int
    """Trials whose success is known."""
    pass_k: tuple[Estimate, ...]
    """Chance that k fresh trials of a task all pass; its `value` is `None` where a task has fewer than k known trials."""
    pass_at: Estimate
    """pass@k at the largest k that every task has trials for."""
    flaky: int
    """Tasks with passed and failed trials."""
    own_cost: float | None
    """Mean cost of a trial without those of the candidates that it is built on; `None`: not known."""
    cost: Estimate
    """Mean cost of a trial, those of the candidates that it is built on included."""
    cost_of_set: float | None
    """Mean cost of one trial of every shared task: the mean cost of a trial times the tasks; `None`: not known."""
    cost_per_success: Estimate
    note: str
    """What a reader must know of its cost, in words; empty: nothing."""

    def at(self, k: int) -> float | None:
        """Return pass^k; `None`: not available."""
        return next((one.value for one in self.pass_k if one.name == f"pass^{k}"), None)


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """One candidate's place on the plane of one k."""

    name: str
    cost: float
    """Mean cost of a trial."""
    value: float
    """pass^k."""
    plain: bool
    """Whether no other candidate costs no more, is worth no less, and is better in one of the two."""
    convex: bool
    """Whether it is a corner of what random routing between candidates reaches."""
    p_frontier: float | None
    """How often nobody dominates it when the tasks are reweighed; `None`: the tasks are too few to say."""
    dominated_by: str
    """Who dominates it in more than 95 % of the reweighings, the surest first choice; empty: nobody, or not surely."""
    p_dominated: float | None
    """How often the one that dominates it most often does; `None`: the tasks are too few to say."""


class Frontier(Struct, frozen=True, forbid_unknown_fields=True):
    """The plane of cost and pass^k for one k."""

    k: int
    places: tuple[Place, ...]
    """By rising cost."""
    absent: tuple[str, ...]
    """Candidates without a place: their cost is not known, or a task has fewer than k known trials."""

    @property
    def plain(self) -> tuple[str, ...]:
        """The names on the plain frontier, by rising cost."""
        return tuple(place.name for place in self.places if place.plain)

    @property
    def convex(self) -> tuple[str, ...]:
        """The names at the corners of the convex frontier, by rising cost."""
        return tuple(place.name for place in self.places if place.convex)


class EqualBudget(Struct, frozen=True, forbid_unknown_fields=True):
    """What a cheaper candidate does with the money of a dearer one, estimated from its own trials."""

    name: str
    """The dearer candidate."""
    budget: float
    """Its mean cost of a trial."""
    value: float
    """Its pass^1."""
    baseline: str
    """The cheaper candidate: of all cheaper ones the one that comes to most."""
    selector: Literal["oracle", "majority"]
    """Who tells which trial is delivered: `oracle` is the grader's own verdict, an upper bound; `majority` is more than half of them."""
    k: int
    """Trials a task, at most."""
    attempts: float
    """Mean expected trials a task."""
    success: float
    """Mean chance of a delivered success without a violation."""
    cost: float
    """Mean expected cost a task."""
    violated: float
    """Mean chance that at least one attempt broke a rule."""
    difference: Difference
    """The dearer candidate's pass^1 minus the baseline's success, paired by task."""
    all_used: bool
    """Whether it used all trials that it has, so that the budget may have room for more."""
    single: int
    """Tasks that are not tried again, because a trial may have committed a write."""


class PlaneKind(Struct, frozen=True, forbid_unknown_fields=True):
    """The shared tasks of one kind."""

    kind: Kind
    tasks: int
    """Tasks that all candidates share, with the same contract."""
    left_out: int
    """Tasks that only some of the candidates have."""
    points: tuple[PlanePoint, ...]
    """In the order in which the runs were given."""
    frontiers: tuple[Frontier, ...]
    """One a k."""
    equal_budget: tuple[EqualBudget, ...]
    """By rising cost of the dearer candidate."""


class Plane(Struct, frozen=True, forbid_unknown_fields=True):
    """Several candidates on the plane of cost and value."""

    suite: str
    """Name of the first run's suite."""
    unit: CostUnit
    kinds: tuple[PlaneKind, ...]
    """Only kinds that all runs share; capability first."""
    warnings: tuple[str, ...]
    instead: CostUnit | Literal[""] = ""
    """Where no candidate's cost is known in `unit`: a unit in which all are; empty: there is none, or no need for one."""
    version: int = PLANE_VERSION

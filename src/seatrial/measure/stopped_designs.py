"""Stopped designs: pass^k when the number of a task's trials depended on what was seen.

A rule such as "stop at the first failure" biases C(c, k) / C(n, k), by up to 12 points of pass^4. The value that has no bias counts
paths: (paths to the stop (n, c) that begin with k passes) / (all paths to it). For a fixed n it is C(c, k) / C(n, k). Assumption:
trials of a task are independent, and the rule cannot stop on fewer than k trials that all passed; a rule that can is refused.
Source: Girshick, Mosteller and Savage 1946, Annals of Mathematical Statistics 17.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb, fsum
from typing import Literal, NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import dirichlet_ends
from seatrial.measure.task_count import TaskCount, check_draws
from seatrial.records.estimate import Estimate

MOST_TRIALS = 1_000
"""Longest design: the number of paths to count grows with its square."""
METHOD = "path count over tasks; Dirichlet weights with half a task at each end"


class Design(NamedTuple):
    """When a task stops. Made by `fixed`, `stop_at_failures`, `pilot` or `listed`; stored with the run."""

    kind: Literal["fixed", "stop_at_failures", "pilot", "listed"]
    most: int
    """Trials after which every task stops."""
    failures: int = 0
    """`stop_at_failures`: a task stops at this many failures."""
    pilot: int = 0
    """`pilot`: a task stops after so many trials unless some passed and some failed."""
    ends: frozenset[tuple[int, int]] = frozenset()
    """`listed`: a task stops at these (trials, passed)."""

    def stops(self, trials: int, passed: int) -> bool:
        """Tell whether a task stops after so many trials, of which so many passed."""
        if trials >= self.most:
            return True
        if self.kind == "stop_at_failures":
            return trials - passed >= self.failures
        if self.kind == "listed":
            return (trials, passed) in self.ends
        return self.kind == "pilot" and trials == self.pilot and passed in (0, trials)


def fixed(trials: int) -> Design:
    """Return the design that looks at nothing: every task has so many trials."""
    return _checked(Design("fixed", trials))


def stop_at_failures(failures: int, most: int) -> Design:
    """Return the design that stops a task at so many failures, or at the most trials."""
    return _checked(Design("stop_at_failures", most, failures=failures))


def pilot(trials: int, most: int) -> Design:
    """Return the design that goes on to the most trials only where the first ones disagreed."""
    return _checked(Design("pilot", most, pilot=trials))


def listed(ends: Iterable[tuple[int, int]]) -> Design:
    """Return the design of any other rule, by the (trials, passed) at which a task can stop.

    Args:
        ends: All of them, such as (1, 1), (2, 1) and (2, 0) for a retry of a task that failed.

    Returns:
        The design.

    Raises:
        UsageError: A task could go past them all, or can never come to one of them.
    """
    found = frozenset(ends)
    design = _checked(Design("listed", max((trials for trials, _ in found), default=0), ends=found))
    if wrong := sorted(found.symmetric_difference(stops(design))):
        trials, passed = wrong[0]
        what = "no task can come to that stop" if wrong[0] in found else "a task can come there without a stop on its way"
        raise UsageError(f"stops must be all that there are, and be reached: {passed} of {trials} passed, {what}.")
    return design


def estimable(design: Design, k: int) -> bool:
    """Tell whether a design has an unbiased value of pass^k: it never stops on fewer than k trials that all passed."""
    check_draws(0, 0, k)
    return not any(design.stops(trials, trials) for trials in range(1, k))


def value(design: Design, passed: int, trials: int, k: int) -> float | None:
    """Return the unbiased chance that k fresh trials of one task all pass.

    Args:
        design: When the task stopped.
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.
        k: Fresh trials, 1 or more.

    Returns:
        A share; `None` when the design does not stop there: trials are lost, or more were made.

    Raises:
        UsageError: The counts contradict each other, k < 1, or the design can stop on fewer than k passes.
    """
    check_draws(passed, trials, k)
    if not estimable(design, k):
        raise UsageError(f"pass^{k} has no unbiased value: the design can stop on fewer than {k} trials that all passed.")
    whole = _paths(design, 0).get((trials, passed), 0)
    return _paths(design, k).get((trials, passed), 0) / whole if whole else None


def stops(design: Design) -> list[tuple[int, int]]:
    """Return the (trials, passed) at which a task of this design can stop, in rising order."""
    return sorted(_paths(design, 0))


def bias_of_fixed_formula(design: Design, k: int, rate: float) -> float | None:
    """Return what C(c, k) / C(n, k) would be off by under a design.

    Args:
        design: When tasks stop.
        k: Fresh trials, 1 or more.
        rate: True pass rate of the task, 0 to 1.

    Returns:
        Mean minus truth, a share; `None` when a task can stop before k trials, where the formula has no value.
    """
    check_draws(0, 0, k)
    ends = _paths(design, 0)
    if min(trials for trials, _ in ends) < k:
        return None
    mean = fsum(
        paths * rate**passed * (1 - rate) ** (trials - passed) * (comb(passed, k) / comb(trials, k))
        for (trials, passed), paths in ends.items()
    )
    return mean - rate**k


def estimate(tasks: Sequence[TaskCount], design: Design, k: int, *, seed: int = 0) -> Estimate:
    """Return pass^k of a suite whose tasks stopped by a rule.

    Args:
        tasks: Counts of each task; a task that is not at a stop of the design has lost trials.
        design: When a task stops.
        k: Fresh trials, 1 or more.
        seed: Seed of the interval's draws.

    Returns:
        The estimate, a share; its `value` is `None` when a task is not at a stop, and such a task is 0 and 1 in the bounds.

    Raises:
        UsageError: The design can stop on fewer than k passes.
    """
    found = [value(design, task.passed, task.scored, k) for task in tasks]
    if not found:
        return Estimate(name=f"pass^{k}", value=None, unit="share", note="no task")
    rows = [(0.0, 1.0) if one is None else (one, one) for one in found]
    low, high = dirichlet_ends.intervals(rows, seed=seed)
    lost = found.count(None)
    bounds = [fsum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Estimate(
        name=f"pass^{k}",
        value=None if lost else bounds[0],
        lower=low.lower,
        upper=high.upper,
        method=METHOD,
        tasks=len(tasks),
        trials=sum(task.scored for task in tasks),
        unknown=sum(task.unknown for task in tasks),
        bound_low=bounds[0] if lost else None,
        bound_high=bounds[1] if lost else None,
        unit="share",
        note=f"{lost} of {len(tasks)} tasks are not at a stop of their design" if lost else "",
    )


def _checked(design: Design) -> Design:
    """Return a design whose numbers agree."""
    first = {"stop_at_failures": design.failures, "pilot": design.pilot}.get(design.kind, 1)
    if not 1 <= first <= design.most <= MOST_TRIALS:
        raise UsageError(f"a design needs 1 <= {design.kind} <= trials <= {MOST_TRIALS}, not {first} and {design.most}.")
    return design


@lru_cache(maxsize=64)
def _paths(design: Design, k: int) -> dict[tuple[int, int], int]:
    """Return how many paths lead to each stop, of those that begin with k passes."""
    going, ends = {0: 1}, {}
    for trials in range(1, design.most + 1):
        step: dict[int, int] = {}
        for passed, paths in going.items():
            for now in (passed + 1,) if trials <= k else (passed, passed + 1):
                step[now] = step.get(now, 0) + paths
        ends |= {(trials, passed): paths for passed, paths in step.items() if design.stops(trials, passed)}
        going = {passed: paths for passed, paths in step.items() if not design.stops(trials, passed)}
    return ends

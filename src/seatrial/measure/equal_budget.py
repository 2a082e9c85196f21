"""Equal budget: what a simpler candidate does with the money of a dearer one, estimated from its own trials.

Retry until success, at most k times: the success is that of pass@k, and the expected attempts are the sum over j < k of
C(n - c, j) / C(n, j), unbiased. Whoever retries needs a selector that tells a success: with the grader's own verdict (*oracle*) the
number is an upper bound that no deployed system reaches. Without one there is the *majority*: k trials, and right when more than half
of them pass – a lower bound for a vote over end states, whose wrong ones may differ from each other. Assumption: the trials of a task
are exchangeable draws. An attempt that broke a rule spoils the whole: retries carry their violations as they carry their cost. Where a
trial may have committed a write there is no retry, so such tasks count with their first trial.

Source: Kapoor et al. 2024, AI Agents That Matter, arXiv:2407.01502 (baselines); Chen et al. 2021, arXiv:2107.03374 (pass@k).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, fsum
from typing import Literal, NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure.task_count import check_draws

MOST_K = 64
"""Most trials a task that a baseline is made of."""
_TIE = 1e-12
Selector = Literal["oracle", "majority"]
"""Who tells which of the trials is delivered: the grader's own verdict (an upper bound), or more than half of the trials."""


class TaskTrials(NamedTuple):
    """What the trials of one task came to."""

    passed: int
    """Scored trials that passed."""
    trials: int
    """Scored trials."""
    cost: float
    """Mean cost of a trial."""
    violated: int = 0
    """Scored trials that broke a safety rule; they are among those that did not pass."""
    again: bool = True
    """Whether a trial may be taken again: not where it may have committed a write."""


class Chances(NamedTuple):
    """What to expect of one task under a baseline."""

    success: float
    """Chance that a success is delivered and no attempt broke a rule."""
    attempts: float
    """Expected trials."""
    violated: float
    """Chance that at least one attempt broke a rule."""


class Baseline(NamedTuple):
    """What a simpler candidate comes to with more trials a task."""

    selector: Selector
    k: int
    """Trials a task, at most."""
    success: float
    """Mean over tasks."""
    attempts: float
    """Mean expected trials a task."""
    cost: float
    """Mean expected cost a task: attempts times the task's mean cost of a trial."""
    violated: float
    """Mean chance that at least one attempt broke a rule."""
    successes: tuple[float, ...]
    """Chance of success of each task, in the order given."""


def expected_attempts(passed: int, trials: int, k: int) -> float | None:
    """Return the expected trials of retrying one task until success, at most k times.

    Args:
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.
        k: Most trials, 1 or more.

    Returns:
        Sum over j < k of C(trials - passed, j) / C(trials, j), between 1 and k; `None` when trials < k.

    Raises:
        UsageError: The counts contradict each other, or k < 1.
    """
    check_draws(passed, trials, k)
    return None if trials < k else fsum(comb(trials - passed, j) / comb(trials, j) for j in range(k))


def retry(passed: int, trials: int, k: int, *, violated: int = 0) -> Chances | None:
    """Return what retrying one task until success, at most k times, comes to; the selector is the grader's own verdict.

    Args:
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.
        k: Most trials, 1 or more.
        violated: Of the trials that did not pass, those that broke a safety rule.

    Returns:
        The chances; `None` when trials < k.

    Raises:
        UsageError: The counts contradict each other, or k < 1.
    """
    attempts = expected_attempts(passed, trials, k)
    if attempts is None:
        return None
    clean = _clean(passed, trials, violated)
    # Success at attempt j + 1: j clean failures, then a pass.
    success = fsum(comb(clean, j) / comb(trials, j) * passed / (trials - j) for j in range(k))
    broken = max(0.0, 1 - success - comb(clean, k) / comb(trials, k)) if violated else 0.0
    return Chances(success, attempts, broken)


def majority(passed: int, trials: int, k: int, *, violated: int = 0) -> Chances | None:
    """Return what k trials of one task come to when the majority is delivered.

    Args:
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.
        k: Trials, 1 or more; all are taken.
        violated: Of the trials that did not pass, those that broke a safety rule.

    Returns:
        The chances: success is that more than half of k fresh trials pass and none broke a rule; `None` when trials < k.

    Raises:
        UsageError: The counts contradict each other, or k < 1.
    """
    check_draws(passed, trials, k)
    if trials < k:
        return None
    clean, whole = _clean(passed, trials, violated), comb(trials, k)
    right = sum(comb(passed, hits) * comb(clean, k - hits) for hits in range(k // 2 + 1, k + 1))
    return Chances(right / whole, float(k), 1 - comb(trials - violated, k) / whole)


_WAYS = {"oracle": retry, "majority": majority}


def baseline(tasks: Sequence[TaskTrials], k: int, *, selector: Selector = "oracle") -> Baseline | None:
    """Return what a candidate comes to with up to k trials a task.

    Args:
        tasks: Its trials of each task.
        k: Trials a task, 1 or more; one where a task may not be tried again.
        selector: Who tells which trial is delivered.

    Returns:
        The baseline; `None` without a task, or when a task has too few scored trials.

    Raises:
        UsageError: Counts contradict each other, or k < 1.
    """
    found = [_WAYS[selector](one.passed, one.trials, k if one.again else 1, violated=one.violated) for one in tasks]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    return Baseline(
        selector=selector,
        k=k,
        success=_mean([one.success for one in known]),
        attempts=_mean([one.attempts for one in known]),
        cost=_mean([one.attempts * task.cost for one, task in zip(known, tasks, strict=True)]),
        violated=_mean([one.violated for one in known]),
        successes=tuple(one.success for one in known),
    )


def ladder(tasks: Sequence[TaskTrials], *, selector: Selector = "oracle") -> tuple[Baseline, ...]:
    """Return a candidate's baselines by rising k, as far as its trials go.

    Args:
        tasks: Its trials of each task.
        selector: Who tells which trial is delivered; a majority needs an odd number of trials.

    Returns:
        The baselines, their cost rising, from k = 1 to the fewest scored trials of any task and at most 64; none where a task has none.

    Raises:
        UsageError: Counts contradict each other.
    """
    most = min((one.trials for one in tasks), default=0)
    found = (baseline(tasks, k, selector=selector) for k in range(1, min(most, MOST_K) + 1, 1 if selector == "oracle" else 2))
    return tuple(one for one in found if one is not None)


def within(steps: Sequence[Baseline], budget: float) -> Baseline | None:
    """Return the baseline with the most trials a task whose cost stays within a budget.

    Args:
        steps: A candidate's baselines by rising k.
        budget: Mean cost a task of the dearer candidate, in the unit of the baselines' costs.

    Returns:
        The baseline; `None` when not even the first fits.
    """
    fitting = [step for step in steps if step.cost <= budget * (1 + _TIE)]
    return fitting[-1] if fitting else None


def _clean(passed: int, trials: int, violated: int) -> int:
    """Return the trials that neither passed nor broke a rule."""
    clean = trials - passed - violated
    if violated < 0 or clean < 0:
        raise UsageError(f"expected passed and violated trials to fit into {trials}, not {passed} passed and {violated} violated.")
    return clean


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)

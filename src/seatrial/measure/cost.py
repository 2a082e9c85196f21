"""Cost, calls and time: the mean and the p95 of trials, with intervals over tasks.

Source: Efron and Tibshirani 1993, ch. 12 (bootstrap-t over tasks, for the mean of skewed costs); Woodruff 1952, JASA 47 (invert
the share at p95 plus or minus t standard errors over tasks). Trials of a task are never taken for independent: on skewed,
clustered costs that covers 60 % in place of 95 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, fsum, sqrt
from typing import TYPE_CHECKING

from seatrial.base.errors import UsageError
from seatrial.measure.quantile import quantile
from seatrial.measure.task_count import Interval
from seatrial.records.estimate import Estimate

if TYPE_CHECKING:
    from numpy import ndarray

DRAWS = 10_000
FEWEST_TASKS = 5
"""Below this number of tasks no interval is given."""
MANY_TASKS = 300
"""From this number of tasks on the bootstrap and Student's t agree, and t is used."""
MOST = 1e100
"""A cost above this is no cost of a trial: sums and squares of such numbers leave what a number can hold."""
_CHUNK = 1_000_000


def mean(name: str, costs: Sequence[Sequence[float]], *, unit: str, unknown: int = 0, seed: int = 0) -> Estimate:
    """Return the mean cost of a trial: the mean over tasks of each task's mean.

    Args:
        name: Name of the estimate.
        costs: Costs of each task's trials, in `unit`, 0 or more; tasks without a known cost are left out.
        unit: `usd`, `calls`, `tokens`, `seconds`.
        unknown: Trials whose cost is not known.
        seed: Seed of the interval's draws.

    Returns:
        The estimate; `value` is `None` when no cost is known, or one is beyond `MOST`.

    Raises:
        UsageError: A cost is negative or not finite.
    """
    known = _known(costs)
    if not known:
        return Estimate(name=name, value=None, unit=unit, unknown=unknown, note=f"{unit} not known")
    if _flat(known).max() > MOST:
        return Estimate(name=name, value=None, unit=unit, unknown=unknown, note=f"a trial of more than {MOST:g} {unit}: no mean is given")
    means = [fsum(task.tolist()) / len(task) for task in known]
    ends = mean_interval(means, seed=seed)
    return Estimate(
        name=name,
        value=fsum(means) / len(means),
        lower=ends.lower if ends else None,
        upper=ends.upper if ends else None,
        method=("bootstrap-t over tasks" if len(means) < MANY_TASKS else "Student's t over tasks") if ends else "",
        tasks=len(means),
        trials=sum(map(len, known)),
        unknown=unknown,
        unit=unit,
        note=_note(len(means), unknown),
    )


def p95(name: str, costs: Sequence[Sequence[float]], *, unit: str, unknown: int = 0) -> Estimate:
    """Return the 95th percentile of the trials' costs: a cost that happened.

    Args:
        name: Name of the estimate.
        costs: Costs of each task's trials, in `unit`, 0 or more; tasks without a known cost are left out.
        unit: `usd`, `calls`, `tokens`, `seconds`.
        unknown: Trials whose cost is not known.

    Returns:
        The estimate; `upper` is `None` when the trials are too few for a finite upper limit.

    Raises:
        UsageError: A cost is negative or not finite.
    """
    known = _known(costs)
    if not known:
        return Estimate(name=name, value=None, unit=unit, unknown=unknown, note=f"{unit} not known")
    lower, upper = woodruff(known, 0.95) if len(known) >= FEWEST_TASKS else (None, None)
    flat = _flat(known)
    few = f"no finite upper limit from {len(flat)} trials: at least {flat.max():g}" if lower is not None and upper is None else ""
    return Estimate(
        name=name,
        value=quantile(flat, 0.95),
        lower=lower,
        upper=upper,
        method="" if lower is None else "Woodruff, standard error over tasks",
        tasks=len(known),
        trials=len(flat),
        unknown=unknown,
        unit=unit,
        note="; ".join(filter(None, (few, _note(len(known), unknown)))),
    )


def mean_interval(means: Sequence[float], *, confidence: float = 0.95, seed: int = 0, draws: int = DRAWS) -> Interval | None:
    """Return the interval of the mean of one non-negative value a task.

    Args:
        means: Value of each task.
        confidence: Share, 0 to 1.
        seed: Seed of the draws (PCG64).
        draws: Number of resamples.

    Returns:
        The interval, never below 0; `None` for fewer than five tasks, and where the largest value is beyond `MOST` or so small that
        its square is nothing.
    """
    import numpy as np

    count = len(means)
    if count < FEWEST_TASKS:
        return None
    values = np.sort(np.asarray(means, dtype=float))
    if values[-1] > MOST or 0 < values[-1] < 1 / MOST:
        return None
    centre, error = float(values.mean()), float(values.std(ddof=1)) / sqrt(count)
    if error == 0:
        return Interval(centre, centre)
    tail = (1 - confidence) / 2
    if count >= MANY_TASKS:
        low_t, high_t = -_student(count - 1, 1 - tail), _student(count - 1, 1 - tail)
    else:
        low_t, high_t = np.quantile(_studentised(values, centre, seed, draws), (tail, 1 - tail))
    return Interval(max(0.0, centre - float(high_t) * error), centre - float(low_t) * error)


def woodruff(costs: Sequence[Sequence[float]] | Sequence[ndarray], share: float, *, confidence: float = 0.95) -> tuple[float, float | None]:
    """Return the interval of a quantile of trials that are nested in tasks.

    Args:
        costs: Costs of each task's trials; at least two tasks, each with a trial.
        share: 0 to 1, for example 0.95.
        confidence: Share, 0 to 1.

    Returns:
        Lower and upper limit; the upper is `None` when it would lie beyond every trial.
    """
    known = _known(costs)
    flat = _flat(known)
    at = quantile(flat, share)
    tasks, trials = len(known), len(flat)
    below = [int((task <= at).sum()) for task in known]
    mean_share = sum(below) / trials
    residual = fsum((hit - mean_share * len(task)) ** 2 for hit, task in zip(below, known, strict=True))
    clustered = sqrt(tasks / (tasks - 1) * residual) / trials
    # Few tasks can by luck agree better than independent trials would; the limit is never narrower than theirs.
    error = max(clustered, sqrt(share * (1 - share) / trials))
    reach = _student(tasks - 1, (1 + confidence) / 2) * error
    return quantile(flat, max(0.0, share - reach)), quantile(flat, share + reach) if share + reach < 1 else None


def trials_for_finite_limit(tasks: int, share: float = 0.95, *, confidence: float = 0.95) -> int:
    """Return the trials from which on `woodruff` can give a quantile of so many tasks a finite upper limit.

    Args:
        tasks: Tasks over which the trials are spread, 2 or more.
        share: 0 to 1, exclusive, for example 0.95.
        confidence: Share, 0 to 1.

    Returns:
        The smallest number of trials, if those of a task vary as those of different tasks do; more where a task's are alike.
    """
    reach = _student(tasks - 1, (1 + confidence) / 2)
    return floor(share * (1 - share) * (reach / (1 - share)) ** 2) + 1


def _studentised(values: ndarray, centre: float, seed: int, draws: int) -> ndarray:
    """Return the studentised means of resamples of tasks; resamples without spread are left out."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    count, parts = len(values), []
    block = max(1, _CHUNK // count)
    for start in range(0, draws, block):
        sample = values[generator.integers(0, count, size=(min(block, draws - start), count))]
        spread = sample.std(axis=1, ddof=1)
        kept = spread > 0
        parts.append((sample.mean(axis=1)[kept] - centre) / (spread[kept] / sqrt(count)))
    return np.concatenate(parts)


def _student(freedom: int, share: float) -> float:
    """Return a quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


def _known(costs: Sequence[Sequence[float]] | Sequence[ndarray]) -> list[ndarray]:
    """Return the tasks with a known cost as arrays, after checking every cost."""
    import numpy as np

    found = [np.asarray(task, dtype=float) for task in costs if len(task)]
    for task in found:
        wrong = task[~(np.isfinite(task) & (task >= 0))]
        if wrong.size:
            raise UsageError(f"a cost must be finite and 0 or more, not {float(wrong[0])!r}; an unknown cost is left out, never 0.")
    return found


def _flat(tasks: Sequence[ndarray]) -> ndarray:
    """Return the costs of all trials in one array."""
    import numpy as np

    return np.concatenate(tasks)


def _note(tasks: int, unknown: int) -> str:
    """Return what a reader must know of a cost."""
    few = f"no interval: {tasks} tasks, {FEWEST_TASKS} are needed" if tasks < FEWEST_TASKS else ""
    lost = f"of the trials with a known value; {unknown} have none" if unknown else ""
    return "; ".join(filter(None, (few, lost)))

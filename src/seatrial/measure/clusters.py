"""Clusters: tasks made from one template, site, persona or repository are not independent; the cluster is then the unit.

Interval: Dirichlet weights over clusters with a ratio, sum of g S over sum of g N for S the sum of a cluster's values and N its tasks,
and half a cluster of average size at each end of the scale. Twin: cluster-robust standard errors with Student's t(G - 1) for G
clusters; with e the residuals summed in a cluster, CR0 = sum of e^2 / m^2, CR1 = CR0 G / (G - 1), CRV3 = (G - 1) / G times the sum of
(mean without the cluster - mean)^2. Assumption: clusters are a sample of clusters. Below five clusters no interval is given.
Source: Miller 2024, arXiv:2411.00640 (CR0); Liang and Zeger 1986, Biometrika 73; MacKinnon, Nielsen and Webb 2023 (CRV3); Rubin 1981.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum, sqrt
from typing import Literal, NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import student_t
from seatrial.measure.dirichlet_ends import DRAWS, END
from seatrial.measure.task_count import Interval
from seatrial.records.estimate import Estimate

FEWEST_CLUSTERS = 5
"""Below this number of clusters no interval is given."""
_CHUNK = 1_000_000


class ClusteredErrors(NamedTuple):
    """Standard errors of a mean over tasks in clusters."""

    mean: float
    """Mean over tasks."""
    cr0: float | None
    """Robust, uncorrected (as in Miller 2024): too small with few clusters; `None`: one cluster."""
    cr1: float | None
    """With G / (G - 1); `None`: one cluster."""
    crv3: float | None
    """Jackknife over clusters; `None`: one cluster."""
    unclustered: float | None
    """As if tasks were independent; `None`: one task."""
    clusters: int
    """Number of clusters, G."""

    def interval(self, kind: Literal["cr0", "cr1", "crv3"] = "cr1", *, confidence: float = 0.95) -> Interval | None:
        """Return mean +- t(G - 1) standard errors, not cut to any scale; `None` with one cluster."""
        error = {"cr0": self.cr0, "cr1": self.cr1, "crv3": self.crv3}[kind]
        if error is None:
            return None
        half = student_t.factor(self.clusters - 1, confidence) * error
        return Interval(self.mean - half, self.mean + half)


def errors(values: Sequence[float], clusters: Sequence[Hashable]) -> ClusteredErrors:
    """Return the mean over tasks and its standard errors.

    Args:
        values: One value a task, any scale.
        clusters: Cluster of each task, in the same order.

    Returns:
        Mean, errors, number of clusters.

    Raises:
        UsageError: No task, or another number of clusters than of values.
    """
    groups = _groups(values, clusters)
    tasks, many = len(values), len(groups)
    mean = fsum(values) / tasks
    cr0 = cr1 = crv3 = None
    if many > 1:
        cr0 = sqrt(fsum((total - size * mean) ** 2 for total, size in groups)) / tasks
        cr1 = cr0 * sqrt(many / (many - 1))
        whole = fsum(values)
        left = [(whole - total) / (tasks - size) for total, size in groups]
        crv3 = sqrt((many - 1) / many * fsum((one - mean) ** 2 for one in left))
    alone = sqrt(fsum((value - mean) ** 2 for value in values) / (tasks - 1) / tasks) if tasks > 1 else None
    return ClusteredErrors(mean, cr0, cr1, crv3, alone, many)


def interval(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    low: float = 0.0,
    high: float = 1.0,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval | None:
    """Return the interval of the mean over tasks when clusters are the unit.

    Args:
        values: One value a task, each within the scale.
        clusters: Cluster of each task, in the same order.
        low: Low end of the scale.
        high: High end of the scale.
        confidence: Share, 0 to 1.
        seed: Seed of the draws (PCG64).

    Returns:
        The interval, never of zero width; `None` below five clusters: they say too little of clusters to come.

    Raises:
        UsageError: No task, another number of clusters than of values, or a value outside of the scale.
    """
    groups = _groups(values, clusters)
    wrong = [value for value in values if not low <= value <= high]
    if wrong:
        raise UsageError(f"every value must lie within {low:g} to {high:g}; {wrong[0]!r} does not.")
    if len(groups) < FEWEST_CLUSTERS:
        return None
    lower, upper = _quantiles(groups, (low, high), confidence, seed)
    return Interval(low if max(values) == low else lower, high if min(values) == high else upper)


def estimate(name: str, values: Sequence[float], clusters: Sequence[Hashable], *, unit: str = "share", seed: int = 0) -> Estimate:
    """Return the mean over tasks with its interval over clusters.

    Args:
        name: Name of the estimate.
        values: One value a task, each 0 to 1.
        clusters: Cluster of each task, in the same order.
        unit: Unit of the values.
        seed: Seed of the interval's draws.

    Returns:
        The estimate; without an interval, and with a note that says so, below five clusters.

    Raises:
        UsageError: No task, another number of clusters than of values, or a value outside of 0 to 1.
    """
    ends = interval(values, clusters, seed=seed)
    many = len(set(clusters))
    few = f"{many} of the {FEWEST_CLUSTERS} clusters that an interval needs: none is given"
    return Estimate(
        name=name,
        value=fsum(values) / len(values),
        lower=ends.lower if ends else None,
        upper=ends.upper if ends else None,
        method=f"Dirichlet weights over {many} clusters with half a cluster at each end" if ends else "",
        tasks=len(values),
        unit=unit,
        note="" if ends else few,
    )


def _groups(values: Sequence[float], clusters: Sequence[Hashable]) -> list[tuple[float, int]]:
    """Return the sum of values and the number of tasks of each cluster."""
    if not values or len(values) != len(clusters):
        raise UsageError(f"expected at least one value and one cluster for each; got {len(values)} values and {len(clusters)} clusters.")
    members: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        members.setdefault(cluster, []).append(value)
    return [(fsum(member), len(member)) for member in members.values()]


def _quantiles(groups: Sequence[tuple[float, int]], ends: tuple[float, float], confidence: float, seed: int) -> tuple[float, float]:
    """Return the quantiles of the weighted ratio, drawn in blocks so that memory stays flat."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    size = sum(count for _, count in groups) / len(groups)
    table = np.array([*groups, *((end * size, size) for end in ends)])
    shape = np.array([*(1.0 for _ in groups), END, END])
    block = max(1, _CHUNK // len(shape))
    parts = []
    for start in range(0, DRAWS, block):
        totals = generator.standard_gamma(shape, size=(min(block, DRAWS - start), len(shape))) @ table
        parts.append(totals[:, 0] / totals[:, 1])
    lower, upper = np.quantile(np.concatenate(parts), ((1 - confidence) / 2, (1 + confidence) / 2))
    return float(lower), float(upper)

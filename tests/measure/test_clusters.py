"""Tasks in clusters: the cluster is the unit, and a few clusters give no interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import clusters, dirichlet_ends

statsmodels = pytest.importorskip("statsmodels.api")

members = st.lists(st.tuples(st.integers(0, 8).map(lambda eighths: eighths / 8), st.sampled_from("abcdefg")), min_size=3, max_size=24)


@given(members)
def test_robust_errors_agree_with_statsmodels(rows):
    """CR1 and the jackknife CRV3 are those of a regression on a constant; CR0 is CR1 without its factor."""
    values, names = zip(*rows, strict=True)
    found = clusters.errors(values, names)
    if found.clusters < 2:
        assert (found.cr0, found.cr1, found.crv3, found.interval()) == (None, None, None, None)
        return
    groups = np.unique(names, return_inverse=True)[1]
    model = statsmodels.OLS(np.array(values), np.ones(len(values)))
    for kind, ours in (("cluster", found.cr1), ("cluster-crv3", found.crv3)):
        right = model.fit(cov_type=kind, cov_kwds={"groups": groups}, use_t=True)
        assert ours == pytest.approx(float(right.bse[0]), abs=1e-9)
    right = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True).conf_int()[0]
    assert found.interval() == pytest.approx(tuple(right), abs=1e-8)
    assert found.cr0 == pytest.approx(found.cr1 * np.sqrt((found.clusters - 1) / found.clusters))


@given(members.filter(lambda rows: len({name for _, name in rows}) >= clusters.FEWEST_CLUSTERS), st.integers(0, 9))
def test_the_interval_has_width_and_stays_on_the_scale(rows, seed):
    """It never has zero width, touches an end only when every value is there, and the same seed gives the same one."""
    values, names = zip(*rows, strict=True)
    found = clusters.interval(values, names, seed=seed)
    assert 0 <= found.lower < found.upper <= 1
    assert (found.upper == 1) == (min(values) == 1)
    assert (found.lower == 0) == (max(values) == 0)
    assert found == clusters.interval(values, names, seed=seed)


def test_clusters_of_one_task_are_tasks():
    """Where every task is its own cluster the interval is that of tasks, but for the draws."""
    values = [1.0, 0.5, 0.25, 1.0, 0.0, 0.75, 1.0, 1.0]
    assert clusters.interval(values, range(8)) == pytest.approx(dirichlet_ends.interval(values), abs=0.02)


def test_copies_of_a_task_add_nothing():
    """Ten copies of each task in one cluster are no ten tasks: the interval is that of the clusters, far wider than that of tasks."""
    values, names = [0.0, 0.25, 0.5, 0.75, 1.0, 1.0] * 10, list("abcdef") * 10
    found = clusters.interval(values, names)
    assert found == pytest.approx(clusters.interval(values[:6], names[:6]), abs=1e-9)
    taken_for_tasks = dirichlet_ends.interval(values)
    assert found.upper - found.lower > 2 * (taken_for_tasks.upper - taken_for_tasks.lower)


def test_below_five_clusters_there_is_no_interval_and_it_is_said():
    """Four templates say too little of templates to come."""
    found = clusters.estimate("pass^1", [1.0, 0.5, 1.0, 0.0, 1.0], ["a", "b", "c", "d", "d"])
    assert (found.value, found.lower, found.upper, found.method) == (0.7, None, None, "")
    assert "4 of the 5 clusters" in found.note
    assert clusters.estimate("pass^1", [1.0] * 5, list("abcde")).upper == 1.0


@pytest.mark.parametrize(("values", "names"), [([], []), ([1.0], []), ([1.0], ["a", "b"])])
def test_values_and_clusters_must_match(values, names):
    """No task, or a task without its cluster, is an error."""
    with pytest.raises(UsageError, match="one cluster for each"):
        clusters.errors(values, names)
    with pytest.raises(UsageError, match="one cluster for each"):
        clusters.interval(values, names)

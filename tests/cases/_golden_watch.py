"""Groups of the golden file: the agreement of judges, and what watches results as they come."""

from __future__ import annotations

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
from tests.cases._golden import Check, Group, answered, number

THREE_CLASSES = ((20, 4, 1), (4, 30, 3), (2, 3, 33))
"""A table for the two weighted kappas, which the file gives without one. It was found by search: of 100 units, it has both values, and
so says only that the two are of one table; `tests/measure/test_agreement.py` has tables of its own."""
Result = TypeVar("Result")
FILES_STATES = 800
"""Cells of the chain behind the file's mean run lengths; with more cells they are 6 % less, as simulation confirms."""


def right_or_undefined(value) -> object:
    """Return the right value; the file writes `null` where there is none."""
    return "undefined" if value is None else number(value)


def refused_or(function: Callable[[], Result]) -> Result | None:
    """Return what a function gives, or `None` when it refuses."""
    try:
        return function()
    except SeatrialError:
        return None


def agreement_2raters(group) -> Iterator[Check]:
    """Six numbers of one table of two raters."""
    for case in group:
        name, table = case["name"], case["table_rows_judge_cols_human"]
        found = refused_or(partial(agreement, table))
        if found is None:
            yield Check(f"{name} is refused", None, number(case["po"]))
            continue
        yield Check(f"{name} p_o", found.observed, number(case["po"]))
        yield Check(f"{name} kappa", answered(lambda found=found: found.kappa), right_or_undefined(case["cohen_kappa"]))
        yield Check(f"{name} AC1", found.ac1, number(case["gwet_ac1"]))
        yield Check(f"{name} pi", answered(lambda found=found: found.scott_pi), right_or_undefined(case["scott_pi"]))
        yield Check(f"{name} S", found.bennett_s, number(case["bennett_S"]))
        alpha = answered(partial(krippendorff_alpha, ratings(table), level="nominal"))
        yield Check(f"{name} alpha", alpha, right_or_undefined(case["krippendorff_alpha_nominal"]))


def ratings(table) -> list[list[float]]:
    """Return the ratings of two raters that a table counts."""
    pairs = [(float(row), float(column)) for row, line in enumerate(table) for column, count in enumerate(line) for _ in range(count)]
    return [[pair[side] for pair in pairs] for side in (0, 1)]


def krippendorff_missing(group) -> Iterator[Check]:
    """Alpha with missing ratings, at each level that is given."""
    for level in ("nominal", "ordinal", "interval", "ratio"):
        if level in group:
            found = answered(partial(krippendorff_alpha, group["data_raters_x_units"], level=level))
            yield Check(level, found, right_or_undefined(group[level]))


def weighted_kappa_three_class(group) -> Iterator[Check]:
    """Weighted kappa of a table, which the file may give."""
    table = next((value for key, value in group.items() if key.startswith("table")), THREE_CLASSES)
    for weights in ("linear", "quadratic"):
        if weights in group:
            yield Check(weights, answered(partial(weighted_kappa, table, weights=weights)), right_or_undefined(group[weights]))


def rogan_gladen_cases(group) -> Iterator[Check]:
    """Correction by a judge's errors: a value, one outside of 0 to 1, none."""
    for index, case in enumerate(group):
        given = case["in"]
        labelled = Labelled(given["tp"], given["pos"], given["tn"], given["neg"])
        found = refused_or(partial(rogan_gladen, given["judge_pass"], given["n"], labelled))
        if found is None or case.get("corrected") is None:
            yield Check(f"case {index} has no value, and says why", found is None or (found.value is None and bool(found.note)), right=True)
            continue
        yield Check(f"case {index} apparent", found.apparent, number(case["apparent"]))
        yield Check(f"case {index} sensitivity", found.sensitivity, number(case["se"]))
        yield Check(f"case {index} specificity", found.specificity, number(case["sp"]))
        yield Check(f"case {index} corrected", found.value, number(case["corrected"]))
        yield Check(f"case {index} variance", found.variance, number(case["delta_var"]))
        yield Check(f"case {index} error", found.error, case["delta_se"])
        outside = not 0 <= number(case["corrected"]) <= 1
        yield Check(f"case {index} outside of 0 to 1 is said", bool(found.note), outside)
        yield Check(f"case {index} clipped", found.clipped, min(1.0, max(0.0, number(case["corrected"]))))


def ppi_mean(group) -> Iterator[Check]:
    """A mean from labels and a judge, at full weight of the judge."""
    found = prediction_powered_mean(group["Y"], group["judge_labeled"], group["judge_unlabeled"], weight=1)
    yield Check("value", found.value, number(group["lambda1_point"]))
    yield Check("error", found.error, group["lambda1_se"])
    yield Check("people only", found.people_only, number(group["human_only_mean"]))


def e_value_paths(group) -> Iterator[Check]:
    """The e-value after each trial."""
    for name, case in group.items():
        if not isinstance(case, dict):
            continue
        outcomes = case.get("seq", [int("fail" not in name)] * len(case["path"]))
        found = e_value.path(outcomes, rate=case.get("p0", group.get("p0")))
        yield Check(f"{name} path", found, case["path"])
        yield Check(f"{name} final", found[-1] if found else 1.0, case["final"])


def group_sequential(group) -> Iterator[Check]:
    """Constants and bounds for planned looks."""
    tolerance = group.get("tolerance", 0.002)
    for looks, right in group.get("constants_C", {}).items():
        yield Check(f"two-sided K={looks}", obrien_fleming.constant(int(looks)), right, tolerance)
    for key, right in group.items():
        if key.startswith("z_bounds_K"):
            yield Check(key, obrien_fleming.bounds(int(key.removeprefix("z_bounds_K"))), right, tolerance)
    one = group.get("one_sided_05", {})
    for name, function in (("obrien_fleming_C", obrien_fleming.constant), ("pocock_C", pocock.constant)):
        for looks, right in one.get(name, {}).items():
            yield Check(f"one-sided {name} K={looks}", function(int(looks), sides=1), right, 0.001)


def cusum(group) -> Iterator[Check]:
    """The sum after each trial, and the mean trials to a false alarm."""
    rates = {"expected": group["p0"], "dropped": group["p1"]}
    yield Check("path", bernoulli_cusum.path(group["x"], **rates), group["path"])
    for key, case in group.items():
        if key.startswith("ARL"):
            which, _, threshold = key.partition("_h_")
            rate = group["p1"] if which == "ARL1" else group["p0"]
            found = bernoulli_cusum.run_length(rate, **rates, threshold=float(threshold), states=FILES_STATES)
            yield Check(key, found / case["approx"], 1.0, case["tolerance_rel"])


def laney(group) -> Iterator[Check]:
    """A chart whose limits hold the spread of days, beside the plain one."""
    found = laney_p_prime.limits(group["x"], group["n"])
    yield Check("centre", found.centre, number(group["p_bar"]))
    yield Check("z", list(found.z), group["z"])
    yield Check("sigma_z", found.sigma_z, group["sigma_z"])
    ends = [found.at(trials) for trials in group["n"]]
    yield Check("lower limits", [end.lower if end else None for end in ends], group["lower_limit_each"])
    yield Check("lower limits of the plain chart", [found.plain_at(trials).lower for trials in group["n"]], group["plain_p_chart_lower"])


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

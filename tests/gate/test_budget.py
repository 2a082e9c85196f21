"""The rule `budget`: what a trial costs against a ceiling."""

from __future__ import annotations

from math import nextafter

import pytest

from seatrial.measure.cost import trials_for_finite_limit, woodruff
from seatrial.records.task import Task
from tests.gate.made import evidence, many, says

RESULTS = many(30, "pp")
PRICES = {name: {"usd": 0.01 * (1 + index % 5)} for index, name in enumerate(RESULTS)}


def cost(**more):
    return evidence(RESULTS, costs=PRICES | more)


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ({"unit": "usd", "at_most": 0.05}, "pass"),
        ({"unit": "usd", "at_most": 0.03}, "inconclusive"),
        ({"unit": "usd", "at_most": 0.01}, "fail"),
        ({"unit": "calls", "at_most": 2}, "pass"),
        ({"unit": "calls", "at_most": 1.99}, "fail"),
        ({"unit": "seconds", "at_most": 1.5}, "pass"),
        ({"unit": "tokens", "at_most": 1e9}, "inconclusive"),
        ({"unit": "tokens", "at_most": 1e9, "statistic": "p95"}, "inconclusive"),
        ({"unit": "usd", "at_most": 1e9, "statistic": "p95"}, "inconclusive"),
        ({"unit": "usd", "at_most": 0.01, "statistic": "p95"}, "fail"),
        ({"unit": "usd", "at_most": 0.05, "kind": "regression"}, "inconclusive"),
    ],
)
def test_it_passes_fails_and_is_inconclusive(arguments, value):
    """An upper limit under the ceiling passes, a lower one above it fails; a cost that nobody knows is not 0."""
    assert says("budget", cost(), **arguments).value == value


def test_the_edges_are_where_the_limits_lie():
    """A ceiling at the upper limit passes, a step below it does not; one at the lower limit does not fail, a step below it does."""
    found = says("budget", cost(), unit="usd", at_most=0.03).estimate
    assert says("budget", cost(), unit="usd", at_most=found.upper).value == "pass"
    assert says("budget", cost(), unit="usd", at_most=nextafter(found.upper, 0)).value == "inconclusive"
    assert says("budget", cost(), unit="usd", at_most=found.lower).value == "inconclusive"
    assert says("budget", cost(), unit="usd", at_most=nextafter(found.lower, 0)).value == "fail"


def test_one_unknown_price_takes_the_pass_away():
    """While the price of a single trial is not known nothing passes, however cheap the others are."""
    found = says("budget", cost(t000={"usd": None}), unit="usd", at_most=1e9)
    assert found.value == "inconclusive"
    assert "not known of 2 trials" in found.reason


def test_each_kind_holds_by_itself():
    """A cheap kind does not pay for a dear one."""

    def make(name: str) -> Task:
        return Task(name, kind="regression" if name.startswith("r") else "capability")

    dear = {name: {"usd": 9.0} for name in many(30, "", "r")}
    found = evidence(RESULTS | many(30, "pp", "r"), make=make, costs=PRICES | dear)
    result = says("budget", found, unit="usd", at_most=1.0)
    assert result.value == "fail"
    assert result.reason.startswith("regression")
    assert says("budget", found, unit="usd", at_most=1.0, kind="capability").value == "pass"


def test_the_holdout_decides_by_itself():
    """Cheap dev tasks do not make a dear holdout cheap."""
    results = many(30, "pp", "h") | many(90, "pp", "t")
    dear = {name: {"usd": 9.0} for name in results if name.startswith("h")}
    found = says("budget", evidence(results, costs=dear), unit="usd", at_most=5.0)
    assert (found.value, found.subject) == ("fail", "holdout")


@pytest.mark.parametrize("tasks", [5, 20, 150])
def test_the_trials_that_a_p95_asks_for_are_the_first_that_make_it_finite(tasks):
    """With so many different trials the upper limit is finite, with one fewer it is not."""
    least = trials_for_finite_limit(tasks)
    for trials in range(least - 2, least + 2):
        spread = [[float(place) for place in range(task, trials, tasks)] for task in range(min(tasks, trials))]
        if len(spread) == tasks:
            assert (woodruff(spread, 0.95)[1] is not None) <= (trials >= least)

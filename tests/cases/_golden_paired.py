"""Groups of the golden file: two candidates and more: differences, power, slices, several p values, what limits say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf

from seatrial.measure import power
from seatrial.measure.bar import against_bar
from seatrial.measure.false_discovery import false_discovery
from seatrial.measure.holm import holm
from seatrial.measure.mcnemar import mcnemar
from seatrial.measure.non_inferiority import not_worse, p_not_worse
from seatrial.measure.paired_difference import difference
from seatrial.measure.paired_t import paired_t
from seatrial.measure.sign_flip import sign_flip
from seatrial.measure.standard_error import of_new_tasks
from seatrial.measure.standardised import Part, standardised
from seatrial.measure.task_bootstrap import law
from tests.cases._golden import TOLERANCE, Check, Group, each, given, number

DRAWN_P = 0.02
"""Of a p value whose ways are drawn, not counted."""


def paired_differences(group) -> Iterator[Check]:
    """Differences of tasks: their mean, the two tests, and the exact law of the bootstrap over tasks."""
    yield from each(group, _differences)


def _differences(name, case) -> Iterator[Check]:
    found = case["d"]
    place = f"{name} (m={len(found)})"
    ours = difference([0.0] * len(found), found, name="d", seed=1, reach=max(1.0, *map(abs, found)))
    tested, flipped = paired_t(found), sign_flip(found, seed=1)
    plain = {"mean": ours.estimate.value, "se": partial(of_new_tasks, found), "paired_t_p_two_sided": tested and tested.p_two_sided}
    yield from given(place, case, plain)
    sides = {f"signflip_p_{side}": getattr(flipped, side) for side in ("two_sided", "greater", "less")}
    yield from given(place, case, sides, TOLERANCE if flipped.exact else DRAWN_P)
    yield Check(f"{place} has a width and a p", [ours.estimate.lower < ours.estimate.upper, 0 < ours.p_value <= 1], [True, True])
    if "exact_bootstrap" in case:
        yield from _bootstrap(f"{place} bootstrap", law(found), case["exact_bootstrap"])


def _bootstrap(place: str, exact, right) -> Iterator[Check]:
    ours = {
        "bootstrap_se": exact.standard_error,
        "var": lambda: float(exact.variance),
        "P_boot_le_0": lambda: float(exact.at_most(0)),
    }
    yield from given(place, right, ours)
    for share, value in right.get("quantiles_inverted_cdf", {}).items():
        yield Check(f"{place} quantile {share}", float(exact.quantile(float(share))), number(value))


def mcnemar_cases(group) -> Iterator[Check]:
    """Tasks that only one candidate passes."""
    yield from each(group, _mcnemar)


def _mcnemar(_, case) -> Iterator[Check]:
    found = mcnemar(case["b_only_A"], case["c_only_B"])
    ours = {
        "exact": found.exact,
        "midp": found.mid_p,
        "chi2": found.chi_square,
        "p_chi2": found.p_chi_square,
        "chi2_cc": found.chi_square_corrected,
        "p_chi2_cc": found.p_chi_square_corrected,
    }
    yield from given(f"b={case['b_only_A']} c={case['c_only_B']}", case, ours)


def multiple_comparisons(group) -> Iterator[Check]:
    """Several p values, corrected."""
    yield from each(group, _corrected)


def _corrected(name, case) -> Iterator[Check]:
    values = case["p"]
    ways = {"holm": partial(holm, values), "bh": partial(false_discovery, values)}
    yield from given(name, case, ways | {"by": partial(false_discovery, values, dependence="any")})


def power_items_needed(group) -> Iterator[Check]:
    """Tasks by the published formula; Student's t asks for the same or a little more."""
    yield from each(group, _power)


def _power(_, case) -> Iterator[Check]:
    before, after = (case[side] if side in case else case["K"] for side in ("KA", "KB"))
    options = {"power": case.get("power", power.POWER), "two_sided": case.get("two_sided", True)}
    spread = power.spread_of(case["omega2"], (case["sA2"], before), (case["sB2"], after))
    name = f"delta={case['delta']:g} omega2={case['omega2']:g} K={before}/{after}"
    found = power.tasks_by_formula(case["delta"], spread=spread, **options)
    yield from given(name, case, {"items": found})
    refined = power.tasks_for_spread(case["delta"], spread=spread, **options)
    yield Check(f"{name} by Student's t, at most 3 more", 0 <= refined - found <= 3, right=True)


def simpson_slices(group) -> Iterator[Check]:
    """A score that rises while every slice falls."""
    yield from each(group, _slices)


def _slices(name, case) -> Iterator[Check]:
    before, after = ({part: Part(passed / n, n) for part, (passed, n) in case[side].items() if n} for side in ("old", "new"))
    found = standardised(before, after)
    yield from given(name, case, {"old_rate": found.before, "new_rate": found.after, "standardised_new_on_old_mix": found.after_on_mix})
    yield from given(f"{name} on its own mix", case, {"old_rate": found.before_on_mix})
    for part, right in case.get("slice_diffs", {}).items():
        yield Check(f"{name} {part}", found.differences.get(part), number(right))


def noninferiority_paired_t(group) -> Iterator[Check]:
    """Limits of a mean difference and p that it lies above minus the margin, by Student's t."""
    yield from each(group, _not_worse)


def _not_worse(name, case) -> Iterator[Check]:
    found = case["d"]
    tested = paired_t(found)
    ours = {
        "mean": difference([0.0] * len(found), found, name="d", seed=1, reach=inf).estimate.value,
        "se": tested.error if tested else of_new_tasks(found),
        "lower95_one_sided": tested and tested.one_sided.lower,
        "upper95_one_sided": tested and tested.one_sided.upper,
        "p_noninferior": partial(p_not_worse, found, case["margin"]),
    }
    yield from given(f"{name} (margin {case['margin']:g})", case, ours)


def verdicts_bar(group) -> Iterator[Check]:
    """Limits against a bar."""
    yield from each(group, _bar)


def _bar(_, case) -> Iterator[Check]:
    lower, upper, bar = case["lower"], case["upper"], case["bar"]
    yield Check(f"[{lower}, {upper}] against {bar}", against_bar(lower, upper, bar), case["verdict"].lower())


def verdicts_noninferiority(group) -> Iterator[Check]:
    """Limits of a difference against a margin."""
    yield from each(group, _margin)


def _margin(_, case) -> Iterator[Check]:
    lower, upper, margin = case["lower"], case["upper"], case["margin"]
    name, right = f"[{lower}, {upper}] margin {margin}", case["verdict"]
    found = not_worse(lower, upper, margin)
    if right.split() != [right]:
        yield Check(name, found.words, right)
    yield Check(f"{name} decision", found.value, right.split(":")[0].split()[0].lower())


GROUPS: dict[str, Group] = {
    "paired_differences": paired_differences,
    "mcnemar": mcnemar_cases,
    "multiple_comparisons": multiple_comparisons,
    "power_items_needed": power_items_needed,
    "simpson_slices": simpson_slices,
    "noninferiority_paired_t": noninferiority_paired_t,
    "verdicts_bar": verdicts_bar,
    "verdicts_noninferiority": verdicts_noninferiority,
}

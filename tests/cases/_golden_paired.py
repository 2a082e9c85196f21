"""Groups of the golden file: two candidates and more: differences, power, slices, several p values, what limits say."""

from __future__ import annotations

from collections.abc import Iterator

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
from tests.cases._golden import Check, Group, number

DRAWN_P = 0.02
"""Of a p value whose ways are drawn, not counted."""


def paired_differences(group) -> Iterator[Check]:
    """Differences of tasks: their mean, the two tests, and the exact law of the bootstrap over tasks."""
    for index, case in enumerate(group["cases"]):
        name, found = f"case {index} (m={len(case['d'])})", case["d"]
        ours = difference([0.0] * len(found), found, name="d", seed=1, reach=max(1.0, *map(abs, found)))
        yield Check(f"{name} mean", ours.estimate.value, number(case["mean"]))
        if "se" in case:
            yield Check(f"{name} se", of_new_tasks(found), case["se"])
        flipped = sign_flip(found, seed=1)
        tolerance = 1e-9 if flipped.exact else DRAWN_P
        for key, p in (("two_sided", flipped.two_sided), ("greater", flipped.greater), ("less", flipped.less)):
            if f"signflip_p_{key}" in case:
                yield Check(f"{name} sign flip {key}", p, number(case[f"signflip_p_{key}"]), tolerance)
        if "paired_t_p_two_sided" in case:
            tested = paired_t(found)
            yield Check(f"{name} paired t", tested and tested.p_two_sided, case["paired_t_p_two_sided"])
        yield Check(f"{name} has a width and a p", [ours.estimate.lower < ours.estimate.upper, 0 < ours.p_value <= 1], [True, True])
        if "exact_bootstrap" in case:
            yield from _bootstrap(name, found, case["exact_bootstrap"])


def _bootstrap(name: str, found, right) -> Iterator[Check]:
    exact = law(found)
    if "bootstrap_se" in right:
        yield Check(f"{name} bootstrap se", exact.standard_error, right["bootstrap_se"])
    if "var" in right:
        yield Check(f"{name} bootstrap variance", float(exact.variance), number(right["var"]))
    for share, value in right.get("quantiles_inverted_cdf", {}).items():
        yield Check(f"{name} bootstrap quantile {share}", float(exact.quantile(float(share))), number(value))
    if "P_boot_le_0" in right:
        yield Check(f"{name} bootstrap at most 0", float(exact.at_most(0)), number(right["P_boot_le_0"]))


def mcnemar_cases(group) -> Iterator[Check]:
    """Tasks that only one candidate passes."""
    fields = {
        "exact": "exact",
        "midp": "mid_p",
        "chi2": "chi_square",
        "p_chi2": "p_chi_square",
        "chi2_cc": "chi_square_corrected",
        "p_chi2_cc": "p_chi_square_corrected",
    }
    for case in group:
        found = mcnemar(case["b_only_A"], case["c_only_B"])
        for key, field in fields.items():
            if key in case:
                yield Check(f"b={case['b_only_A']} c={case['c_only_B']} {key}", getattr(found, field), number(case[key]))


def multiple_comparisons(group) -> Iterator[Check]:
    """Several p values, corrected."""
    for index, case in enumerate(group if isinstance(group, list) else [group]):
        ways = {"holm": holm, "bh": false_discovery, "by": lambda p: false_discovery(p, dependence="any")}
        for name, corrected in ways.items():
            if name in case:
                yield Check(f"set {index} {name}", corrected(case["p"]), case[name])


def power_items_needed(group) -> Iterator[Check]:
    """Tasks by the published formula; Student's t asks for the same or a little more."""
    for case in group["cases"]:
        before, after = case.get("KA", case.get("K")), case.get("KB", case.get("K"))
        options = {"power": case.get("power", power.POWER), "two_sided": case.get("two_sided", True)}
        spread = power.spread_of(case["omega2"], (case["sA2"], before), (case["sB2"], after))
        name = f"delta={case['delta']:g} omega2={case['omega2']:g} K={before}/{after}"
        found = power.tasks_by_formula(case["delta"], spread=spread, **options)
        yield Check(f"{name} tasks", found, case["items"])
        refined = power.tasks_for_spread(case["delta"], spread=spread, **options)
        yield Check(f"{name} by Student's t, at most 3 more", 0 <= refined - found <= 3, right=True)


def simpson_slices(group) -> Iterator[Check]:
    """A score that rises while every slice falls."""
    for index, case in enumerate(group if isinstance(group, list) else [group]):
        before, after = ({name: Part(passed / n, n) for name, (passed, n) in case[side].items()} for side in ("old", "new"))
        found = standardised(before, after)
        yield Check(f"set {index} old", found.before, number(case["old_rate"]))
        yield Check(f"set {index} new", found.after, number(case["new_rate"]))
        for name, right in case["slice_diffs"].items():
            yield Check(f"set {index} {name}", found.differences[name], number(right))
        yield Check(f"set {index} new on the old mix", found.after_on_mix, number(case["standardised_new_on_old_mix"]))
        yield Check(f"set {index} old on the old mix", found.before_on_mix, number(case["old_rate"]))


def noninferiority_paired_t(group) -> Iterator[Check]:
    """Limits of a mean difference and p that it lies above minus the margin, by Student's t."""
    for index, case in enumerate(group):
        name, found = f"case {index} (margin {case['margin']:g})", case["d"]
        tested = paired_t(found)
        ours = {
            "mean": tested and tested.mean,
            "se": tested.error if tested else of_new_tasks(found),
            "lower95_one_sided": tested and tested.one_sided.lower,
            "upper95_one_sided": tested and tested.one_sided.upper,
            "p_noninferior": p_not_worse(found, case["margin"]),
        }
        for key, value in ours.items():
            if key in case:
                yield Check(f"{name} {key}", value, number(case[key]))


def verdicts_bar(group) -> Iterator[Check]:
    """Limits against a bar."""
    for case in group:
        name = f"[{case['lower']}, {case['upper']}] against {case['bar']}"
        yield Check(name, against_bar(case["lower"], case["upper"], case["bar"]), case["verdict"])


def verdicts_noninferiority(group) -> Iterator[Check]:
    """Limits of a difference against a margin."""
    for case in group:
        name = f"[{case['lower']}, {case['upper']}] margin {case['margin']}"
        found = not_worse(case["lower"], case["upper"], case["margin"])
        yield Check(name, found.words, case["verdict"])
        yield Check(f"{name} decision", found.value, case["verdict"].split(":")[0].split()[0])


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

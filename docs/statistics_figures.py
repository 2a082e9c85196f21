# ruff: noqa: INP001
"""Write the figures of `statistics.md` and the worked figures of two candidates. Run: `python -m docs.statistics_figures`.

Every point is computed by the functions that reports use; nothing is drawn at random. A test computes all of it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

import click
from scipy.stats import betabinom, binom

from seatrial.measure import dirichlet_ends, power, student_t, task_bootstrap, zero_violations
from seatrial.measure.false_discovery import false_discovery
from seatrial.measure.holm import holm
from seatrial.measure.mcnemar import mcnemar
from seatrial.measure.non_inferiority import not_worse
from seatrial.measure.paired_difference import difference
from seatrial.measure.pass_k import pass_k
from seatrial.measure.sign_flip import sign_flip
from seatrial.measure.slice_alarm import alarm
from seatrial.measure.standardised import Part, standardised
from seatrial.records.estimate import Difference
from seatrial.report._axis import Axis, axis

FOLDER = Path(__file__).parent / "figures"
TASKS, TRIALS = 20, 8
BETWEEN, WITHIN = 0.02, 0.10
"""Variances of a pair of candidates: of true differences between tasks, and of one trial within a task."""
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 340, 60, 700, 40, 270
_STYLE = """
svg{font:12px system-ui,sans-serif;--ink:#1b1f24;--dim:#57606a;--line:#d0d7de;--paper:#fff;--a:#0550ae;--b:#bc4c00;--c:#6639ba}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--dim:#9aa4ae;--line:#3d444d;--paper:#0d1117;--a:#79c0ff;--b:#ffa657;--c:#d2a8ff}}
.paper{fill:var(--paper)}text{fill:var(--ink)}.dim{fill:var(--dim)}.grid{stroke:var(--line)}.title{font-weight:600;font-size:13px}
path,line.mark{fill:none;stroke-width:2}
.a{stroke:var(--a)}.b{stroke:var(--b);stroke-dasharray:6 3}.c{stroke:var(--c);stroke-dasharray:2 3}
circle{stroke-width:2;stroke-dasharray:none;fill:var(--paper)}circle.a{fill:var(--a)}.cross{stroke-dasharray:none}
"""
_CLASSES = "abc"

Curve = Sequence[tuple[float, float]]
Row = tuple[str, str, str]


def main() -> None:
    """Write all figures and print all tables."""
    write_figures()
    for _, _, make in PARTS:
        click.echo(f"\n{make()}")


def write_figures() -> None:
    """Write `docs/figures/*.svg` and say so."""
    FOLDER.mkdir(exist_ok=True)
    for name, make in FIGURES.items():
        (FOLDER / f"{name}.svg").write_text(make(), encoding="utf-8")
        click.echo(f"wrote docs/figures/{name}.svg")


def coverage() -> dict[str, dict[str, float]]:
    """Return method → population → how often its 95 % interval of pass^8 holds the truth, exactly: 20 tasks of 8 trials."""
    from tests.cases._populations import POPULATIONS

    values = [[1.0] * passed + [0.0] * (TASKS - passed) for passed in range(TASKS + 1)]
    methods: dict[str, list[tuple[float, float]]] = {
        "Dirichlet ends (reports)": [tuple(dirichlet_ends.interval(one)) for one in values],
        "Student's t over tasks": [tuple(student_t.interval(one) or (0.0, 1.0)) for one in values],
        "bootstrap over tasks": [_percentiles(one) for one in values],
    }
    return {
        name: {one.name: _held(ends, one.power(TRIALS)) for one in sorted(POPULATIONS, key=lambda one: one.power(TRIALS))}
        for name, ends in methods.items()
    }


def _percentiles(values: Sequence[float]) -> tuple[float, float]:
    law = task_bootstrap.law(values)
    return float(law.quantile(0.025)), float(law.quantile(0.975))


def _held(ends: Sequence[tuple[float, float]], true: float) -> float:
    """Return the chance that the interval of the number of tasks that pass every trial holds the truth."""
    return sum(float(binom.pmf(passed, TASKS, true)) for passed, (low, high) in enumerate(ends) if low <= true <= high)


def coverage_table() -> str:
    """Return the coverage of three intervals as a Markdown table."""
    found = coverage()
    names = list(next(iter(found.values())))
    lines = [f"| {name} | " + " | ".join(f"{column[name]:.1%}" for column in found.values()) + " |" for name in names]
    return "\n".join(["| tasks are | " + " | ".join(found) + " |", "|---|" + "---|" * len(found), *lines])


def coverage_figure() -> str:
    """Draw the coverage of three intervals: a mark a population."""
    found = coverage()
    names = list(next(iter(found.values())))
    curves = {name: list(enumerate(column.values())) for name, column in found.items()}
    across = Axis(-0.5, len(names) - 0.5, _LEFT, _RIGHT, logarithmic=False, ticks=tuple(range(len(names))))
    up = Axis(0.0, 1.0, _BOTTOM, _TOP, logarithmic=False, ticks=(0.0, 0.25, 0.5, 0.75, 0.95))
    labels = [name.split(",")[0] if "%" in name else name.removeprefix("U-shaped ") for name in names]
    body = [*_grid(across, up, labels, [f"{tick:.0%}" for tick in up.ticks]), *_curves(curves, across, up, dots=True, joined=False)]
    return _svg("How often a 95 % interval of pass^8 holds the truth, 20 tasks × 8 trials", curves, body)


def bias_figure() -> str:
    """Draw what pass^k is, and what two ways to get it wrong come to: tasks with Beta(2, 1), 8 trials each."""
    law = betabinom(TRIALS, 2, 1)
    chances = [float(law.pmf(c)) for c in range(TRIALS + 1)]
    ks = range(1, TRIALS + 1)
    curves = {
        "C(c, k) / C(n, k): the truth": [(k, sum(chance * (pass_k(c, TRIALS, k) or 0.0) for c, chance in enumerate(chances))) for k in ks],
        "mean of (c / n)^k": [(k, sum(chance * (c / TRIALS) ** k for c, chance in enumerate(chances))) for k in ks],
        "(mean pass rate)^k": [(k, (2 / 3) ** k) for k in ks],
    }
    across = Axis(0.5, 8.5, _LEFT, _RIGHT, logarithmic=False, ticks=tuple(ks))
    up = axis([0.0, 0.7], _BOTTOM, _TOP)
    body = [*_grid(across, up, [f"k = {k}" for k in ks], [f"{tick:.0%}" for tick in up.ticks]), *_curves(curves, across, up, dots=True)]
    return _svg("What three formulas give on average, 8 trials of tasks with rates Beta(2, 1)", curves, body)


def zero_figure() -> str:
    """Draw the rate that no violation still allows."""
    points = [round(10 ** (step / 20)) for step in range(20, 71)]
    curves = {
        "95 % confidence": [(m, zero_violations.allowed_rate(m)) for m in points],
        "99 % confidence": [(m, zero_violations.allowed_rate(m, confidence=0.99)) for m in points],
    }
    across = axis([10, 3162], _LEFT, _RIGHT, may_be_logarithmic=True)
    up = axis([0.001, 0.3], _BOTTOM, _TOP, may_be_logarithmic=True)
    marks = [f"{tick:g} tasks" for tick in across.ticks]
    body = [*_grid(across, up, marks, [f"{tick:.1%}" for tick in up.ticks]), *_curves(curves, across, up)]
    return _svg("The rate of violations that none in so many tasks allows (logarithmic)", curves, body)


def power_figure() -> str:
    """Draw the smallest drop that is found with 80 % power."""
    points = [round(10 ** (step / 20)) for step in range(20, 61)]
    curves = {f"{trials} trial{'s' * (trials > 1)}": [(m, _drop(m, trials)) for m in points] for trials in (1, 4, 8)}
    across = axis([10, 1000], _LEFT, _RIGHT, may_be_logarithmic=True)
    up = axis([0.0, 0.5], _BOTTOM, _TOP)
    marks = [f"{tick:g} tasks" for tick in across.ticks]
    body = [*_grid(across, up, marks, [f"{tick * 100:g}" for tick in up.ticks]), *_curves(curves, across, up)]
    return _svg("The smallest drop, in points, that a paired comparison finds with 80 % power", curves, body)


def _drop(tasks: int, trials: int) -> float:
    sides = {"within_before": WITHIN, "within_after": WITHIN, "trials_before": trials, "trials_after": trials}
    return power.smallest_drop(tasks=tasks, between=BETWEEN, **sides)


def power_table() -> str:
    """Return what a comparison can find, and what a drop needs, as a Markdown table."""
    rows = [
        f"| {tasks} tasks | " + " | ".join(f"{_drop(tasks, trials) * 100:.1f}" for trials in (1, 4, 8)) + " |"
        for tasks in (20, 50, 150, 300)
    ]
    for points in (10, 5, 3):
        needed = [_needed(points / 100, trials) for trials in (1, 4, 8)]
        rows.append(f"| *{points} points need* | " + " | ".join(f"*{found:,} tasks*" for found in needed) + " |")
    return "\n".join(["| | 1 trial | 4 trials | 8 trials |", "|---|---|---|---|", *rows])


def _needed(delta: float, trials: int) -> int:
    return power.tasks_needed(delta, between=BETWEEN, within_before=WITHIN, within_after=WITHIN, trials_before=trials, trials_after=trials)


def two_candidates() -> str:
    """Return the worked figures of two candidates as a Markdown table."""
    rows = [*_differences(), *_limits(), *_several(), *_planning(), *_resampled()]
    return "\n".join(["| statistic | of what | figure |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)])


DROPPED = [(8, 8)] * 8 + [(8, 7), (8, 6), (7, 4), (6, 6), (8, 5), (5, 6), (4, 2), (7, 5), (8, 7), (3, 1), (6, 3), (8, 4)]
"""Twenty tasks: passed of eight trials by the baseline, and by the candidate."""


def _compared(pairs: Sequence[tuple[int, int]]) -> Difference:
    return difference([old / 8 for old, _ in pairs], [new / 8 for _, new in pairs], name="strict", seed=1)


def _differences() -> Iterator[Row]:
    alike, constant, dropped = _compared([(8, 8)] * 20), _compared([(4, 6)] * 6), _compared(DROPPED)
    yield "`paired_difference`", "20 tasks, 11 get worse and 1 better", _told(dropped)
    yield "`paired_t`, `sign_flip`", "the same, two-sided p", f"{dropped.p_value:.4f}, {dropped.p_sign_flip:.4f}"
    yield "`paired_difference`", "20 tasks of which none differs", _told(alike)
    yield "`paired_difference`", "6 tasks, each gains 25 points", f"{_told(constant)}, p {constant.p_value:.3f} (a t test says 0)"
    found = mcnemar(9, 1)
    yield "`mcnemar`", "9 tasks only the baseline passes, 1 only the candidate", f"p {found.exact:.3f}, mid-p {found.mid_p:.3f}"


def _told(found: Difference) -> str:
    ends = found.estimate
    return f"{_points(ends.value)} [{_points(ends.lower)}, {_points(ends.upper)}], finds {_points(found.detectable).lstrip('+')}"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{value * 100:+.1f}"


def _limits() -> Iterator[Row]:
    dropped = _compared(DROPPED)
    for margin in (0.03, 0.20):
        yield (
            "`non_inferiority`",
            f"the first of these, margin {margin * 100:g} points",
            not_worse(dropped.lower, dropped.upper, margin).words,
        )
    corrected = holm([dropped.p_worse or 0.0, 0.20, 0.45, 0.60, 0.90])[0]
    yield "`slice_alarm`", f"the same as one of five slices, Holm p {corrected:.4f}", alarm(dropped, corrected, margin=0.03, flipped=5)


def _several() -> Iterator[Row]:
    ps = [0.004, 0.02, 0.03, 0.20]
    yield "`holm`", "p .004, .02, .03, .20", ", ".join(f"{p:.3f}" for p in holm(ps))
    yield "`false_discovery`", "the same", ", ".join(f"{p:.3f}" for p in false_discovery(ps))
    old, new = {"easy": Part(0.90, 100), "hard": Part(0.30, 100)}, {"easy": Part(0.88, 300), "hard": Part(0.28, 100)}
    found = standardised(old, new)
    pooled, fixed = found.after - found.before, found.after_on_mix - found.before_on_mix
    yield "`standardised`", "200 easy tasks added, both slices fall by 2 points", f"pooled {_points(pooled)}, on one mix {_points(fixed)}"


def _planning() -> Iterator[Row]:
    sides = {"between": BETWEEN, "within_before": WITHIN, "within_after": WITHIN}
    for points in (5, 3):
        trials = power.trials_needed(points / 100, tasks=150, **sides)
        answer = "no number of trials" if trials is None else f"{trials} trials"
        yield "`power`", f"a drop of {points} points on 150 tasks", f"{answer}, or {_needed(points / 100, 8):,} tasks at 8"


def _resampled() -> Iterator[Row]:
    law, flipped = task_bootstrap.law([0.125, 0, -0.25, 0.375, 0.5]), sign_flip([0.125, 0, -0.25, 0.375, 0.5])
    ends = f"[{_points(float(law.quantile(0.025)))}, {_points(float(law.quantile(0.975)))}]"
    yield "`task_bootstrap`", "5 differences", f"{ends}, {float(law.at_most(0)):.3f} at or below 0; sign flip p {flipped.two_sided:.3f}"


def _grid(across: Axis, up: Axis, columns: Sequence[str], rows: Sequence[str]) -> Iterator[str]:
    """Yield the lines at round values and what they stand for."""
    for tick, label in zip(up.ticks, rows, strict=True):
        y = up.at(tick)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text class="dim" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
    for tick, label in zip(across.ticks, columns, strict=True):
        yield f'<text class="dim" x="{across.at(tick):.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{escape(label)}</text>'


def _curves(curves: Mapping[str, Curve], across: Axis, up: Axis, *, dots: bool = False, joined: bool = True) -> Iterator[str]:
    """Yield the curves, each with its own colour and dashes, and what they are called below."""
    for (name, curve), letter, number in zip(curves.items(), _CLASSES, range(len(curves)), strict=False):
        spots = [(across.at(x), up.at(y)) for x, y in curve]
        if joined:
            yield f'<path class="{letter}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in spots)}"/>'
        if dots:
            yield from (_dot(letter, x, y) for x, y in spots)
        left = _LEFT + number * (_RIGHT - _LEFT) / len(curves)
        if joined:
            yield f'<line class="mark {letter}" x1="{left:.0f}" x2="{left + 22:.0f}" y1="{_HEIGHT - 24}" y2="{_HEIGHT - 24}"/>'
        else:
            yield _dot(letter, left + 14, _HEIGHT - 24)
        yield f'<text x="{left + 28:.0f}" y="{_HEIGHT - 20}">{escape(name)}</text>'


def _dot(letter: str, x: float, y: float) -> str:
    """Return a mark whose shape tells curves apart as its colour does: a disc, a ring, a cross."""
    if letter == "c":
        return f'<path class="c cross" d="M{x - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8"/>'
    return f'<circle class="{letter}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def _svg(title: str, curves: Mapping[str, Curve], body: Sequence[str]) -> str:
    """Return one SVG document whose description says its numbers in words."""
    told = "; ".join(f"{name}: " + ", ".join(f"{y:.3f}" for _, y in curve[:: max(1, len(curve) // 8)]) for name, curve in curves.items())
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    return "\n".join(
        [
            f'{head} role="img" aria-labelledby="title desc">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(told)}</desc>',
            f"<style>{_STYLE}</style>",
            f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
            f'<text class="title" x="{_LEFT}" y="22">{escape(title)}</text>',
            *body,
            "</svg>",
            "",
        ]
    )


FIGURES: dict[str, Callable[[], str]] = {
    "coverage": coverage_figure,
    "bias": bias_figure,
    "zero-violations": zero_figure,
    "power": power_figure,
}
"""Name of the file in `docs/figures` → the function that draws it."""
PARTS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("<!-- coverage of three intervals -->", "<!-- end of coverage -->", coverage_table),
    ("<!-- power -->", "<!-- end of power -->", power_table),
    ("<!-- worked: two candidates -->", "<!-- end of worked -->", two_candidates),
)
"""Marks around the generated parts of `statistics.md` → the function that writes what stands between."""


if __name__ == "__main__":
    main()

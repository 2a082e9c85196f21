# ruff: noqa: INP001
"""Write the tables of `humaneval.md` and its picture from a table of trials. Run: `python -m docs.humaneval FILE`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from seatrial.app.importing import import_all
from seatrial.app.reporting import summary_of
from seatrial.compare import compare
from seatrial.compare.plane import plane
from seatrial.importers.csv import Columns
from seatrial.records.comparison import Comparison
from seatrial.records.plane import Plane, PlaneKind, PlanePoint
from seatrial.records.summary import RunSummary
from seatrial.report import plane_svg

PAGE = Path(__file__).with_name("humaneval.md")
PICTURE = Path(__file__).with_name("humaneval.svg")
START, END = "<!-- figures -->", "<!-- end of figures -->"
COLUMNS = Columns(
    task="task_id",
    passed="solved",
    candidate=("strategy,model",),
    trial="run",
    usd=("own_cost_usd",),
    tokens=("prompt_tokens,completion_tokens",),
    seconds=("task_time_s",),
)
AGENTS = {
    "GPT-3.5": "simple@gpt-3.5-turbo-0125",
    "Escalation": "simple_boosting@l3_8b-gpt35-l3_70b-gpt4-0409",
    "LDB (GPT-3.5)": "ldb@gpt-3.5-turbo-0125+gpt-3.5-turbo-0125",
    "GPT-4": "simple@gpt-4-turbo-2024-04-09",
    "LDB (GPT-3.5 on GPT-4)": "ldb@gpt-3.5-turbo-0125+gpt-4-turbo-2024-04-09",
    "Warming (GPT-4)": "simple_incr_temp@gpt-4-turbo-0409-5step",
    "Retry (GPT-4)": "simple_repeat@gpt-4-turbo-0409-5repeats-no-temp-incr",
    "Reflexion (GPT-4)": "reflexion@gpt-4-turbo-2024-04-09",
    "LDB (GPT-3.5 on Reflexion)": "ldb@gpt-3.5-turbo-0125+reflexion",
    "LDB (GPT-4)": "ldb@gpt-4-turbo-2024-04-09+gpt-4-turbo-2024-04-09",
    "LDB (GPT-4 on Reflexion)": "ldb@gpt-4-turbo-2024-04-09+reflexion",
    "LATS (GPT-3.5)": "lats@gpt-3.5-turbo-0125",
}
"""Name in the page → name of the candidate: the agents of April 2024."""
BUILT_ON = {
    "LDB (GPT-3.5)": "GPT-3.5",
    "LDB (GPT-3.5 on GPT-4)": "GPT-4",
    "LDB (GPT-3.5 on Reflexion)": "Reflexion (GPT-4)",
    "LDB (GPT-4)": "GPT-4",
    "LDB (GPT-4 on Reflexion)": "Reflexion (GPT-4)",
}
"""A debugger and the agent whose programs it starts from; the second word of its model names it."""
PAIRS = (
    ("Warming (GPT-4)", "LDB (GPT-4)"),
    ("Escalation", "Reflexion (GPT-4)"),
)
"""Baseline and candidate of each comparison."""
NAMES = {name: title for title, name in AGENTS.items()}


class Figures(NamedTuple):
    """What the page shows."""

    plane: Plane
    comparisons: tuple[Comparison, ...]
    """For k = 1 and k = 5 of each pair."""


def figures(table: Path) -> Figures:
    """Import a table in a folder that is thrown away, and compare the agents of April 2024."""
    with tempfile.TemporaryDirectory() as folder:
        import_all("csv", table, Path(folder), COLUMNS)
        runs = {title: summary_of(Path(folder) / f"{name}.seatrial") for title, name in AGENTS.items()}
    built_on = {AGENTS[title]: AGENTS[base] for title, base in BUILT_ON.items()}
    found = plane(tuple(runs.values()), ks=(1, 3, 5), built_on=built_on)
    return Figures(found, tuple(_compared(runs, *pair) for pair in PAIRS))


def _compared(runs: dict[str, RunSummary], baseline: str, candidate: str) -> Comparison:
    return compare(runs[baseline], runs[candidate], k=5)


def tables(found: Figures) -> str:
    """Return the generated part of the page."""
    (kind,) = found.plane.kinds
    return "\n".join(
        [
            *_agents(kind),
            "",
            "![Cost and value of the agents](humaneval.svg)",
            "",
            *_frontiers(kind),
            "",
            *_budgets(kind),
            "",
            *_pairs(found),
        ]
    )


def _agents(kind: PlaneKind) -> Iterator[str]:
    yield "| agent | USD a run of the set | pass^1 | pass^2 | pass^3 | pass^4 | pass^5 | pass@5 | flaky tasks |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    yield from (f"| {' | '.join(_agent(point))} |" for point in kind.points)


def _agent(point: PlanePoint) -> tuple[str, ...]:
    single = point.pass_at.name != "pass@5"
    at = "not available" if single else _number(point.pass_at.value)
    curve = (_number(point.at(k)) for k in range(1, 6))
    return (NAMES[point.name], _number(point.cost_of_set, "unknown"), *curve, at, "not available" if single else str(point.flaky))


def _number(value: float | None, absent: str = "not available") -> str:
    return absent if value is None else f"{value:.6f}"


def _frontiers(kind: PlaneKind) -> Iterator[str]:
    yield "| value | convex frontier | the plain frontier adds | surely dominated |"
    yield "|---|---|---|---|"
    for one in kind.frontiers:
        added = [NAMES[name] for name in one.plain if name not in one.convex]
        beaten = [f"{NAMES[place.name]}, by {NAMES[place.dominated_by]}" for place in one.places if place.dominated_by]
        yield f"| pass^{one.k} | {' → '.join(NAMES[name] for name in one.convex)} | {', '.join(added)} | {'; '.join(beaten)} |"


def _budgets(kind: PlaneKind) -> Iterator[str]:
    yield "| agent | held against | trials | success | USD a task | agent minus it, points |"
    yield "|---|---|---:|---:|---:|---:|"
    for row in kind.equal_budget:
        if row.selector == "oracle":
            one = row.difference.estimate
            ends = "" if one.lower is None or one.upper is None else f" ({100 * one.lower:+.1f} to {100 * one.upper:+.1f})"
            cells = (
                NAMES[row.name],
                NAMES[row.baseline],
                f"≤ {row.k}",
                f"{row.success:.3f}",
                f"{row.cost:.4f}",
                f"{100 * (one.value or 0):+.1f}{ends}",
            )
            yield f"| {' | '.join(cells)} |"


def _pairs(found: Figures) -> Iterator[str]:
    yield "| candidate | against | pass^1, points | pass^5, points |"
    yield "|---|---|---:|---:|"
    for one in found.comparisons:
        (kind,) = one.kinds
        first, fifth = (
            f"{100 * (part.estimate.value or 0):+.2f} ({100 * (part.estimate.lower or 0):+.2f} to {100 * (part.estimate.upper or 0):+.2f})"
            for part in (kind.strict, kind.strict_k)
        )
        yield f"| {NAMES[one.candidate.name]} | {NAMES[one.baseline.name]} | {first} | {fifth} |"
    yield ""
    yield "What `seatrial compare` says of the first pair:"
    yield ""
    yield f"> {found.comparisons[0].conclusion.replace('|', '').replace('<', '')}"


def page(text: str, made: str) -> str:
    """Return the page with its generated part replaced."""
    before, rest = text.split(START)
    return f"{before}{START}\n{made}\n{END}{rest.split(END)[1]}"


def main(table: Path) -> None:
    """Write the page's tables and its picture."""
    found = figures(table)
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), tables(found)), encoding="utf-8")
    PICTURE.write_text(plane_svg.render(found.plane), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

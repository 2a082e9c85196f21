"""The main job on the claims-intake suite: two candidates at sea, a decision for each, and the report. `make demo` runs this."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from seatrial.app.comparing import compare_runs, rendered_candidates, rendered_comparison
from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.rendering import rendered
from seatrial.app.reporting import summary_of
from seatrial.app.run import run_candidates
from seatrial.app.writing import write_report
from seatrial.base.clock import SystemClock
from seatrial.cli._progress import Progress
from seatrial.records.grade import Grade
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Trace

SUITE = Path(__file__).parent / "claims_intake"
OUTPUT = Path("out/demo")
AGENTS = ("agents:baseline", "agents:candidate")


def main() -> None:
    """Run both candidates afresh, write an HTML report for each, and print the story."""
    started = time.monotonic()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    suite = load(SUITE).suite
    total = len(AGENTS) * sum(suite.trials_for(task, None) for task in suite.tasks)
    click.echo(f"{len(suite.tasks)} tasks, {len(AGENTS)} candidates, {total} trials, each in a fresh world with the same weather")
    with Progress(total) as progress:
        paths = sail(OUTPUT, progress.watch)
    summaries = [summary_of(path) for path in paths]
    click.echo(rendered_candidates(summaries, paths))
    for summary, path in zip(summaries, paths, strict=True):
        click.echo(_report(summary, path))
    click.echo(f"both traces of every moved task, side by side: {_side_by_side(paths)}")
    click.echo(f"next: seatrial gate {paths[1]} --baseline {paths[0]} --policy examples/claims_intake/release.yaml")
    click.echo(f"({time.monotonic() - started:.0f} s)")


def sail(output: Path, watch: Callable[[Trace, Grade], None] | None = None) -> Sequence[Path]:
    """Run both candidates into a folder and return their run files.

    Args:
        output: The folder.
        watch: Called with every finished trial and its grade.
    """
    options = RunOptions(output=output, concurrency=8)
    return run_candidates(load(SUITE), AGENTS, options, clock=SystemClock(), watch=watch).paths


def last_screen(paths: Sequence[Path], *, width: int | None = None) -> str:
    """Return the story of the two candidates as terminal text, without the commands that look further.

    Args:
        paths: Their run files.
        width: Columns; `None`: the terminal's.
    """
    return rendered_candidates([summary_of(path) for path in paths], width=width)


def _report(summary: RunSummary, path: Path) -> str:
    report = path.with_suffix(".html")
    write_report(rendered(summary, path, "html"), report)
    decision = summary.decision.value if summary.decision else "no decision"
    return f"{summary.candidate.name}: {decision}. Report: {report}"


def _side_by_side(paths: Sequence[Path]) -> Path:
    page = OUTPUT / "comparison.html"
    write_report(rendered_comparison(compare_runs(paths).comparisons[0], "html"), page)
    return page


if __name__ == "__main__":
    main()

"""The main job on the claims-intake suite: two candidates at sea, a decision for each, and the report. `make demo` runs this."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.rendering import rendered
from seatrial.app.reporting import summary_of
from seatrial.app.run import run_candidates
from seatrial.base import catalogue
from seatrial.base.clock import SystemClock
from seatrial.cli._progress import Progress
from seatrial.records.grade import Grade
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
    click.echo(last_screen(paths, runs=[str(path) for path in paths]))
    for path in paths:
        click.echo(_report(path))
    click.echo(f"({time.monotonic() - started:.0f} s)")


def sail(output: Path, watch: Callable[[Trace, Grade], None] | None = None) -> Sequence[Path]:
    """Run both candidates into a folder and return their run files.

    Args:
        output: The folder.
        watch: Called with every finished trial and its grade.
    """
    options = RunOptions(output=output, concurrency=8)
    return run_candidates(load(SUITE), AGENTS, options, clock=SystemClock(), watch=watch).paths


def last_screen(paths: Sequence[Path], *, runs: Sequence[str] = (), width: int | None = None) -> str:
    """Return the story of the two candidates as terminal text.

    Args:
        paths: Their run files.
        runs: Names of the run files, for the commands that are proposed; empty: none is proposed.
        width: Columns; `None`: the terminal's.
    """
    return catalogue.load("renderer", "comparison").render([summary_of(path) for path in paths], runs=runs, width=width)


def _report(path: Path) -> str:
    summary, report = summary_of(path), path.with_suffix(".html")
    report.write_text(rendered(summary, path, "html"), encoding="utf-8")
    decision = summary.decision.value if summary.decision else "no decision"
    return f"{summary.candidate.name}: {decision}. Report: {report}"


if __name__ == "__main__":
    main()

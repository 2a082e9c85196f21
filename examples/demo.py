"""The main job on the claims-intake suite: two candidates at sea, a decision for each, and the report. `make demo` runs this."""

from __future__ import annotations

import shutil
import time
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

SUITE = Path(__file__).parent / "claims_intake"
OUTPUT = Path("out/demo")
AGENTS = ("agents:baseline", "agents:candidate")


def main() -> None:
    """Run both candidates afresh, write an HTML report for each, and print the story."""
    started = time.monotonic()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    loaded = load(SUITE)
    options = RunOptions(output=OUTPUT, concurrency=8)
    total = len(AGENTS) * sum(loaded.suite.trials_for(task, None) for task in loaded.suite.tasks)
    click.echo(f"{len(loaded.suite.tasks)} tasks, {len(AGENTS)} candidates, {total} trials, each in a fresh world with the same weather")
    with Progress(total) as progress:
        result = run_candidates(loaded, AGENTS, options, clock=SystemClock(), watch=progress.watch)
    summaries = [summary_of(path) for path in result.paths]
    reports = []
    for summary, path in zip(summaries, result.paths, strict=True):
        click.echo(catalogue.load("renderer", "terminal").render(summary, run=str(path)))
        report = path.with_suffix(".html")
        report.write_text(rendered(summary, path, "html"), encoding="utf-8")
        reports.append(report)
    click.echo(catalogue.load("renderer", "comparison").render(summaries, runs=[str(path) for path in result.paths]))
    for summary, report in zip(summaries, reports, strict=True):
        click.echo(f"{summary.candidate.name}: {summary.decision.value}. Report: {report}")
    click.echo(f"({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main()

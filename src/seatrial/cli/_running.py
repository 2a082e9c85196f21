"""What `seatrial run` prints while it runs and when it has run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from seatrial.app.loading import LoadedSuite
from seatrial.app.options import RunOptions
from seatrial.app.reporting import summary_of
from seatrial.app.run import RunResult, planned, run_candidates
from seatrial.base import catalogue
from seatrial.base.clock import SystemClock
from seatrial.cli._exit import INTERRUPTED, code_of, worst
from seatrial.cli._options import print_json
from seatrial.cli._progress import Progress
from seatrial.records.summary import RunSummary
from seatrial.run.stop import Stop


def dry_run(loaded: LoadedSuite, agents: Sequence[str], options: RunOptions, *, as_json: bool) -> int:
    """Say what would run: trials, time and cost, the latter two from earlier trials of the same run files when there are any."""
    plan = planned(loaded, agents, options, clock=SystemClock())
    seconds, usd = _expected(plan.paths, plan.trials)
    if as_json:
        print_json({"tasks": len(plan.tasks), "trials": plan.trials, "finished": plan.finished, "virtual_seconds": seconds, "usd": usd})
        return 0
    click.echo(f"{len(plan.tasks)} tasks, {len(agents)} agent(s): {plan.trials} trials to run, {plan.finished} finished before")
    click.echo(f"time: {'not known, no trial has run yet' if seconds is None else f'about {seconds:.0f} virtual seconds'}")
    click.echo(f"cost: {'not known' if usd is None else f'about ${usd:.2f}'}")
    return 0


def _expected(paths: Sequence[Path], trials: int) -> tuple[float | None, float | None]:
    rows = [row for path in paths if path.exists() for task in summary_of(path).tasks for row in task.trials]
    known = [row.usd for row in rows if row.usd is not None]
    seconds = sum(row.seconds for row in rows) / len(rows) * trials if rows else None
    return seconds, (sum(known) / len(known) * trials if known else None)


def run(loaded: LoadedSuite, agents: Sequence[str], options: RunOptions, *, follow: bool, as_json: bool) -> int:
    """Run, then print the report of every candidate, and the comparison when there are several."""
    stop = Stop()
    plan = planned(loaded, agents, options, clock=SystemClock())
    with Progress(plan.trials, quiet=as_json or follow) as progress:
        result = run_candidates(
            loaded, agents, options, clock=SystemClock(), stop=stop, watch=progress.watch, follow=_follower() if follow else None
        )
    summaries = [summary_of(path) for path in result.paths]
    if as_json:
        print_json(summaries[0] if len(summaries) == 1 else summaries)
    else:
        _print(summaries, result)
    return INTERRUPTED if result.interrupted else worst(_code(summary) for summary in summaries)


def _code(summary: RunSummary) -> int:
    return code_of(summary.decision.value, scored=summary.coverage.scored, unknown=summary.coverage.unknown)


def _print(summaries: Sequence[RunSummary], result: RunResult) -> None:
    terminal = catalogue.load("renderer", "terminal")
    for summary, path in zip(summaries, result.paths, strict=True):
        click.echo(terminal.render(summary, run=str(path)))
    if len(summaries) > 1:
        click.echo(catalogue.load("renderer", "comparison").render(summaries, runs=[str(path) for path in result.paths]))
    if result.stopped:
        click.echo(f"Stopped early: {result.stopped}. The same command goes on where this one stopped.", err=True)


def _follower():  # noqa: ANN202 - a callable of one step
    view = catalogue.load("renderer", "trace_view")
    return lambda step: click.echo(view.render_step(step))

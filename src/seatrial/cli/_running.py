"""What `seatrial run` prints while it runs and when it has run."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.reporting import summary_of
from seatrial.app.run import Planned, RunResult, planned, run_candidates
from seatrial.base import catalogue
from seatrial.base.clock import SystemClock
from seatrial.cli._exit import INTERRUPTED, PASS, code_of_summary, worst
from seatrial.cli._options import print_json
from seatrial.cli._progress import Progress
from seatrial.cli._speech import others_on_stderr, own_voice, say
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Step
from seatrial.run import Stop


def dry_run(suite: Path, agents: Sequence[str], options: RunOptions, *, as_json: bool) -> int:
    """Say what would run: trials, time and cost, the latter two from earlier trials of the same run files when there are any."""
    with others_on_stderr():
        plan = planned(load(suite), agents, options, clock=SystemClock())
    if as_json:
        print_json(
            {
                "tasks": len(plan.tasks),
                "trials": plan.trials,
                "finished": plan.finished,
                "seconds": plan.seconds,
                "usd": plan.usd,
                "runs": [str(path) for path in plan.paths],
            }
        )
        return PASS
    say(f"{len(plan.tasks)} tasks, {len(agents)} agent(s): {plan.trials} trials to run, {plan.finished} finished before")
    say(f"time: {'not known, no trial has run yet' if plan.seconds is None else f'about {plan.seconds:.0f} s'}")
    say(f"cost: {'not known' if plan.usd is None else f'about ${plan.usd:.2f}'}")
    for path in plan.paths:
        say(f"run file: {path}")
    return PASS


def run(suite: Path, agents: Sequence[str], options: RunOptions, *, follow: bool, as_json: bool) -> int:
    """Run, then print the report of every candidate, and the comparison when there are several."""
    # A run makes many small objects that live long; looking for rings among them costs an eighth of it otherwise.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    if follow:
        # The steps of two trials at once would be one tangle.
        options = dataclasses.replace(options, concurrency=1)
    with Progress(quiet=as_json or follow) as progress, _following(follow, as_json=as_json) as follower, others_on_stderr():
        result = run_candidates(
            load(suite),
            agents,
            options,
            clock=SystemClock(),
            stop=Stop(),
            begin=lambda plan: _begin(plan, progress),
            watch=progress.watch,
            follow=follower,
        )
    summaries = [summary_of(path) for path in result.paths]
    _remark(result, options)
    if as_json:
        print_json(summaries[0] if len(summaries) == 1 else summaries)
    else:
        _print(summaries, result)
    return INTERRUPTED if result.interrupted else worst(code_of_summary(summary) for summary in summaries)


def _begin(plan: Planned, progress: Progress) -> None:
    progress.begin(plan.trials)
    if not plan.trials:
        click.echo(f"all {plan.finished} trials were finished before, none is run again; -o another file runs them anew", err=True)


def _remark(result: RunResult, options: RunOptions) -> None:
    if options.max_usd is not None and result.unpriced:
        click.echo(f"cost not known for {result.unpriced} trials: --max-cost cannot see them", err=True)
    if result.stopped:
        click.echo(f"Stopped early: {result.stopped}. The same command goes on where this one stopped.", err=True)


def _print(summaries: Sequence[RunSummary], result: RunResult) -> None:
    terminal = catalogue.load("renderer", "terminal")
    for summary, path in zip(summaries, result.paths, strict=True):
        say(terminal.render(summary, run=str(path)))
    if len(summaries) > 1:
        say(catalogue.load("renderer", "comparison").render(summaries, runs=[str(path) for path in result.paths]))


@contextlib.contextmanager
def _following(follow: bool, *, as_json: bool) -> Iterator[Callable[[Step], None] | None]:
    """Give what prints a step: on standard output, or on standard error when the other belongs to JSON."""
    if not follow:
        yield None
        return
    view = catalogue.load("renderer", "trace_view")
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    with contextlib.ExitStack() as stack:
        stream = sys.stderr if as_json else stack.enter_context(contextlib.closing(own_voice()))
        yield lambda step: click.echo(view.render_step(step, colour=colour), file=stream)

"""What `seatrial run` prints while it runs and when it has run."""

from __future__ import annotations

import dataclasses
import gc
import threading
from collections.abc import Sequence
from pathlib import Path

from seatrial.app.holdout import check_ledger, look
from seatrial.app.loading import LoadedSuite, load
from seatrial.app.options import RunOptions
from seatrial.app.reporting import summary_of
from seatrial.app.run import Planned, RunResult, planned, run_candidates
from seatrial.app.withholding import aliases_of
from seatrial.base import catalogue
from seatrial.base.clock import SystemClock
from seatrial.base.wording import count
from seatrial.cli._exit import INTERRUPTED, PASS, code_of_summary, worst
from seatrial.cli._following import following
from seatrial.cli._options import print_json
from seatrial.cli._progress import Progress
from seatrial.cli._speech import others_on_stderr, say, tell
from seatrial.records.summary import RunSummary
from seatrial.run import Stop, deaf_to_stopped_threads


@dataclasses.dataclass(frozen=True)
class Source:
    """Where the tasks of a run come from.

    Args:
        suite: The suite's folder.
        holdout: Folder of its holdout; `None`: none is run.
        by: Who looks at the holdout; empty: the user.
    """

    suite: Path
    holdout: Path | None = None
    by: str = ""

    def load(self) -> LoadedSuite:
        """Return the suite, with its holdout where there is one; nothing is run whose look could not be entered."""
        if self.holdout is not None:
            check_ledger(self.holdout)
        return load(self.suite, holdout=self.holdout)


def dry_run(source: Source, agents: Sequence[str], options: RunOptions, *, as_json: bool) -> int:
    """Say what would run: trials, time and cost, the latter two from earlier trials of the same run files when there are any."""
    with others_on_stderr():
        plan = planned(source.load(), agents, options, clock=SystemClock())
    if as_json:
        print_json(
            {
                "tasks": len(plan.tasks),
                "trials": plan.trials,
                "finished": plan.finished,
                "spared": plan.spared,
                "seconds": plan.seconds,
                "usd": plan.usd,
                "runs": [str(path) for path in plan.paths],
            }
        )
        return PASS
    for line in plan.spared:
        say(line)
    asked = f"{count(len(plan.tasks), 'task')}, {count(len(agents), 'agent')}"
    say(f"{asked}: {count(plan.trials, 'trial')} to run, {plan.finished:,} finished before")
    say(f"time: {'not known, no trial has run yet' if plan.seconds is None else f'about {plan.seconds:.0f} s'}")
    say(f"cost: {'not known' if plan.usd is None else f'about ${plan.usd:.2f}'}")
    for path in plan.paths:
        say(f"run file: {path}")
    return PASS


def run(source: Source, agents: Sequence[str], options: RunOptions, *, follow: bool, as_json: bool) -> int:
    """Run, then print the report of every candidate, and the comparison when there are several."""
    # A run makes many small objects that live long; looking for rings among them costs an eighth of it otherwise.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    # What an agent leaves behind may end after the run, up to the very end of the program.
    threading.excepthook = deaf_to_stopped_threads(threading.excepthook)
    if follow:
        # The steps of two trials at once would be one tangle.
        options = dataclasses.replace(options, concurrency=1)
    held: dict[str, str] = {}
    with (
        Progress(quiet=as_json or follow) as progress,
        following(follow, held, as_json=as_json) as follower,
        others_on_stderr(),
    ):
        loaded = source.load()
        held |= aliases_of(loaded.suite.tasks)
        result = run_candidates(
            loaded,
            agents,
            options,
            clock=SystemClock(),
            stop=Stop(),
            begin=lambda plan: _begin(plan, progress),
            watch=progress.watch,
            follow=follower,
        )
    summaries = [summary_of(path) for path in result.paths]
    _enter(summaries, result, source)
    _remark(result, options)
    if as_json:
        print_json(summaries[0] if len(summaries) == 1 else summaries)
    else:
        _print(summaries, result, source.suite)
    return INTERRUPTED if result.interrupted else worst(code_of_summary(summary) for summary in summaries)


def _begin(plan: Planned, progress: Progress) -> None:
    for line in plan.spared:
        tell(line)
    progress.begin(plan.trials)
    if not plan.trials:
        tell(f"all {count(plan.finished, 'trial')} were finished before, none is run again; -o another file runs them anew")


def _enter(summaries: Sequence[RunSummary], result: RunResult, source: Source) -> None:
    """Enter in the ledger that runs were decided on the holdout, before anything is shown of them."""
    if source.holdout is None:
        return
    for summary, path in zip(summaries, result.paths, strict=True):
        value = summary.decision.value if summary.decision is not None else "inconclusive"
        looked = look(source.holdout, path, door="run", by=source.by, at=SystemClock().now(), decision=value)
        for warning in looked.warnings:
            tell(warning)


def _remark(result: RunResult, options: RunOptions) -> None:
    if options.max_usd is not None and result.unpriced:
        tell(f"cost not known for {count(result.unpriced, 'trial')}: --max-cost cannot see them")
    if result.stopped:
        # What a run has cost stays: the same command would stop at the same ceiling.
        further = "" if "--max-cost" in result.stopped else " The same command goes on where this one stopped."
        tell(f"Stopped early: {result.stopped}.{further}")


def _print(summaries: Sequence[RunSummary], result: RunResult, suite: Path) -> None:
    terminal = catalogue.load("renderer", "terminal")
    for summary, path in zip(summaries, result.paths, strict=True):
        say(terminal.render(summary, run=str(path), suite=str(suite)), drawn=True)
    if len(summaries) > 1:
        from seatrial.app.comparing import rendered_candidates

        say(rendered_candidates(summaries, result.paths), drawn=True)

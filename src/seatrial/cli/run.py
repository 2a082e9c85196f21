"""`seatrial run`: put one or more agents to sea."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.cli._options import FILE, FOLDER, PositiveNumber, RunFileName, json_option, parse_slices, selection_options, suite_argument
from seatrial.cli._reveal import by_option


@click.command()
@suite_argument
@click.argument("task", required=False)
@click.option(
    "--agent",
    "agents",
    multiple=True,
    required=True,
    metavar="TARGET",
    help="module:function, null, refuser, echo, reference, replayed:FILE; repeatable.",
)
@selection_options
@click.option("--trials", type=click.IntRange(1, 100_000), help="Trials of every task, instead of the suite's.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything random.")
@click.option(
    "--max-concurrency", "concurrency", type=click.IntRange(1, 10_000), default=8, show_default=True, help="Trials in flight at once."
)
@click.option(
    "--max-cost",
    "max_usd",
    type=PositiveNumber(),
    metavar="USD",
    help="Stop, resumable, when the run has cost this much.",
)
@click.option("--timeout", type=PositiveNumber(), metavar="SECONDS", default=60.0, show_default=True, help="Wall seconds for one trial.")
@click.option("--retries", type=click.IntRange(0, 10), default=2, show_default=True, help="Tries again when the machinery spoiled a trial.")
@click.option("--failed", type=FILE, metavar="RUN", help="Only the tasks that failed in this run.")
@click.option(
    "--changed-since",
    type=FILE,
    metavar="RUN",
    help="Only what this run of the same agent does not tell: the tasks that changed, where the suite alone did.",
)
@click.option("-x", "stop_on_failure", is_flag=True, help="Stop at the first trial that fails.")
@click.option("--follow", is_flag=True, help="Print every step as it happens.")
@click.option("--dry-run", is_flag=True, help="Say what would run: trials, time, cost.")
@click.option("-o", "--output", type=RunFileName(), help="Run file; a folder when there are several agents.")
@click.option("--engine", default="local", show_default=True, help="Where trials are executed.")
@click.option(
    "--holdout", type=FOLDER, metavar="PATH", help="Folder of a holdout: its tasks are run too, and the look entered in its ledger."
)
@by_option
@json_option
def command(suite: Path, task: str | None, agents: tuple[str, ...], *, dry_run: bool, follow: bool, as_json: bool, **words: object) -> int:
    """Put agents to sea: run trials of a suite, record them, grade them, decide.

    A run that was stopped goes on where it stopped when the same command is given again.
    """
    from seatrial.cli import _running

    source = _running.Source(suite, words.pop("holdout"), words.pop("by"))  # type: ignore[arg-type] - as click gives them
    options = _options(task, words)
    if dry_run:
        return _running.dry_run(source, agents, options, as_json=as_json)
    return _running.run(source, agents, options, follow=follow, as_json=as_json)


def _options(task: str | None, words: dict[str, object]):  # noqa: ANN202 - imported lazily
    from seatrial.app.options import RunOptions
    from seatrial.app.reporting import failed_tasks
    from seatrial.run import Selection

    tasks, slices, failed = words.pop("tasks"), words.pop("slices"), words.pop("failed")
    assert isinstance(tasks, tuple)  # noqa: S101 - click gives repeatable options as tuples
    assert isinstance(slices, tuple)  # noqa: S101 - as above
    selection = Selection(
        (*tasks, *((task,) if task else ())),
        parse_slices(slices),
        words.pop("split"),  # type: ignore[arg-type]
        words.pop("kind"),  # type: ignore[arg-type]
        failed_tasks(failed) if isinstance(failed, Path) else None,
    )
    return RunOptions(selection, **words)  # type: ignore[arg-type]

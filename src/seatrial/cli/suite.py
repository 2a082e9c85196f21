"""`seatrial suite`: the life of a suite – what its runs say of its tasks, and moving what is solved over to regression."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.base.wording import count
from seatrial.cli._exit import NOTHING_SELECTED, PASS
from seatrial.cli._options import FILE, FOLDER, Command, json_option, print_json, suite_argument
from seatrial.cli._speech import others_on_stderr, say

if TYPE_CHECKING:
    from seatrial.app.lifecycle import Graduated
    from seatrial.records.lifecycle import SuiteStatus

LAST = 3
"""Versions that must have passed a task, where nobody says otherwise."""
SHOWN = 20
"""Names of graduated tasks that are printed; the rest are counted."""


def _runs_options(command: Command) -> Command:
    """Add the options that say which runs are looked at."""
    for option in reversed(
        (
            click.option(
                "--run",
                "runs",
                multiple=True,
                type=FILE,
                metavar="RUN",
                help="A run of the suite; repeatable.",
            ),
            click.option(
                "--runs",
                "folder",
                type=FOLDER,
                metavar="FOLDER",
                help="All runs of the suite in this folder.",
            ),
            click.option(
                "--last",
                type=click.IntRange(1, 100),
                default=LAST,
                show_default=True,
                help="Versions that must have passed every trial of a task before it is called saturated.",
            ),
        )
    ):
        command = option(command)
    return command


@click.group()
def command() -> None:
    """Look at the life of a suite: which tasks are solved, broken, telling or dead weight."""


@command.command()
@suite_argument
@_runs_options
@click.option(
    "--holdout",
    type=FOLDER,
    metavar="PATH",
    help="Folder of the holdout that lies apart, counted too.",
)
@click.option("--all", "everything", is_flag=True, help="Name every task of each list.")
@json_option
def status(
    suite: Path, *, runs: tuple[Path, ...], folder: Path | None, last: int, holdout: Path | None, everything: bool, as_json: bool
) -> None:
    """Say which tasks are saturated, which were never passed, which tell candidates apart, and which are dead weight.

    Trials count only where the contract of the task is still the same; capability and regression are never put together.
    """
    from seatrial.app.lifecycle import Runs
    from seatrial.app.lifecycle import status as found_status
    from seatrial.base import catalogue

    with others_on_stderr():
        found = found_status(suite, Runs(runs, folder), last=last, holdout=holdout)
    if as_json:
        print_json(found)
    else:
        words = shlex.join(
            [*(f"--run={run}" for run in runs), *([f"--runs={folder}"] if folder else []), *([f"--last={last}"] if last != LAST else [])]
        )
        say(
            catalogue.load("renderer", "suite_status").render(found, suite=shlex.quote(str(suite)), runs=words, everything=everything),
            drawn=True,
        )


@command.command()
@suite_argument
@_runs_options
@click.option("--by", default="", metavar="NAME", help="Who moves them, for the history of each task.")
@click.option("--dry-run", is_flag=True, help="Say what would move, and write nothing.")
@json_option
def graduate(suite: Path, *, runs: tuple[Path, ...], folder: Path | None, last: int, by: str, dry_run: bool, as_json: bool) -> int:
    """Make regression tasks of the capability tasks that each of the last versions passed in every trial.

    The task files are edited in place: the kind and one line of history change, all else stays byte for byte. Exits with 5 when
    no task is saturated.
    """
    from seatrial.app.lifecycle import Runs
    from seatrial.app.lifecycle import graduate as moved

    with others_on_stderr():
        done = moved(suite, Runs(runs, folder), last=last, by=by, dry_run=dry_run)
    if as_json:
        print_json(done)
    else:
        _print(done, suite)
    return PASS if done.tasks else NOTHING_SELECTED


def _print(done: Graduated, suite: Path) -> None:
    found = done.status
    if not done.tasks:
        _say_why_nothing(found, shlex.quote(str(suite)))
        return
    say(f"{count(len(done.tasks), 'task')} {'moved' if done.written else 'would move'} from capability to regression:")
    for task in done.tasks[:SHOWN]:
        say(f"  {task}")
    if len(done.tasks) > SHOWN:
        say(f"  and {len(done.tasks) - SHOWN:,} more")
    for file in done.files:
        say(f"{'changed' if done.written else 'would change'}: {file}")
    say(f"next: seatrial check {shlex.quote(str(suite))}" if done.written else "next: the same without --dry-run")


def _say_why_nothing(found: SuiteStatus, suite: str) -> None:
    """Say why no task moves, what of the runs was not counted, and what to do about it."""
    stale, known = found.of("capability", "not_run"), len(found.versions)
    given = f"only {known} of the last {found.last:,} versions {'is' if known == 1 else 'are'} known" if known else "no version is known"
    say(f"nothing moves: {given if found.missing else 'no capability task is saturated'}")
    for line in found.left_out:
        say(f"left out: {line}")
    if stale and known:
        say(f"next: run the suite again, for of {count(len(stale), 'capability task')} no trial is known as it is now")
        say(f"      seatrial run {suite} --agent AGENT")
        return
    say(f"next: seatrial suite status {suite} with the same runs says how far each task is")

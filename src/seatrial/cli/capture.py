"""`seatrial capture`: a failed trial becomes a regression task."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.cli._options import FOLDER, json_option, print_json, run_argument
from seatrial.cli._speech import others_on_stderr, say

if TYPE_CHECKING:
    from seatrial.app.capturing import Captured


@click.command()
@run_argument
@click.argument("task")
@click.option("--trial", type=click.IntRange(0), help="Index of the trial, from 0; without it: the first that failed.")
@click.option(
    "--suite",
    type=FOLDER,
    required=True,
    help="Folder of the run's suite, where the task is written.",
)
@click.option("--id", "name", default="", metavar="ID", help="Id of the new task; without it: TASK-captured.")
@click.option("--by", default="", metavar="NAME", help="Who captures it, for the task's history.")
@json_option
def command(run: Path, task: str, *, trial: int | None, suite: Path, name: str, by: str, as_json: bool) -> None:
    """Write a failed trial of TASK into the suite as a regression task.

    It starts from the same state, asks for the same, and the faults that fired fire again on the same calls. It is kept only if
    `seatrial check` finds no error in it and the recorded calls, played on it, fail again where playing them can show that.
    """
    from seatrial.app.capturing import Naming, capture

    with others_on_stderr():
        captured = capture(run, task, suite, trial=trial, naming=Naming(name, by))
    if as_json:
        print_json(captured)
    else:
        _print(captured, suite)


def _print(captured: Captured, suite: Path) -> None:
    say(f"{captured.source} failed, {captured.reason}")
    say(f"it is now the regression task {captured.task}, in {captured.file}")
    for fault in captured.faults:
        calls = ", ".join(map(str, fault.nth))
        say(f"pinned: {fault.kind} on call {calls} of {fault.tool}")
    again = "the recorded calls, played on it, fail again"
    say(again if captured.again == "failed" else f"not shown that the recorded calls fail again: {captured.doubt}; run the agent on it")
    for warning in captured.warnings:
        say(f"warning: {warning}")
    say(f"next: seatrial run {shlex.quote(str(suite))} {shlex.quote(captured.task)} --agent AGENT")

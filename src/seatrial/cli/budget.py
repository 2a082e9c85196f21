"""`seatrial budget`: propose ceilings from passing trials."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.base.wording import count, listed
from seatrial.cli._options import FILE, json_option, print_json, suite_argument
from seatrial.cli._speech import say, tell

if TYPE_CHECKING:
    from seatrial.app.budgets import Written

SHOWN = 20
"""Names of tasks that were left out that are printed; the rest are counted."""


@click.command()
@suite_argument
@click.option(
    "--from",
    "run",
    type=FILE,
    required=True,
    metavar="RUN",
    help="The run whose passing trials are measured.",
)
@click.option("--write", is_flag=True, help="Write the ceilings into the suite's task files, comments kept.")
@json_option
def command(suite: Path, *, run: Path, write: bool, as_json: bool) -> None:
    """Propose ceilings for every task: one and a half times the most that a passing trial used."""
    from seatrial.app.budgets import named_openly, propose, write_proposed

    proposals = propose(suite, run)
    written = write_proposed(suite, proposals) if write else None
    proposals = named_openly(proposals, run)
    if as_json:
        print_json(proposals)
        if written is not None:
            _tell_written(written, suite, tell)
        return
    for one in proposals.budgets:
        parts = [f"{name}: {value}" for name, value in _parts(one.budget) if value is not None]
        say(f"{one.task}: budget: {{{', '.join(parts)}}}   # from {count(one.passing, 'passing trial')}")
    if proposals.stranger:
        say(f"the run is of another suite, {proposals.stranger}")
    if proposals.unknown:
        say(f"not in this suite: {', '.join(proposals.unknown)}")
    if not proposals.budgets:
        say("no trial of this suite's tasks passed, so there is nothing to measure")
    if proposals.failed:
        say(f"left out, for no trial of theirs passed: {listed(proposals.failed, SHOWN)}")
    if proposals.not_run:
        say(f"left out, for the run does not hold them: {count(proposals.not_run, 'task')} of the suite")
    if written is not None:
        _tell_written(written, suite, say)


def _tell_written(written: Written, suite: Path, say: Callable[[str], None]) -> None:
    """Say which files were written, and what no longer compares."""
    if not written.files:
        say("nothing is written: the files have these ceilings already")
        return
    for path in written.files:
        say(f"changed: {path}")
    say(
        f"{count(len(written.tasks), 'contract')} changed: earlier runs, and a baseline that was pinned, are not held against new ones "
        "on these tasks"
    )
    say(f"next: seatrial run {shlex.quote(str(suite))} --agent AGENT")


def _parts(budget):  # noqa: ANN001, ANN202 - a Budget, imported lazily by `app`
    return (("calls", budget.calls), ("tokens", budget.tokens), ("usd", budget.usd))

"""`seatrial budget`: propose ceilings from passing trials."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.base.wording import count
from seatrial.cli._options import FILE, json_option, print_json, suite_argument
from seatrial.cli._speech import say


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
    if write:
        write_proposed(suite, proposals)
    proposals = named_openly(proposals, run)
    if as_json:
        print_json(proposals)
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


def _parts(budget):  # noqa: ANN001, ANN202 - a Budget, imported lazily by `app`
    return (("calls", budget.calls), ("tokens", budget.tokens), ("usd", budget.usd))

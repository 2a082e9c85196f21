"""`seatrial prove`: can the checks of a suite fail?"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.base.errors import SeatrialError
from seatrial.cli._exit import FAILED, PASS
from seatrial.cli._options import Share, suite_argument
from seatrial.cli._speech import others_on_stderr, say, tell

if TYPE_CHECKING:
    from seatrial.app.loading import LoadedSuite
    from seatrial.records.proof import Proof

MOST = 4
"""Processes that share the work when nobody says how many."""
PAUSE = 2.0
"""Seconds between two lines of progress."""


@click.command()
@suite_argument
@click.option("--task", "tasks", multiple=True, metavar="ID", help="Only this task; globs allowed; repeatable. The proof is not kept.")
@click.option(
    "--fail-under",
    type=Share(),
    metavar="SHARE",
    default=1.0,
    show_default=True,
    help="Exit with 1 when a smaller share of the mutants is caught; explained holes do not count.",
)
@click.option(
    "--json",
    "target",
    metavar="[FILE]",
    is_flag=False,
    flag_value="-",
    help="Print the proof as JSON instead of text; with a file: write it there too.",
)
@click.option(
    "--processes", type=click.IntRange(1, 64), help="Processes that share the work of a large suite; as many as cores, at most 4."
)
@click.option("--all", "everything", is_flag=True, help="Print every hole and every task.")
def command(suite: Path, *, tasks: tuple[str, ...], fail_under: float, target: str | None, processes: int | None, everything: bool) -> int:
    """Show that a suite's checks can fail: spoil every right way by one thing, play it, and see whether it is noticed.

    The proof is kept in the suite's folder as proof.json, and every report of a later run names it. Exits with 1 when the score is
    too small, a right way does not pass, or a risk is not proven.
    """
    from seatrial.app.loading import load
    from seatrial.app.proving import prove
    from seatrial.cli._proof import verdict

    with others_on_stderr():
        loaded = load(suite)
        proof = prove(loaded, only=tasks, processes=processes or min(os.cpu_count() or 1, MOST), watch=_Progress().show)
    failed = verdict(proof, fail_under)
    _print(proof, failed, target, everything=everything)
    if not tasks:
        _keep(loaded, proof)
    return FAILED if failed else PASS


def _print(proof: Proof, failed: str, target: str | None, *, everything: bool) -> None:
    from seatrial.app.writing import write_report
    from seatrial.base.canonical import canonical
    from seatrial.cli._proof import lines

    data = canonical(proof)
    if target == "-":
        say(data)
        return
    if target:
        write_report(f"{data.decode()}\n", Path(target))
    for line in (*lines(proof, everything=everything), failed):
        if line or line is not failed:
            say(line)


def _keep(loaded: LoadedSuite, proof: Proof) -> None:
    """Write the proof into the suite's folder; where that is not possible, say so and go on."""
    from seatrial.app.proof_file import write_proof

    try:
        tell(f"the proof is kept in {write_proof(proof, loaded.suite.folder)}")
    except SeatrialError as error:
        tell(f"the proof is not kept, so that reports will say that there is none: {error}")


class _Progress:
    """A line on standard error now and then."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._quiet = bool(os.environ.get("CI")) or not sys.stderr

    def show(self, done: int, total: int) -> None:
        """Say how many tasks are done."""
        if not self._quiet and time.monotonic() - self._last >= PAUSE:
            self._last = time.monotonic()
            tell(f"{done}/{total} tasks")

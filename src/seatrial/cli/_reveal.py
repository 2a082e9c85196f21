"""Options of the verbs that can show tasks of a holdout, and the entry in its ledger before they do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from seatrial.cli._options import FOLDER, Command
from seatrial.cli._speech import tell

reveal_option = click.option("--reveal", is_flag=True, help="Show tasks of the holdout too: what they ask, why trials failed, traces.")
holdout_option = click.option(
    "--holdout", type=FOLDER, metavar="PATH", help="Folder of the run's holdout: a look that is revealed is entered in its ledger."
)
by_option = click.option("--by", default="", metavar="NAME", help="Who looks, for the ledger; without it: the user's name.")


def reveal_options(command: Command) -> Command:
    """Add the options that show tasks of a holdout."""
    for option in (by_option, holdout_option, reveal_option):
        command = option(command)
    return command


@dataclass(frozen=True)
class Looking:
    """Whether tasks of a holdout are shown, and where that is entered.

    Args:
        reveal: Whether they are shown.
        holdout: Folder of the holdout; `None`: not given.
        by: Who looks; empty: the user.
    """

    reveal: bool
    holdout: Path | None = None
    by: str = ""

    def enter(self, run: Path, door: str, what: str = "") -> None:
        """Enter a look in the ledger, or say that it is entered nowhere; to be called before anything is shown.

        Args:
            run: The run file.
            door: The verb that looks.
            what: What is shown; empty: all that the verb shows of the run.

        Raises:
            UsageError: A ledger is given and nothing is revealed, or the run was given no such holdout.
            LedgerError: The look cannot be entered.
        """
        from seatrial.app.holdout import reveal
        from seatrial.base.clock import SystemClock

        if not self.reveal:
            if self.holdout is not None:
                raise click.UsageError("--holdout names the ledger for what --reveal shows: give --reveal too, or neither")
            return
        told = reveal(run, self.holdout, door=door, by=self.by, at=SystemClock().now(), what=what)
        if told:
            tell(told)

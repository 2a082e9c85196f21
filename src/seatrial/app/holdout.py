"""Looks at a holdout: who decided on it or read of it, entered in its ledger before anything is shown."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from seatrial.app.ledger import enter, looks_at
from seatrial.app.loading import errors_withheld
from seatrial.app.persons import named
from seatrial.base.errors import UsageError
from seatrial.base.wording import count
from seatrial.records.decision import DecisionValue
from seatrial.records.holdout import Look
from seatrial.records.manifest import Manifest
from seatrial.records.summary import RunSummary
from seatrial.store import RunFile
from seatrial.suite.holdout import Holdout, read_holdout


@dataclass(frozen=True)
class Looked:
    """A look that was entered, and how worn the holdout is.

    Args:
        look: The look as it stands in the ledger.
        decided: Different runs that were decided on this edition of the holdout, this one included.
        limit: How many may be before it is worn.
        warnings: What a reader of the decision must know of the holdout, one sentence each.
    """

    look: Look
    decided: int
    limit: int
    warnings: tuple[str, ...]


def look(folder: Path, run: Path, *, door: str, by: str, at: str, decision: DecisionValue | Literal[""] = "", what: str = "") -> Looked:
    """Enter a look at a holdout in its ledger; only when this returns may anything be shown.

    Args:
        folder: The holdout's folder.
        run: The run file that was decided on, or is read.
        door: The verb that looks.
        by: Who looks; empty: the name that the system knows the user by.
        at: When, ISO 8601 in UTC.
        decision: What was decided; empty: something is read.
        what: What is read: `task#trial`; empty: everything that the door shows.

    Returns:
        The look, and how worn the holdout is.

    Raises:
        UsageError: The run was given no holdout, or that of another suite.
        SuiteError: The holdout cannot be read.
        LedgerError: Its ledger was changed, or cannot be written: nothing is entered.
    """
    with errors_withheld(folder):
        holdout = read_holdout(folder)
    with RunFile.open(run) as file:
        manifest, traces = file.manifest, file.content_hashes().traces
    _refuse_strangers(manifest, holdout, run)
    entry = Look(
        0,
        "decision" if decision else "reveal",
        door,
        _who(by),
        at,
        run.name,
        traces,
        manifest.candidate.name,
        manifest.candidate.hash,
        _given(manifest),
        holdout.edition,
        decision,
        what,
    )
    looks = enter(folder, entry)
    decided = _decided(looks, holdout)
    return Looked(looks[-1], decided, holdout.refresh_after, tuple(_warnings(manifest, holdout, decided)))


def ready(folder: Path, run: Path) -> None:
    """Raise what `look` would raise of a holdout and its ledger, before anything is decided; nothing is entered.

    Args:
        folder: The holdout's folder.
        run: The run file.

    Raises:
        UsageError: The run was given no holdout, or that of another suite.
        SuiteError: The holdout cannot be read.
        LedgerError: Its ledger was changed.
    """
    with errors_withheld(folder):
        holdout = read_holdout(folder)
    with RunFile.open(run) as file:
        _refuse_strangers(file.manifest, holdout, run)
    looks_at(folder)


def reveal(run: Path, folder: Path | None, *, door: str, by: str, at: str, what: str = "") -> str:
    """Enter that tasks of a holdout are read, and return what must be said of it; empty: there is nothing to say.

    Args:
        run: The run file.
        folder: The holdout's folder; `None`: not given, so that nothing is entered.
        door: The verb that shows them.
        by: Who looks; empty: the name that the system knows the user by.
        at: When, ISO 8601 in UTC.
        what: What is read: `task#trial`; empty: everything that the door shows.

    Raises:
        UsageError: The run was given no holdout, or that of another suite.
        SuiteError: The holdout cannot be read.
        LedgerError: Its ledger was changed, or cannot be written: nothing is entered, and nothing may be shown.
    """
    if folder is not None:
        entered = look(folder, run, door=door, by=by, at=at, what=what)
        return " ".join((f"Entered in the ledger as look {entered.look.number:,}, by {entered.look.by}.", *entered.warnings))
    with RunFile.open(run) as file:
        given, held = file.manifest.holdout, sum(task.split == "holdout" for task in file.tasks().values())
    if not held:
        return ""
    if given is None:
        return f"This look at {count(held, 'holdout task')} is entered nowhere: a holdout within the suite's folder has no ledger."
    return f"This look at {count(held, 'holdout task')} is entered nowhere: give --holdout PATH, and it is entered in the ledger."


def check_ledger(folder: Path) -> None:
    """Raise `LedgerError` when the ledger of a holdout was changed, before a run is made that could not be entered.

    Args:
        folder: The holdout's folder.
    """
    looks_at(folder)


def standing_open(summary: RunSummary) -> str:
    """Return the warning that holdout tasks stand where everybody reads them; empty: none does.

    Args:
        summary: The run's summary.
    """
    found = sum(row.split == "holdout" for row in summary.tasks) - summary.apart
    if found <= 0:
        return ""
    stand, them = ("stands", "it") if found == 1 else ("stand", "them")
    return (
        f"{count(found, 'holdout task')} {stand} in the suite's own folder, where everybody who tunes the agent can read {them}: "
        f"move {them} to a folder of {'its' if found == 1 else 'their'} own (--holdout PATH)."
    )


def _refuse_strangers(manifest: Manifest, holdout: Holdout, run: Path) -> None:
    if holdout.suite != manifest.suite:
        raise UsageError(f"{holdout.folder} is the holdout of the suite {holdout.suite!r}, and {run} is a run of {manifest.suite!r}")
    if manifest.holdout is None:
        raise UsageError(
            f"{run} was given no holdout, so there is nothing of {holdout.folder} in it: seatrial run SUITE --agent AGENT --holdout PATH"
        )


def _given(manifest: Manifest) -> str:
    return manifest.holdout.hash if manifest.holdout is not None else ""


def _who(by: str) -> str:
    if by.strip():
        return named(by, "a look needs the name of who looks, in signs that can be seen: --by NAME")
    try:
        return getpass.getuser()
    except (KeyError, OSError) as error:
        raise UsageError("the system has no name for who looks: give --by NAME") from error


def _decided(looks: Sequence[Look], holdout: Holdout) -> int:
    """Return how many different runs were decided on this edition: to decide again on the same trials tells nothing new."""
    return len({each.run_hash for each in looks if each.kind == "decision" and each.edition == holdout.edition})


def _warnings(manifest: Manifest, holdout: Holdout, decided: int) -> list[str]:
    found = []
    if _given(manifest) != holdout.hash:
        found.append("The holdout was changed since the run was made: run again before anything rests on it.")
    if decided >= holdout.refresh_after:
        worn = f"{count(decided, 'run')} {'was' if decided == 1 else 'were'} decided on this holdout, of at most {holdout.refresh_after:,}"
        found.append(f"{worn}: agents are being chosen by it. Refresh it: write new tasks, and give it a new canary.")
    return found

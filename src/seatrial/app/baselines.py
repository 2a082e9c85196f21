"""The pinned baseline: which run a suite's candidates are held against, who approved it, and what is odd about it today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import msgspec

from seatrial.app.persons import named, reasoned
from seatrial.app.reporting import summary_of
from seatrial.app.sealing import hashes_of
from seatrial.app.writing import write_report
from seatrial.base.canonical import indented
from seatrial.base.clock import Clock, SystemClock
from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.wording import count, listed
from seatrial.records.decision import PIN_VERSION, BaselinePin
from seatrial.records.summary import RunSummary
from seatrial.suite.files import read_bytes, refuse_outside
from seatrial.suite.json_source import parse_json
from seatrial.suite.load import read_top
from seatrial.suite.place import Place

BASELINE_FILE = "baseline.json"
"""Name of the file in a suite's folder that holds its pin."""
OLDEST_DAYS = 90
"""Days after which a baseline is too old, where the policy does not say otherwise."""
_MOST_BYTES = 1_000_000


def set_baseline(folder: Path, run: Path, *, by: str, why: str = "", clock: Clock | None = None) -> tuple[BaselinePin, RunSummary]:
    """Pin a run as the baseline of a suite, in place of an earlier one.

    Args:
        folder: The suite's folder.
        run: The run file: a whole run of that suite.
        by: Who approves it.
        why: Why this one; empty: not said.
        clock: Says when; `None`: the machine's.

    Returns:
        The pin, and the summary of the run with its own decision.

    Raises:
        UsageError: The name is missing, or the run is of another suite or only a part of one.
        SuiteError: The suite's pin is a link that leads out of its folder.
        RunFileError: The run cannot be read.
    """
    by, why = named(by, "a baseline needs the name of who answers for it: --by NAME"), reasoned(why)
    name = str(read_top(folder).mapping()["name"].value)
    summary, hashes = summary_of(run), hashes_of(run)
    if summary.suite != name:
        raise UsageError(
            f"{run} is a run of the suite {summary.suite!r}, and {folder} holds {name!r}; a baseline is a run of the same suite"
        )
    if summary.partial:
        raise UsageError(f"{run} is only a part of its suite ({summary.partial}); a baseline is a whole run: seatrial run {folder}")
    refuse_outside(folder, folder / BASELINE_FILE)
    now = (clock or SystemClock()).now()
    pin = BaselinePin(str(run), hashes.content, summary.candidate.name, by, now, models=summary.models, why=why)
    write_report(indented(pin), folder / BASELINE_FILE)
    return pin, summary


def read_pin(folder: Path) -> BaselinePin | None:
    """Return the baseline that is pinned in a suite's folder; `None`: none is.

    Args:
        folder: The suite's folder.

    Raises:
        SuiteError: There is a pin that cannot be read: a run must not lose it unnoticed.
    """
    path = folder / BASELINE_FILE
    if not path.exists():
        return None
    refuse_outside(folder, path)
    again = f"Pin it again: seatrial baseline set {folder} RUN --by NAME"
    if not path.is_file():
        raise SuiteError(f"it is no plain file, so it is no pinned baseline. Move it away. {again}", file=str(path))
    try:
        data = read_bytes(path, _MOST_BYTES)
        pin = msgspec.json.decode(data, type=BaselinePin)
        parse_json(data, Place(str(path)))  # refuses a key that stands twice
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise SuiteError(f"it is no pinned baseline: {error}. {again}", file=str(path)) from error
    if pin.version != PIN_VERSION:
        raise SuiteError(f"it has version {pin.version}; this seatrial reads {PIN_VERSION}. {again}", file=str(path))
    return pin


def find_baseline(pin: BaselinePin, run: Path) -> Path | None:
    """Return the run file that a pin names: where it was when it was pinned, else beside the run that is decided; `None`: in neither place.

    Args:
        pin: The pin.
        run: The run file of the candidate.
    """
    places = (Path(pin.run), run.parent / Path(pin.run).name)
    return next((place for place in places if place.is_file()), None)


def baseline_warnings(
    pin: BaselinePin,
    *,
    baseline_hash: str,
    baseline_models: Sequence[str],
    models: Sequence[str],
    today: str,
    oldest_days: int = OLDEST_DAYS,
) -> tuple[str, ...]:
    """Return what a decision must say of the baseline that it rests on, one sentence each.

    Args:
        pin: The pin.
        baseline_hash: Content hash of the file that stands for the baseline now.
        baseline_models: Model ids that the providers returned in it.
        models: Model ids that the providers returned in the candidate's run.
        today: The day of the decision, ISO 8601; empty: not known.
        oldest_days: Days after which a baseline is too old.
    """
    return tuple(filter(None, (*_of_age(pin, today, oldest_days), *_of_content(pin, baseline_hash), *_of_models(baseline_models, models))))


def _of_age(pin: BaselinePin, today: str, oldest_days: int) -> Iterator[str]:
    if not today:
        return
    try:
        days = (date.fromisoformat(today[:10]) - date.fromisoformat(pin.on[:10])).days
    except ValueError:
        yield f"Nobody can tell how old the baseline is: it was pinned on {pin.on!r}."
        return
    if days > oldest_days:
        again = "run it again, and pin that run: seatrial baseline set SUITE RUN --by NAME"
        yield f"The baseline was pinned {count(days, 'day')} ago, by {pin.by}; after {oldest_days:,} its world may be another: {again}."


def _of_content(pin: BaselinePin, baseline_hash: str) -> Iterator[str]:
    if baseline_hash != pin.hash:
        yield (
            f"The baseline's run is not the one that {pin.by} approved: its content hash is {baseline_hash[:12]}, the pinned one "
            f"{pin.hash[:12]}. Trials, grades or labels of it were changed since, or it is another run. A run carries the pin that stood "
            "when it was planned: after a new one run the candidate into another file."
        )


def _of_models(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    if before and after and set(before) != set(after):
        yield (
            f"The providers returned another model than for the baseline: {listed(list(after), 5)} now, {listed(list(before), 5)} then. "
            "The difference may be the model's."
        )

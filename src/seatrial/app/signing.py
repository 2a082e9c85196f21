"""Sign a run: a named person has read the flipped traces of a suspect slice and answers for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from seatrial.app.baselines import find_baseline
from seatrial.app.persons import named, reasoned
from seatrial.app.reporting import evidence_of, summary_of
from seatrial.app.sealing import hashes_of
from seatrial.base.clock import Clock, SystemClock
from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean, listed
from seatrial.compare import compare
from seatrial.gate import read_policy
from seatrial.measure.slice_alarm import alarm
from seatrial.records.comparison import Alarm, SliceComparison
from seatrial.records.decision import RunHashes, Signature
from seatrial.store import RunFile
from seatrial.store.connection import PATIENCE

SHOWN = 20
"""Names that an error lists."""


@dataclass(frozen=True)
class Signed:
    """A signature, and whether it lifts anything.

    Args:
        signature: What was added to the run.
        alarm: `suspect`: a policy may find the slice so; empty: none can, so that the signature lifts nothing; `None`: not known, for the
            file of the baseline is not there.
        asked: Whether the run's own policy asks about slices; else it was another one that found the slice suspect.
    """

    signature: Signature
    alarm: Alarm | None
    asked: bool


def sign(run: Path, slice_: str, *, by: str, reason: str, baseline: Path | None = None, clock: Clock | None = None) -> Signed:
    """Add a signature to a run; nothing that was signed before is changed.

    Args:
        run: The run file; while another process writes to it, the signature waits.
        slice_: The suspect slice, `name=value`.
        by: Who has read the flipped traces.
        reason: What they show, and why the run may pass all the same.
        baseline: The run that the slice is suspect against; `None`: the one that was pinned when the run was planned.
        clock: Says when; `None`: the machine's.

    Raises:
        UsageError: The run has no such slice, its drop is confirmed, the name or the reason is missing, or no baseline is known.
        RunFileError: A file cannot be read or written.
    """
    by = named(by, "a signature needs the name of who answers for it: --name NAME")
    reason = reasoned(reason, "a signature needs a reason that another reader can follow: --reason TEXT")
    with RunFile.open(run, write=True, patience=PATIENCE) as file:
        _check_slice(file, slice_)
        against, path = _baseline(file, baseline)
        alarms = None if path is None else _alarms(file, path)
        if alarms is not None and alarms.get(slice_) == "confirmed":
            raise UsageError(f"{slice_} fell and it is no chance: a confirmed drop cannot be signed away. {_suspects(alarms)}")
        at, now = (clock or SystemClock()).now(), file.content_hashes()
        signature = Signature(slice_, by, reason, at, baseline=against, traces=now.traces, judged=now.judged)
        file.add_signatures([signature])
        asked = any(use.rule == "slices" for use in read_policy(file.manifest.gate).rules)
    return Signed(signature, None if alarms is None else alarms.get(slice_, ""), asked)


def counting(signatures: tuple[Signature, ...], hashes: RunHashes, baseline_hash: str) -> tuple[Signature, ...]:
    """Return the signatures that count: on the trials that the run holds now, as they are judged now, against this baseline.

    Args:
        signatures: All signatures of a run.
        hashes: Content hashes of the run.
        baseline_hash: Content hash of the baseline's run; empty: there is none, and no signature counts.
    """
    read = (hashes.traces, hashes.judged, baseline_hash)
    return tuple(one for one in signatures if baseline_hash and (one.traces, one.judged, one.baseline) == read)


def _check_slice(file: RunFile, slice_: str) -> None:
    known = sorted({f"{name}={value}" for task in file.tasks().values() for name, value in task.slices.items()})
    if slice_ not in known:
        has = f"it has {listed(known, SHOWN)}" if known else "none of its tasks has a slice"
        raise UsageError(f"{file.path} has no slice {slice_!r}; {has}.{did_you_mean(slice_, known)}")


def _baseline(file: RunFile, baseline: Path | None) -> tuple[str, Path | None]:
    """Return the content hash of the run that a slice is suspect against, and its file; `None`: the file is not there."""
    pin = file.manifest.baseline
    if baseline is None and pin is None:
        raise UsageError(
            "a slice is suspect against a baseline, and none was pinned when this run was planned: give it with --baseline RUN"
        )
    found = baseline or (find_baseline(pin, file.path) if pin is not None else None)
    return (pin.hash if pin is not None else "") if found is None else hashes_of(found).content, found


def _alarms(file: RunFile, baseline: Path) -> Mapping[str, Alarm]:
    """Return slice → the gravest of its alarms, of either kind of tasks."""
    found = compare(summary_of(baseline), evidence_of(file).summary, runs=(str(baseline), str(file.path)))
    alarms: dict[str, Alarm] = {}
    for part in (part for kind in found.kinds for part in kind.slices):
        name = f"{part.name}={part.value}"
        seen = _alarm(part)
        if name not in alarms or _GRAVITY.index(seen) > _GRAVITY.index(alarms[name]):
            alarms[name] = seen
    return alarms


def _alarm(part: SliceComparison) -> Alarm:
    """Return what a slice may be: suspect where some margin of a policy makes it so, or where that hangs on unknown trials."""
    found = alarm(part.strict, part.p_holm, margin=0.0, flipped=part.flips)
    return "suspect" if not found and part.strict.estimate.unknown else found


_GRAVITY: tuple[Alarm, ...] = ("", "suspect", "confirmed")


def _suspects(alarms: Mapping[str, Alarm]) -> str:
    """Return which slices can be signed, in a sentence."""
    suspect = sorted(name for name, found in alarms.items() if found == "suspect")
    return f"Suspect, and to be signed: {listed(suspect, SHOWN)}" if suspect else "No slice is suspect, so there is nothing to sign"

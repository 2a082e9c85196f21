"""Sign a run: a named person has read the flipped traces of a suspect slice and answers for it."""

from __future__ import annotations

from pathlib import Path

from seatrial.app.baselines import find_baseline
from seatrial.app.persons import named, reasoned
from seatrial.app.sealing import hashes_of
from seatrial.base.clock import Clock, SystemClock
from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean
from seatrial.records.decision import RunHashes, Signature
from seatrial.store import RunFile
from seatrial.store.connection import PATIENCE


def sign(run: Path, slice_: str, *, by: str, reason: str, baseline: Path | None = None, clock: Clock | None = None) -> Signature:
    """Add a signature to a run; nothing that was signed before is changed.

    Args:
        run: The run file; while another process writes to it, the signature waits.
        slice_: The suspect slice, `name=value`.
        by: Who has read the flipped traces.
        reason: What they show, and why the run may pass all the same.
        baseline: The run that the slice is suspect against; `None`: the one that was pinned when the run was planned.
        clock: Says when; `None`: the machine's.

    Raises:
        UsageError: The run has no such slice, the name or the reason is missing, or no baseline is known.
        RunFileError: A file cannot be read or written.
    """
    by = named(by, "a signature needs the name of who answers for it: --name NAME")
    reason = reasoned(reason, "a signature needs a reason that another reader can follow: --reason TEXT")
    with RunFile.open(run, write=True, patience=PATIENCE) as file:
        _check_slice(file, slice_)
        against = _baseline_hash(file, baseline)
        at, now = (clock or SystemClock()).now(), file.content_hashes()
        signature = Signature(slice_, by, reason, at, baseline=against, traces=now.traces, judged=now.judged)
        file.add_signatures([signature])
    return signature


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
        has = f"it has {', '.join(known[:20])}" if known else "none of its tasks has a slice"
        raise UsageError(f"{file.path} has no slice {slice_!r}; {has}.{did_you_mean(slice_, known)}")


def _baseline_hash(file: RunFile, baseline: Path | None) -> str:
    """Return the content hash of the run that a slice is suspect against."""
    if baseline is not None:
        return hashes_of(baseline).content
    pin = file.manifest.baseline
    if pin is None:
        raise UsageError(
            "a slice is suspect against a baseline, and none was pinned when this run was planned: give it with --baseline RUN"
        )
    found = find_baseline(pin, file.path)
    return pin.hash if found is None else hashes_of(found).content

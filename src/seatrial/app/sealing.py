"""Sealed decisions: a decision written down with the content hashes of everything that it was computed from."""

from __future__ import annotations

import stat
from pathlib import Path

import msgspec
from msgspec import Raw, structs

from seatrial import __version__
from seatrial.app.writing import write_report
from seatrial.base.canonical import content_hash, indented
from seatrial.base.errors import RecordError, SuiteError
from seatrial.records.decision import SEALED_VERSION, Decision, RunHashes, SealedDecision, SealedRun
from seatrial.records.grade import GRADER_VERSION
from seatrial.store import RunFile
from seatrial.suite.json_source import parse_json
from seatrial.suite.place import Place

MOST_BYTES = 64_000_000
"""Size beyond which a file is no decision that anybody sealed: one with ten rules has 5 kB."""


def hashes_of(run: Path) -> RunHashes:
    """Return the content hashes of a run file; reads all of it.

    Args:
        run: The run file.

    Raises:
        RunFileError: It cannot be read, or a part of it is damaged.
    """
    with RunFile.open(run) as file:
        return file.content_hashes()


def seal(
    decision: Decision,
    run: Path,
    *,
    policy: Raw,
    today: str,
    baseline: Path | None = None,
    looked_up: bool = False,
    ledger: tuple[str, ...] = (),
    revealed: bool = False,
) -> SealedDecision:
    """Return a decision with the hashes of what it was computed from.

    Args:
        decision: The decision, its warnings included.
        run: The run file.
        policy: The policy that was asked, JSON as `gate.read_policy` takes it; `{}`: the plain one.
        today: The day of the decision, ISO 8601, as the rules saw it.
        baseline: The run file that it was held against; `None`: there was none.
        looked_up: Whether the look at the holdout was entered in its ledger.
        ledger: Those of the decision's warnings that the ledger gave rise to.
        revealed: Whether its reasons name tasks of the holdout.

    Raises:
        RunFileError: A run file cannot be read.
    """
    with RunFile.open(run) as file:
        manifest, sealed_run = file.manifest, _sealed_run(file)
    sealed = SealedDecision(
        decision,
        compact_policy(policy),
        hash_of_policy(policy),
        sealed_run,
        today,
        __version__,
        GRADER_VERSION,
        baseline=_opened_and_sealed(baseline),
        pin=manifest.baseline,
        holdout=manifest.holdout.hash if manifest.holdout is not None else "",
        looked_up=looked_up,
        ledger=ledger,
        revealed=revealed,
    )
    return structs.replace(sealed, seal=seal_of(sealed))


def seal_of(sealed: SealedDecision) -> str:
    """Return the content hash of all fields of a sealed decision but the seal itself."""
    return content_hash(structs.replace(sealed, seal=""))


def hash_of_policy(policy: Raw) -> str:
    """Return the content hash of a policy; two that say the same in another order have one hash.

    Args:
        policy: JSON, checked by the gate.
    """
    return content_hash(msgspec.json.decode(policy))


def compact_policy(policy: Raw) -> Raw:
    """Return a policy without white space, its rules in the order in which they are asked.

    Args:
        policy: JSON, checked by the gate.
    """
    return Raw(msgspec.json.encode(msgspec.json.decode(policy)))


def write_decision(sealed: SealedDecision, output: Path) -> None:
    """Write a sealed decision as JSON, at once or not at all.

    Args:
        sealed: The decision.
        output: The file.

    Raises:
        RunFileError: The file is a run or another database.
        UsageError: It cannot be written.
    """
    write_report(indented(sealed), output)


def read_decision(path: Path) -> SealedDecision:
    """Return the sealed decision that a file holds, whatever was changed in it.

    Args:
        path: The file.

    Raises:
        RecordError: It cannot be read, or holds no sealed decision of a version that this seatrial knows.
    """
    try:
        data = _read(path)
        # Refuses a key that stands twice: a person reads the one, and the seal holds the other.
        parse_json(data, Place(str(path)))
        sealed = msgspec.json.decode(data, type=SealedDecision)
    except OSError as error:
        raise RecordError(f"{path}: the decision cannot be read: {error.strerror or error}") from error
    except (SuiteError, ValueError, RecursionError) as error:
        told = error.message if isinstance(error, SuiteError) else str(error)
        raise RecordError(f"{path}: it is no decision that `seatrial gate RUN -o FILE` wrote: {told}") from error
    if sealed.version != SEALED_VERSION:
        raise RecordError(f"{path}: it has version {sealed.version}; this seatrial reads {SEALED_VERSION}")
    # The file is indented for people; the policy was hashed as it is without.
    return structs.replace(sealed, policy=compact_policy(sealed.policy))


def _read(path: Path) -> bytes:
    """Return what a plain file of a sensible size holds; a pipe or a device would never end."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
        raise OSError(f"it is no plain file of at most {MOST_BYTES:,} bytes")
    return path.read_bytes()


def _opened_and_sealed(path: Path | None) -> SealedRun | None:
    if path is None:
        return None
    with RunFile.open(path) as file:
        return _sealed_run(file)


def _sealed_run(file: RunFile) -> SealedRun:
    manifest = file.manifest
    return SealedRun(
        str(file.path),
        file.content_hashes(),
        manifest.suite,
        manifest.suite_version,
        manifest.suite_hash,
        manifest.candidate.name,
        manifest.candidate.hash,
        manifest.seed,
        manifest.created_at,
        manifest.seatrial,
    )

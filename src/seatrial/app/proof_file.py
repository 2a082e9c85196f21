"""The proof that lies in a suite's folder: written by `prove`, read by every run."""

from __future__ import annotations

import stat
from pathlib import Path

import msgspec

from seatrial.app.loading import LoadedSuite
from seatrial.app.writing import write_report
from seatrial.base.canonical import canonical
from seatrial.records.grade import GRADER_VERSION
from seatrial.records.proof import PROOF_FILE, PROOF_VERSION, Proof, ProofNote, adds_up, note_of

MOST_BYTES = 64_000_000
"""Size beyond which a file is no proof that anybody made: one of 150 tasks has 20 kB."""


def write_proof(proof: Proof, folder: Path) -> Path:
    """Write a proof into its suite's folder, at once or not at all.

    Args:
        proof: The proof.
        folder: The suite's folder.

    Returns:
        The file.

    Raises:
        UsageError: It cannot be written.
    """
    path = folder / PROOF_FILE
    write_report(canonical(proof).decode() + "\n", path)
    return path


def proof_note(loaded: LoadedSuite) -> ProofNote | None:
    """Return what reports say of the proof in a suite's folder; `None`: there is none that can be read.

    Args:
        loaded: The suite.
    """
    try:
        proof = msgspec.json.decode(_read(loaded.suite.folder / PROOF_FILE), type=Proof)
    except (OSError, ValueError, RecursionError):
        return None
    if proof.partial or not adds_up(proof):
        return None
    made_of = (proof.suite_hash, proof.world, proof.tools, proof.grader, proof.version)
    now = (loaded.suite.hash, loaded.definition.hash, loaded.tools_hash, GRADER_VERSION, PROOF_VERSION)
    return note_of(proof, older=made_of != now)


def _read(path: Path) -> bytes:
    """Return what a plain file of a sensible size holds; a pipe or a device would never end."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
        raise OSError(f"{path} is no plain file of at most {MOST_BYTES:,} bytes")
    return path.read_bytes()

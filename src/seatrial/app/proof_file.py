"""The proof that lies in a suite's folder: written by `prove`, read by every run."""

from __future__ import annotations

from pathlib import Path

import msgspec

from seatrial.app.loading import LoadedSuite
from seatrial.app.writing import write_report
from seatrial.base.canonical import canonical
from seatrial.records.grade import GRADER_VERSION
from seatrial.records.proof import PROOF_FILE, PROOF_VERSION, Proof, ProofNote, note_of


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
        proof = msgspec.json.decode((loaded.suite.folder / PROOF_FILE).read_bytes(), type=Proof)
    except (OSError, msgspec.MsgspecError):
        return None
    made_of = (proof.suite_hash, proof.world, proof.tools, proof.grader, proof.version)
    now = (loaded.suite.hash, loaded.definition.hash, loaded.tools_hash, GRADER_VERSION, PROOF_VERSION)
    return note_of(proof, older=made_of != now)

"""Where argument values came from: input, user, observation, document, schema, an earlier argument, a constant, a derivation – or nowhere.

Start with `judge`.
"""

from seatrial.grade.provenance.judge import (
    UNSOURCED,
    CompiledProvenance,
    Finding,
    ProvenanceResult,
    compile_provenance,
    explain_sources,
    judge_provenance,
)
from seatrial.grade.provenance.severity import Severity, read_places, severity_at

__all__ = [
    "UNSOURCED",
    "CompiledProvenance",
    "Finding",
    "ProvenanceResult",
    "Severity",
    "compile_provenance",
    "explain_sources",
    "judge_provenance",
    "read_places",
    "severity_at",
]

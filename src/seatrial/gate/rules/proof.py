"""The suite is proven: its checks catch the mutants that `seatrial prove` makes, so that a pass here shows something."""

from __future__ import annotations

from msgspec import Struct

from seatrial.base.wording import count
from seatrial.gate._choosing import Share, Whole
from seatrial.gate._naming import share
from seatrial.gate.evidence import Evidence
from seatrial.records.decision import RuleResult

NAME = "proof"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """How well it must be proven."""

    score: Share = 1.0
    """Least share of mutants that are caught, of those that are caught or a hole that nobody explained."""
    holes: Whole = 0
    """Most holes that nobody explained."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold the proof of a suite against what is asked for.

    Args:
        evidence: The proof that was known when the run was planned is looked at.
        arguments: How well the suite must be proven.

    Returns:
        Inconclusive when there is no proof of this very suite, or it made no mutant; fail when it catches too few, has too many holes, or
        the suite has errors of its own; else pass.
    """
    note = evidence.summary.proof
    if note is None or note.older:
        why = "the suite was not proven" if note is None else "the proof is of an older suite"
        return RuleResult(NAME, "inconclusive", f"{why} when the run was planned: seatrial prove SUITE, and run again")
    made = note.caught + note.holes
    if not made:
        return RuleResult(NAME, "inconclusive", "the proof made no mutant that could be caught")
    score = note.caught / made
    reason = f"{note.caught:,} of {count(made, 'mutant')} caught ({share(score)}), {count(note.holes, 'hole')}"
    if note.errors:
        return RuleResult(
            NAME, "fail", f"the suite has {count(note.errors, 'error')} of its own: seatrial prove SUITE", limit=arguments.score
        )
    if score < arguments.score or note.holes > arguments.holes:
        asked = f"{share(arguments.score)} and at most {count(arguments.holes, 'hole')} are asked for"
        return RuleResult(NAME, "fail", f"{reason}; {asked}: seatrial prove SUITE", limit=arguments.score)
    return RuleResult(NAME, "pass", reason, limit=arguments.score)

"""Few trials are unknown: at most such a share of the planned ones has no known result, of every kind and on the holdout too.

An unknown trial is neither a pass nor a fail, so that this never fails a run; it asks for the trials to be run again.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from seatrial.base.wording import count
from seatrial.gate._choosing import Share
from seatrial.gate._naming import share
from seatrial.gate.evidence import Evidence
from seatrial.records.decision import Need, RuleResult
from seatrial.records.kind_summary import Coverage

NAME = "unknown_trials"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """How many may be unknown."""

    at_most: Share = 0.05
    """Largest share of the planned trials."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold the share of unknown trials against what is allowed.

    Args:
        evidence: The whole run and its judged tasks are looked at.
        arguments: How many may be unknown.

    Returns:
        Inconclusive when a share is larger, or no trial was planned; else pass.
    """
    parts = [(name, coverage) for name, coverage in _parts(evidence) if coverage.planned]
    if not parts:
        return RuleResult(NAME, "inconclusive", "no trial was planned that asks anything", limit=arguments.at_most)
    name, worst = max(parts, key=lambda part: part[1].unknown / part[1].planned)
    lost = worst.unknown / worst.planned
    if not worst.unknown:
        return RuleResult(NAME, "pass", f"every one of {count(evidence.summary.coverage.planned, 'planned trial')} has a known result")
    reason = f"{worst.unknown:,} of {count(worst.planned, f'{name} trial')} have no known result (share {share(lost)})"
    if lost > arguments.at_most:
        need = Need("Run again with the same file to get the missing trials")
        return RuleResult(NAME, "inconclusive", f"{reason}, at most {share(arguments.at_most)} may", limit=arguments.at_most, need=need)
    return RuleResult(NAME, "pass", reason, limit=arguments.at_most)


def _parts(evidence: Evidence) -> Iterator[tuple[str, Coverage]]:
    """Yield the coverage of each kind of the run, and of each kind of its holdout."""
    yield from ((kind.kind, kind.coverage) for kind in evidence.summary.kinds)
    if evidence.holdout is not None:
        yield from ((f"{kind.kind} holdout", kind.coverage) for kind in evidence.holdout.kinds)

"""Names of candidates: runs of one name are told apart, the same way wherever they are held against each other."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.records.summary import RunSummary


def distinct_names(summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Return the names of the candidates; those of one name are told apart by their versions where these differ, or else numbered."""
    found: list[str] = []
    for summary in summaries:
        candidate = summary.candidate
        versions = {one.candidate.version for one in summaries if one.candidate.name == candidate.name}
        short = candidate.name if len(versions) == 1 else f"{candidate.name} {candidate.version}".strip()
        number, best = 1, short
        while best in found:
            number += 1
            best = f"{short} #{number}"
        found.append(best)
    return tuple(found)

"""Names of candidates: runs of one name are told apart, the same way wherever they are held against each other."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.records.summary import RunSummary

_DIGITS = 8
"""Digits of a hash, as many as the status of a suite shows."""


def distinct_names(summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Return the names of the candidates, those of one name told apart.

    Args:
        summaries: The runs.

    Returns:
        One name a run: with the version where versions differ, with the short hash where candidates of one version do, for they are
        not the same agent, and numbered only where it is the same candidate again.
    """
    found: list[str] = []
    for summary in summaries:
        short = _short(summary, [one for one in summaries if one.candidate.name == summary.candidate.name])
        number, best = 1, short
        while best in found:
            number += 1
            best = f"{short} #{number}"
        found.append(best)
    return tuple(found)


def _short(summary: RunSummary, namesakes: Sequence[RunSummary]) -> str:
    """Return the name of a candidate with what tells it from others of its name."""
    name, version = summary.candidate.name, summary.candidate.version
    labelled = name if len({one.candidate.version for one in namesakes}) == 1 else f"{name} {version}".strip()
    hashes = {one.candidate_hash for one in namesakes if one.candidate.version == version}
    return labelled if len(hashes) == 1 else f"{labelled} {summary.candidate_hash[:_DIGITS]}"

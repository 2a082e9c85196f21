"""A run as JSON: the summary itself."""

from __future__ import annotations

from seatrial.base.canonical import indented
from seatrial.records.summary import RunSummary


def render(summary: RunSummary, *, run: str = "RUN") -> str:  # noqa: ARG001 - every renderer of a run has it
    """Return a summary as indented JSON.

    Args:
        summary: The run's summary.
        run: Not used: the JSON proposes no command.

    Returns:
        The text; `records.summary.decode` reads it back.
    """
    return indented(summary)

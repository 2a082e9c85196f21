"""A run as JSON: the summary itself."""

from __future__ import annotations

import msgspec

from seatrial.records.summary import RunSummary, encode


def render(summary: RunSummary, *, run: str = "RUN") -> str:  # noqa: ARG001 - every renderer of a run has it
    """Return a summary as indented JSON.

    Args:
        summary: The run's summary.
        run: Not used: the JSON proposes no command.

    Returns:
        The text; `records.summary.decode` reads it back.
    """
    return msgspec.json.format(encode(summary), indent=2).decode() + "\n"

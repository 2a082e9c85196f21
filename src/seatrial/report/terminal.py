"""A run in the terminal: the decision first, then what it rests on, then what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seatrial.records.summary import RunSummary
from seatrial.report import _console, _sections

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(summary: RunSummary, *, run: str = "RUN", suite: str = "", width: int | None = None, colour: bool | None = None) -> str:
    """Return a run as terminal text.

    Args:
        summary: The run's summary.
        run: Name of the run file, for the commands that are proposed.
        suite: Folder of the suite, for the same; empty: not known.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text. The decision stands at the top, and again at the end with the next command.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    tone = _console.TONES[_sections.decided(summary)]
    decision = Text(_sections.headline(summary), style=tone)
    parts: list[RenderableType] = [decision, Text(_sections.facts(summary), style="dim")]
    for part in _sections.sections(summary):
        parts.extend(_console.section(part, target.width))
    why, _, command = _sections.next_step(summary, run, suite=suite).partition(": seatrial ")
    parts += [Text(), decision, Text(f"next: {why}")]
    parts += [_console.command(f"seatrial {command}", 6)] if command else []
    return _console.drawn(target, parts)

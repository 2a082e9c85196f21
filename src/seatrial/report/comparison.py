"""Two runs held against each other, in the terminal: gains that must not be believed first, then the conclusion and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seatrial.compare.conclusion import leaning
from seatrial.records.comparison import Comparison
from seatrial.report import _comparison_sections, _comparison_tasks, _console

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(comparison: Comparison, *, width: int | None = None, colour: bool | None = None) -> str:
    """Return a comparison as terminal text.

    Args:
        comparison: The comparison.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text: gains that must not be believed, the conclusion, the tasks that moved, what it rests on, and the next command.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    sentence = Text(_comparison_sections.headline(comparison), style=_console.TONES[leaning(comparison)])
    parts: list[RenderableType] = [Text(_comparison_sections.facts(comparison), style="dim")]
    first = _comparison_tasks.shortcuts(comparison, brief=True)
    if first is not None:
        parts.extend(_console.section(first, target.width))
    parts += [Text(), sentence]
    for part in _comparison_sections.once(_comparison_sections.sections(comparison, brief=True)):
        parts.extend(_console.section(part, target.width))
    why = _comparison_sections.next_step(comparison).partition(": seatrial ")[0]
    parts += [Text(), Text(f"next: {why}"), *(_console.command(line, 6) for line in _comparison_sections.commands(comparison))]
    return _console.drawn(target, parts)

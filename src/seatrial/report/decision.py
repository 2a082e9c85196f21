"""A decision in the terminal: the sentence first, then each rule with its evidence, what it would take, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seatrial.records.decision import SealedDecision
from seatrial.report import _console, _decision_sections
from seatrial.report._plain import plain

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(
    sealed: SealedDecision, *, conclusion: str = "", names: str = "", agent: str = "", width: int | None = None, colour: bool | None = None
) -> str:
    """Return a decision as terminal text.

    Args:
        sealed: The decision.
        conclusion: What the comparison with the baseline comes to, in a sentence; empty: there is none.
        names: What is held against what, as the comparison calls them; empty: by the names of the runs.
        agent: How the candidate is called, for the command that is proposed; empty: not known.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text. The decision stands at the top, and again at the end with the next command.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    decision = Text(plain(sealed.decision.sentence), style=_console.TONES[sealed.decision.value])
    about = Text(f"{_decision_sections.title(sealed, names)} · {_decision_sections.facts(sealed)}", style="dim")
    parts: list[RenderableType] = [decision, about]
    for part in _decision_sections.sections(sealed, conclusion):
        parts.extend(_console.section(part, target.width))
    why, _, command = _decision_sections.next_step(sealed, agent).partition(": seatrial ")
    parts += [Text(), decision, *([Text(f"next: {why}")] if why else [])]
    parts += [_console.command(f"seatrial {command}", 6)] if command else []
    return _console.drawn(target, parts)

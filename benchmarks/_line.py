"""One line of the benchmark: what was measured, against what, and whether it meets its bar."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from benchmarks._interleave import Comparison


@dataclass(frozen=True)
class Line:
    """One measured figure.

    Args:
        name: What was measured.
        ours: Our figure, in `unit`.
        theirs: The peer's figure in the same unit; `None`: there is no peer.
        ratio: How many times better ours is: median of the per-round ratios; `None`: there is no peer.
        bar: The least ratio when there is a peer, else the limit of `ours`; `None`: no bar is set.
        ok: Whether the bar is met, true where none is set; `None`: it could not be measured, see `note`.
        unit: Unit of `ours` and `theirs`.
        note: What a reader must know.
    """

    name: str
    ours: float | None
    theirs: float | None
    ratio: float | None
    bar: float | None
    ok: bool | None
    unit: str
    note: str = ""

    def json(self) -> str:
        """Return the line as JSON, figures rounded to four significant digits."""
        return json.dumps({key: _short(value) for key, value in asdict(self).items() if key != "note" or value}, ensure_ascii=False)


def against(name: str, found: Comparison, *, bar: float | None, unit: str, note: str = "") -> Line:
    """Return the line of a comparison with a peer that must be won by the factor `bar`; `None`: it is told and judged by no bar."""
    return Line(name, found.ours, found.theirs, found.ratio, bar, bar is None or found.ratio >= bar, unit, note)


def at_least(name: str, ours: float, *, bar: float, unit: str, note: str = "") -> Line:
    """Return the line of a figure without a peer that must reach a limit."""
    return Line(name, ours, None, None, bar, ours >= bar, unit, note)


def at_most(name: str, ours: float, *, bar: float, unit: str, note: str = "") -> Line:
    """Return the line of a figure without a peer that must not exceed a limit."""
    return Line(name, ours, None, None, bar, ours <= bar, unit, note)


def told(name: str, ours: float, *, unit: str, note: str = "") -> Line:
    """Return the line of a figure that is told and judged by no bar."""
    return Line(name, ours, None, None, None, True, unit, note)


def unmeasured(name: str, unit: str, why: str, *, ok: bool | None = None) -> Line:
    """Return the line of a figure that could not be measured; `ok=False` when that is a failure."""
    return Line(name, None, None, None, None, ok, unit, why)


def _short(value: object) -> object:
    return float(f"{value:.4g}") if isinstance(value, float) else value

"""What is said of several candidates against one baseline; the terminal and Markdown draw the same sections."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.compare.wording import points_with_interval
from seatrial.records.comparison import Pairwise, PairwiseLine
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import NONE


def sections(found: Pairwise) -> Iterator[Section]:
    """Yield one table a kind.

    Args:
        found: The candidates against their baseline.
    """
    criterion = "strict" if found.criterion == "strict" else "outcome alone"
    header = ("candidate", "says", "points [95 %]", "tasks", "differ", "Holm p", "drop seen")
    for kind in dict.fromkeys(line.kind for line in found.lines):
        rows = tuple(_row(line) for line in found.lines if line.kind == kind)
        yield Section(f"{kind.capitalize()}: each against {plain(found.baseline)}, {criterion} pass^1", Grid(header, rows, left=2), _LEGEND)


_LEGEND = (
    "Holm p is corrected for the number of candidates; better and worse are said only where it is below 0.05.",
    "Drop seen: the smallest that would have been found with 80 % power, before that correction.",
    "The best of many looks better than it is: measure it again on a holdout before it ships.",
)


def _row(line: PairwiseLine) -> tuple[str, ...]:
    """Return the row of one candidate."""
    one = line.difference
    value = points_with_interval(one.estimate).replace(" points", "")
    p = NONE if line.p_holm is None else "<0.001" if line.p_holm < 0.001 else f"{line.p_holm:.3f}"
    drop = NONE if one.detectable is None else f"{100 * one.detectable:.1f}"
    return plain(line.name), line.verdict, value, f"{one.tasks:,}", f"{one.differing:,}", p, drop

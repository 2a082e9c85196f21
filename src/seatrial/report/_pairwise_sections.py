"""What is said of several candidates against one baseline; the terminal and Markdown draw the same sections."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.compare.wording import points_with_interval
from seatrial.records.comparison import Pairwise, PairwiseLine
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import CRITERIA, drop_seen, filled_in, p_value


def sections(found: Pairwise) -> Iterator[Section]:
    """Yield one table a kind, then the required steps that candidates left out.

    Args:
        found: The candidates against their baseline.
    """
    header = ("candidate", "says", "points [95 %]", "tasks", "differ", "Holm p", "drop seen")
    for kind in dict.fromkeys(line.kind for line in found.lines):
        rows = tuple(_row(line) for line in found.lines if line.kind == kind)
        yield Section(
            f"{kind.capitalize()}: each against {plain(found.baseline)}, {CRITERIA[found.criterion]} pass^1",
            Grid(header, rows, left=2),
            _LEGEND,
        )
    if found.stopped:
        rows = tuple(
            (plain(one.name), plain(one.requirement), plain(one.call), f"{one.tasks:,}", f"{one.before:,} → {one.after:,}")
            for one in found.stopped
        )
        header = ("candidate", "required step", "call", "tasks", "never ran, trials")
        yield Section(f"Required steps that stopped running, against {plain(found.baseline)}", Grid(header, rows, left=3))


def next_step(found: Pairwise) -> str:
    """Return what to do next; its command can be copied as far as the names are known."""
    return plain(filled_in(found.next, dict(zip(("BASELINE", "CANDIDATE"), found.runs, strict=True))))


_LEGEND = (
    "Holm p is corrected for the number of candidates; better and worse are said only where it is below 0.05.",
    "Drop seen: the smallest that would have been found with 80 % power, before that correction.",
    "The best of many looks better than it is: measure it again on a holdout before it ships.",
)


def _row(line: PairwiseLine) -> tuple[str, ...]:
    """Return the row of one candidate."""
    one = line.difference
    value = points_with_interval(one.estimate, unit="")
    return plain(line.name), line.verdict, value, f"{one.tasks:,}", f"{one.differing:,}", p_value(line.p_holm), drop_seen(one)

"""Two runs held against each other, as one self-contained HTML file with both traces of each moved task side by side.

The text of the comparison stands in the file as markup, every word of it escaped; traces stand there as JSON that is never run, and a
script draws a pair when it is opened. The page needs no network and no server.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import PurePath

import msgspec

from seatrial.base.wording import count
from seatrial.compare.conclusion import leaning
from seatrial.records.comparison import Comparison, PairedTask, RunMark
from seatrial.records.grade import Grade
from seatrial.records.trace import Trace
from seatrial.report import _comparison_sections, _comparison_tasks, _embedding
from seatrial.report._embedding import EmbeddedTrial
from seatrial.report._grid import Grid, Section
from seatrial.report._page import filled
from seatrial.report._plain import plain

SCRIPTS = ("dom", "data", "verdict", "steps", "trace", "compare")
"""In the order in which they are joined."""
MOST_BYTES = 64_000_000
"""JSON of traces in one file, before compression."""

Side = tuple[Trace, Grade] | None
"""A trial of one run with its grade; `None`: it is not shown."""
Pairs = Mapping[str, tuple[Side, Side]]
"""Task → the trial of the baseline and that of the candidate."""


class _Mark(msgspec.Struct, frozen=True):
    name: str
    run: str
    """Name of the run file for commands, quoted for a shell; its folders are not shown."""


class _Data(msgspec.Struct, frozen=True):
    marks: tuple[_Mark, _Mark]
    pairs: list[str]
    """Tasks whose traces are part of the file, by the numbers of their elements."""


def render(comparison: Comparison, *, traces: Pairs | None = None) -> str:
    """Return a comparison as one HTML document.

    Args:
        comparison: The comparison.
        traces: Traces of the tasks that moved; those of a task that is not there are not shown.
    """
    embedded, left_out = _fitting(traces or {})
    numbers = {task: index for index, task in enumerate(embedded)}
    title = f"{comparison.candidate.name} against {comparison.baseline.name}"
    data = _Data((_mark(comparison.baseline), _mark(comparison.candidate)), list(embedded))
    elements = [_embedding.script("data", msgspec.json.encode(data), "json")]
    elements += [_embedding.script(f"pair-{numbers[task]}", sides, _form(sides)) for task, sides in embedded.items()]
    return filled(
        "compare.html",
        SCRIPTS,
        {
            "title": escape(plain(title)),
            "facts": escape(_comparison_sections.facts(comparison)),
            "body": "\n".join(_body(comparison, numbers, left_out)),
            "data": "\n".join(elements),
        },
    )


def _body(comparison: Comparison, numbers: Mapping[str, int], left_out: int) -> Iterator[str]:
    """Yield the sections as markup."""
    first = _comparison_tasks.shortcuts(comparison)
    if first is not None:
        yield _section(first)
    sentence, tone = escape(_comparison_sections.headline(comparison)), leaning(comparison)
    yield f'<div data-decision="{tone}"><div class="banner"><p>{sentence}</p></div></div>'
    yield f'<p class="next">{escape(_comparison_sections.next_step(comparison))}</p>'
    yield _pairs(comparison, numbers, left_out)
    yield from map(_section, _comparison_sections.sections(comparison))


def _pairs(comparison: Comparison, numbers: Mapping[str, int], left_out: int) -> str:
    """Return the list of all tasks that moved, each with a button that opens its traces."""
    why = {task.task: "right for the wrong reason" for task in comparison.moved_away}
    why |= {task.task: "gained" for task in comparison.gained} | {task.task: "lost" for task in comparison.lost}
    why |= {task.task: "gained without a required step" for task in comparison.shortcuts}
    rows = "".join(_pair_row(task, why[task.task], numbers.get(task.task)) for task in comparison.listed)
    header = _row("th", ("task", "moved", "kind", "strict", "outcome", "wrong reason", "now"), 'scope="col"')
    told = f"The traces of {count(left_out, 'task')} are not part of this file, which would grow too large."
    more = f'<p class="soft">{told}</p>' if left_out else ""
    content = _table("Tasks that moved", header, rows) if rows else "<p>No shared task moved.</p>"
    return f'<section id="pairs" tabindex="-1"><h2>Both traces side by side</h2>{content}{more}</section>'


def _pair_row(task: PairedTask, why: str, number: int | None) -> str:
    """Return the row of one task; without traces in the file its name is no button."""
    name, *cells = _comparison_tasks.task_row(task)
    shown = escape(name)
    if number is not None:
        shown = f'<button type="button" class="link" data-pair="{number}" disabled>{shown}</button>'
    return f'<tr><th scope="row">{shown}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in (why, *cells))}</tr>'


def _section(part: Section) -> str:
    """Return a section as markup."""
    lines = "".join(f"<li>{escape(line.strip())}</li>" for line in part.lines)
    commands = "".join(f'<p class="command"><code>{escape(line)}</code></p>' for line in part.commands)
    listed = f'<ul class="plain">{lines}</ul>' if lines else ""
    return f"<section><h2>{escape(part.title)}</h2>{_grid(part.grid, part.title) if part.grid else ''}{listed}{commands}</section>"


def _grid(grid: Grid, title: str) -> str:
    """Return a table as markup."""
    rows = "".join(_row("td", row, "", grid) for row in grid.rows)
    return _table(title, _row("th", grid.header, 'scope="col"', grid), rows)


def _table(label: str, head: str, rows: str) -> str:
    """Return a table in a region of its own that scrolls sideways when the screen is too narrow."""
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">{table}</div>'


def _row(tag: str, cells: Sequence[str], attributes: str, grid: Grid | None = None) -> str:
    """Return a row of a table as markup."""
    kinds = ["number" if grid and index >= grid.left else "wide" if grid and index == grid.wide else "text" for index in range(len(cells))]
    each = (
        f'<{tag} {attributes} class="{kind}">{escape(cell)}</{tag}>' if cell else "<td></td>"
        for kind, cell in zip(kinds, cells, strict=True)
    )
    return f"<tr>{''.join(each)}</tr>"


def _fitting(traces: Pairs) -> tuple[dict[str, bytes], int]:
    """Return the JSON of each pair that fits into the file, and how many do not."""
    found: dict[str, bytes] = {}
    size = 0
    for task, sides in traces.items():
        data = msgspec.json.encode([None if side is None else EmbeddedTrial(*side) for side in sides])
        if size + len(data) <= MOST_BYTES:
            found[task], size = data, size + len(data)
    return found, len(traces) - len(found)


def _form(data: bytes) -> _embedding.Form:
    return "gzip" if len(data) > _embedding.CHUNK_BYTES else "json"


def _mark(mark: RunMark) -> _Mark:
    return _Mark(mark.name, shlex.quote(PurePath(mark.run).name) if mark.run else "RUN")

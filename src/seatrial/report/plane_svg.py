"""Several candidates on the plane of cost and value, as a picture: one panel a k, the frontiers drawn, the names as a key below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from seatrial.records.estimate import Estimate
from seatrial.records.plane import Frontier, Place, Plane, PlaneKind
from seatrial.report import _plane_sections
from seatrial.report._axis import Axis, axis
from seatrial.report._plain import clipped, plain
from seatrial.report._plane_sections import quantity

_PANEL, _HEIGHT, _TOP, _LEFT, _BOTTOM = 480, 360, 34, 62, 48
_LINE, _KEY_NAME, _MARGIN = 18, 60, 12
_STYLE = """
svg{font:12px system-ui,sans-serif;--ink:#1b1f24;--dim:#57606a;--line:#d0d7de;--paper:#fff;--best:#0550ae;--good:#0969da}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--dim:#9aa4ae;--line:#3d444d;--paper:#0d1117;--best:#79c0ff;--good:#58a6ff}}
.paper{fill:var(--paper)}text{fill:var(--ink)}.dim{fill:var(--dim)}.grid{stroke:var(--line);stroke-width:1}
.reach{stroke:var(--dim);stroke-width:1}.convex-line{stroke:var(--best);stroke-width:2;fill:none}
.plain-line{stroke:var(--good);stroke-width:1.5;stroke-dasharray:4 3;fill:none}
.convex{fill:var(--best)}.plain{fill:var(--paper);stroke:var(--good);stroke-width:2}.behind{stroke:var(--dim);stroke-width:2;fill:none}
.name{font-weight:600;paint-order:stroke;stroke:var(--paper);stroke-width:3px}.title{font-weight:600;font-size:13px}
"""


def render(plane: Plane, *, ks: Sequence[int] = ()) -> str:
    """Return candidates on the plane as SVG.

    Args:
        plane: The plane.
        ks: The k of each panel; empty: the first and the last of the plane.

    Returns:
        One SVG document, light or dark as the reader's system is. Shapes tell apart what colours do, every point has a title, and the
        picture's description says the frontier in words. Words from outside are escaped.
    """
    rows = [(kind, _chosen(kind, ks)) for kind in plane.kinds]
    width = _PANEL * max([1, *(len(found) for _, found in rows)])
    body, at = [], 0.0
    for kind, found in rows:
        for column, frontier in enumerate(found):
            body += _panel(plane, kind, frontier, (column * _PANEL, at))
        body += _key(kind, at + _HEIGHT, width)
        at += _HEIGHT + _key_height(kind, width)
    size = f'viewBox="0 0 {width} {at:g}" width="{width}" height="{at:g}"'
    told = escape(f"{_plane_sections.headline(plane)} {_plane_sections.facts(plane)}")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
            f'<title id="title">Cost and value of {len(plane.kinds[0].points)} candidates</title>',
            f'<desc id="desc">{told}</desc>',
            f"<style>{_STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{at:g}"/>',
            *body,
            "</svg>",
            "",
        ]
    )


def _chosen(kind: PlaneKind, ks: Sequence[int]) -> list[Frontier]:
    """Return the planes that become panels: those asked for, or the first and the last that have a place."""
    placed = [frontier for frontier in kind.frontiers if frontier.places]
    if ks:
        return [frontier for frontier in placed if frontier.k in ks]
    return placed if len(placed) < 2 else [placed[0], placed[-1]]


def _panel(plane: Plane, kind: PlaneKind, frontier: Frontier, corner: tuple[float, float]) -> Iterator[str]:
    """Yield the marks of one panel."""
    left, top = corner
    values = {point.name: next(one for one in point.pass_k if one.name == f"pass^{frontier.k}") for point in kind.points}
    costs = [place.cost for place in frontier.places]
    across = axis(costs, left + _LEFT, left + _PANEL - _MARGIN, may_be_logarithmic=True)
    ends = [end for place in frontier.places for end in _reach(values[place.name], place)]
    up = axis(ends, top + _HEIGHT - _BOTTOM, top + _TOP)
    word = f"pass^{frontier.k} against {plane.unit} of a trial{' (logarithmic)' if across.logarithmic else ''}"
    yield f'<text class="title" x="{left + _LEFT:g}" y="{top + 20:g}">{escape(f"{kind.kind.capitalize()}: {word}")}</text>'
    yield from _grid(plane, across, up)
    yield from _lines(frontier, across, up)
    key = _plane_sections.keys(kind)
    labelled: list[tuple[float, float]] = []
    for place in frontier.places:
        x, y = across.at(place.cost), up.at(place.value)
        low, high = _reach(values[place.name], place)
        told = f"{plain(place.name)}: {quantity(place.cost, plane.unit)}, {place.value:.3f} ({low:.3f} to {high:.3f})"
        yield f"<g><title>{escape(told)}</title>"
        yield f'<line class="reach" x1="{x:.1f}" x2="{x:.1f}" y1="{up.at(low):.1f}" y2="{up.at(high):.1f}"/>'
        yield f"{_mark(place, x, y)}{_label(key[place.name], x, y, labelled)}</g>"


def _reach(value: Estimate, place: Place) -> tuple[float, float]:
    """Return the interval of a value, or the value twice."""
    return (place.value if value.lower is None else value.lower, place.value if value.upper is None else value.upper)


def _grid(plane: Plane, across: Axis, up: Axis) -> Iterator[str]:
    """Yield the lines at round values and what they stand for."""
    for tick in up.ticks:
        y = up.at(tick)
        yield f'<line class="grid" x1="{across.start:.1f}" x2="{across.end:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text class="dim" x="{across.start - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{tick:.6g}</text>'
    for tick in across.ticks:
        x = across.at(tick)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{up.start:.1f}" y2="{up.start + 4:.1f}"/>'
        yield f'<text class="dim" x="{x:.1f}" y="{up.start + 18:.1f}" text-anchor="middle">{quantity(tick, plane.unit)}</text>'


def _lines(frontier: Frontier, across: Axis, up: Axis) -> Iterator[str]:
    """Yield the convex frontier as a line and the plain one as steps; on a logarithmic axis the mix of two is no straight line."""
    plain_ones = [place for place in frontier.places if place.plain]
    if len(plain_ones) > 1:
        steps = [f"M{across.at(plain_ones[0].cost):.1f} {up.at(plain_ones[0].value):.1f}"]
        steps += [f"H{across.at(place.cost):.1f}V{up.at(place.value):.1f}" for place in plain_ones[1:]]
        yield f'<path class="plain-line" d="{"".join(steps)}"/>'
    corners = [place for place in frontier.places if place.convex]
    if len(corners) > 1:
        path = [f"M{across.at(corners[0].cost):.1f} {up.at(corners[0].value):.1f}"]
        for before, after in pairwise(corners):
            for part in range(1, 17):
                cost, value = (start + part / 16 * (end - start) for start, end in ((before.cost, after.cost), (before.value, after.value)))
                path.append(f"L{across.at(cost):.1f} {up.at(value):.1f}")
        yield f'<path class="convex-line" d="{"".join(path)}"/>'


def _mark(place: Place, x: float, y: float) -> str:
    """Return the shape of a place: a disc on the convex frontier, a ring on the plain one, a cross behind both."""
    if place.convex or place.plain:
        return f'<circle class="{"convex" if place.convex else "plain"}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
    return f'<path class="behind" d="M{x - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8"/>'


def _label(key: str, x: float, y: float, labelled: list[tuple[float, float]]) -> str:
    """Return the key beside a point, at the first side where no other label stands."""
    sides = ((9, -7), (9, 16), (-18, -7), (-18, 16), (9, -21), (-18, -21), (9, 30))
    taken = [(x + right, y + down) for right, down in sides]
    spot = next((one for one in taken if all(abs(one[0] - a) > 14 or abs(one[1] - b) > 12 for a, b in labelled)), taken[0])
    labelled.append(spot)
    return f'<text class="name" x="{spot[0]:.1f}" y="{spot[1]:.1f}">{key}</text>'


def _key(kind: PlaneKind, top: float, width: float) -> Iterator[str]:
    """Yield the names, in columns, and what the shapes mean."""
    columns = max(1, int(width // _PANEL))
    placed = {place.name for frontier in kind.frontiers for place in frontier.places}
    for index, (name, key) in enumerate(_plane_sections.keys(kind).items()):
        x, y = _MARGIN + index % columns * _PANEL, top + _LINE * (index // columns + 1)
        rest = "" if name in placed else ' <tspan class="dim">(no place)</tspan>'
        yield f'<text x="{x:g}" y="{y:g}"><tspan font-weight="600">{key}</tspan> {escape(clipped(name, _KEY_NAME))}{rest}</text>'
    shapes = "disc, line: convex frontier · ring, dashes: plain frontier · cross: behind · upright lines: 95 % intervals"
    yield f'<text class="dim" x="{_MARGIN}" y="{top + _key_height(kind, width) - _MARGIN:g}">{shapes}</text>'


def _key_height(kind: PlaneKind, width: float) -> float:
    columns = max(1, int(width // _PANEL))
    return _LINE * (-(-len(kind.points) // columns) + 1) + 2 * _MARGIN

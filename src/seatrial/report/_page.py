"""A self-contained HTML page from its parts: one style, one script, and a policy that allows nothing but these two, by their hashes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files


def filled(template: str, scripts: Sequence[str], parts: Mapping[str, str]) -> str:
    """Return a page.

    Args:
        template: Name of its file in the folder of the page.
        scripts: Names of the scripts, in the order in which they are joined.
        parts: Name → HTML that stands in the template in its place; style, script and their hashes are added.
    """
    style, script = _part("page.css"), "\n".join(_part(f"{name}.js") for name in scripts)
    hashes = {"style_hash": _source_hash(style), "script_hash": _source_hash(script)}
    known = {**parts, "style": style, "script": script, **hashes}
    pieces = _part(template).split("{{")
    return pieces[0] + "".join(known[name] + rest for name, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def _part(name: str) -> str:
    return files("seatrial.report.page").joinpath(name).read_text(encoding="utf-8")


def _source_hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode("utf-8")).digest()).decode("ascii")

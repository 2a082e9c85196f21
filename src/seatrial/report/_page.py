"""A self-contained HTML page from its parts: one style, one script, and a policy that allows nothing but these two, by their hashes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files


def filled(template: str, scripts: Sequence[str], parts: Mapping[str, str]) -> str:
    """Return a page: a template within the frame of every page.

    Args:
        template: Name of its file in the folder of the page; it holds what stands in the body before data and script.
        scripts: Names of the scripts, in the order in which they are joined.
        parts: Name → HTML that stands in the template or the frame in its place; the frame has `title` and `data`, and is given style,
            script and their hashes.
    """
    style, script = _part("page.css"), "\n".join(_part(f"{name}.js") for name in scripts)
    hashes = {"style_hash": _source_hash(style), "script_hash": _source_hash(script)}
    content = _with(_part(template), parts).rstrip("\n")
    return _with(_part("frame.html"), {**parts, "content": content, "style": style, "script": script, **hashes})


def _with(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with its parts; what stands in a part is never taken for a template."""
    pieces = template.split("{{")
    return pieces[0] + "".join(parts[name] + rest for name, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def _part(name: str) -> str:
    return files("seatrial.report.page").joinpath(name).read_text(encoding="utf-8")


def _source_hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode("utf-8")).digest()).decode("ascii")

"""Where in a text a value stands, in words: the path of the leaf of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from seatrial.grade.provenance.needles import Needle, Text
from seatrial.grade.view import read_json

MAX_LEAVES = 2_000
"""Keys and leaves of an answer that are looked at; further in it, only its step is named."""
Path = tuple[str | int, ...]


def place_of(needle: Needle, text: Text) -> str:
    """Return where a text that holds a value holds it: the step and, of an answer, the path of the first leaf or key.

    Args:
        needle: The value.
        text: A text that holds it.
    """
    if text.call is None:
        return text.where
    for path, leaf in islice(_leaves(read_json(text.text.encode()), ()), MAX_LEAVES):
        if needle.held_by(Text(text.kind, leaf if isinstance(leaf, str) else str(leaf))):
            return f"{text.where}{': ' if path else ''}{written(path)}"
    return text.where


def written(path: Path) -> str:
    """Return a path as it is written: `flights[0].date`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _leaves(root: object, start: Path) -> Iterator[tuple[Path, object]]:
    """Yield keys and scalars with their paths, in the order in which they stand."""
    pending: list[tuple[Path, object]] = [(start, root)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, dict):
            pending.extend(reversed([pair for key, value in node.items() for pair in (((*path, key), str(key)), ((*path, key), value))]))
        elif isinstance(node, list):
            pending.extend(reversed([((*path, index), value) for index, value in enumerate(node)]))
        elif node is not None and not isinstance(node, bool):
            yield path, node

"""The files that a Python file is made of: itself, and what it imports from its own folder, directly or not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def own_sources(file: Path, folder: Path) -> list[Path]:
    """Return a file and the files beside it, or in a folder, that it imports, directly or not, sorted.

    Args:
        file: A file of Python.
        folder: Where imported modules are looked for, after the importing file's own folder.
    """
    found, waiting = set[Path](), [file]
    while waiting:
        path = waiting.pop().resolve()
        if path not in found:
            found.add(path)
            places = dict.fromkeys((path.parent, file.parent, folder))
            waiting += [part for name in _imported(path) for place in places for part in _files_of(place, name)]
    return sorted(found)


def module_file(folder: Path, parts: list[str]) -> Path | None:
    """Return the file of a module in a folder: `name.py`, or `name/__init__.py`; `None`: there is none."""
    place = folder.joinpath(*parts)
    if not all(part.isidentifier() for part in parts):
        return None
    return next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)


def _imported(path: Path) -> set[str]:
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError, RecursionError):
        return set()  # no Python source, for example a compiled module: its bytes alone count
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    members = {f"{node.module}.{alias.name}" if node.module else alias.name for node in named for alias in node.names}
    return plain | {node.module for node in named if node.module} | members


def _files_of(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files that run when a module is imported: its own, and those of the packages around it.

    A package may lie above the folder, with the importing file in it; then the last part of the name is what lies here.
    """
    parts = name.split(".")
    for own in (*(parts[:length] for length in range(1, len(parts) + 1)), parts[-1:]):
        path = module_file(folder, own)
        if path is not None:
            yield path

"""The files that a Python file is made of: itself, the code that it imports and nobody installed, and the texts beside it that it names.

What is found is found by reading, not by running: an import under a computed name, and a file that is searched for, stay unseen.
"""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

MOST_BYTES = 16_000_000
"""Size beyond which a named file is no text that somebody wrote."""
_TEXTS = frozenset(
    (
        ".cfg",
        ".csv",
        ".html",
        ".ini",
        ".j2",
        ".jinja",
        ".jinja2",
        ".json",
        ".md",
        ".prompt",
        ".tmpl",
        ".toml",
        ".txt",
        ".xml",
        ".yaml",
        ".yml",
    )
)
"""Ends of the names of files that a program reads and seldom writes; logs and databases change with every run."""
_LONGEST = 200
"""Characters of a text in a program beyond which it names no file."""
_OURS = "seatrial"
"""Package whose version every manifest carries."""


class _Names(NamedTuple):
    """What a file of Python names."""

    modules: set[str]
    """Modules that it imports."""
    texts: set[str]
    """Texts in it that may be names of files or folders."""


def own_sources(file: Path, *folders: Path) -> Mapping[str, Path]:
    """Return a file and what it is made of, directly or not.

    Args:
        file: A file of Python.
        folders: Where modules and named files are looked for, after the importing file's own folder; then modules on the import path,
            but for what is installed.

    Returns:
        Name → file, sorted: the path from the folder that it was found in, the same wherever that folder lies.
    """
    found, waiting = dict[Path, str](), [(file.name, file)]
    while waiting:
        name, path = waiting.pop()
        if (path := path.resolve()) in found:
            continue
        found[path] = name
        if path.suffix == ".py" or path == file.resolve():
            names, places = _names_in(path), list(dict.fromkeys((file.resolve().parent, file.parent, path.parent, *folders)))
            waiting += [part for module in sorted(names.modules) for part in _modules(places, module)]
            waiting += _texts(places, names.texts)
    return dict(sorted({f"{name}{_again(name, path, found)}": path for path, name in found.items()}.items()))


def module_file(folder: Path, parts: list[str]) -> Path | None:
    """Return the file of a module in a folder: `name.py`, or `name/__init__.py`; `None`: there is none."""
    place = folder.joinpath(*parts)
    if not all(part.isidentifier() for part in parts):
        return None
    return next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)


def _again(name: str, path: Path, found: Mapping[Path, str]) -> str:
    """Return what tells a file from others of one name: its number among them; empty for the first."""
    number = sorted(other for other, each in found.items() if each == name).index(path)
    return f"#{number}" if number else ""


def _names_in(path: Path) -> _Names:
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError, RecursionError):
        return _Names(set(), set())  # no Python source, for example a compiled module: its bytes alone count
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    members = {f"{node.module}.{alias.name}" if node.module else alias.name for node in named for alias in node.names}
    called = {name for node in nodes if isinstance(node, ast.Call) for name in _called(node)}
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return _Names(
        plain | {node.module for node in named if node.module} | members | called,
        {text for text in texts if 0 < len(text) <= _LONGEST and text.isprintable() and not text.isspace()},
    )


def _called(node: ast.Call) -> Iterator[str]:
    """Yield the module that `importlib.import_module("name")` or `__import__("name")` imports."""
    function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first = node.args[0] if node.args else None
    if function in ("import_module", "__import__") and isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield first.value.lstrip(".")


def _modules(places: Iterable[Path], name: str) -> list[tuple[str, Path]]:
    """Return the files that run when a module is imported, by name: beside the importing file, else on the import path."""
    return [part for place in places for part in _files_of(place, name)] or [
        part for place in _elsewhere(name.partition(".")[0]) for part in _files_of(place, name)
    ]


def _files_of(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Yield the files that run when a module is imported: its own, and those of the packages around it.

    A package may lie above the folder, with the importing file in it; then the last part of the name is what lies here.
    """
    parts = name.split(".")
    for own in (*(parts[:length] for length in range(1, len(parts) + 1)), parts[-1:]):
        path = module_file(folder, own)
        if path is not None:
            yield path.relative_to(folder).as_posix(), path


def _elsewhere(top: str) -> Iterator[Path]:
    """Yield the folders on the import path that a module lies in, unless it is installed: its version, like Python's, has no hash."""
    if top in sys.stdlib_module_names or top == _OURS or not top.isidentifier():
        return
    try:
        spec = find_spec(top)
    except (ImportError, AttributeError, ValueError):
        return
    if spec is not None:
        homes = (Path(place).parent for place in spec.submodule_search_locations or filter(None, [spec.origin]))
        yield from (home for home in dict.fromkeys(homes) if not _is_installed(home))


def _is_installed(folder: Path) -> bool:
    libraries = [Path(place) for name, place in sysconfig.get_paths().items() if name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return {"site-packages", "dist-packages"} & set(folder.parts) != set() or any(folder.is_relative_to(place) for place in libraries)


def _texts(places: Iterable[Path], texts: set[str]) -> list[tuple[str, Path]]:
    """Return the files that texts name, in some folders, or in folders there that other texts name."""
    files = sorted(text for text in texts if os.path.splitext(text)[1].lower() in _TEXTS)  # noqa: PTH122 - a text is no path yet
    if not files:
        return []
    inside = [
        Path(place, text) for place in places for text in sorted(texts.difference(files)) if text.strip("./") and Path(place, text).is_dir()
    ]
    named = ((text, Path(place, text)) for place in (*places, *inside) for text in files)
    return [(text, path) for text, path in named if _is_readable(path)]


def _is_readable(path: Path) -> bool:
    return path.is_file() and path.stat().st_size <= MOST_BYTES and os.access(path, os.R_OK)

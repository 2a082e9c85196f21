"""The shape of the code: sizes, and nothing of this machine."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FOLDERS = ("src", "tests", "examples", "benchmarks", "docs", ".ci")
FILES = (*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob("*.lock"), ROOT / "Makefile", ROOT / ".gitignore")
MARKS = ("/" + "work/", "/" + "root/", "/" + "home/", "C:" + "\\Users")


def functions() -> Iterator[tuple[str, int]]:
    """Yield name and length of every function of the package."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", _lines(node)


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its docstring."""
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


def test_no_file_is_longer_than_500_lines() -> None:
    """A longer file is two."""
    long = {str(path.relative_to(ROOT)): n for path in SOURCES if (n := len(path.read_text(encoding="utf-8").splitlines())) > 500}
    assert long == {}


def test_no_function_is_longer_than_60_lines_and_most_are_short() -> None:
    """A function fits on a screen; the median is ten lines or fewer."""
    lengths = dict(functions())
    assert {name: length for name, length in lengths.items() if length > 60} == {}
    assert statistics.median(lengths.values()) <= 10


def test_no_inheritance_is_deeper_than_one() -> None:
    """A class of ours has at most one base of ours, and that base has none; errors are a documented tree."""
    bases: dict[str, list[str]] = {}
    for path in SOURCES:
        if path.name != "errors.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
    deep = [name for name, own in bases.items() for base in own if any(other in bases for other in bases.get(base, []))]
    assert deep == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_names_a_path_of_a_machine(folder: str) -> None:
    """No file that is kept holds a path of the machine it was written on."""
    assert _naming(path for path in (ROOT / folder).rglob("*") if path.is_file()) == []


def test_no_top_level_file_names_a_path_of_a_machine() -> None:
    """The same for the files at the top."""
    assert _naming(path for path in FILES if path.is_file()) == []


def _naming(paths: Iterator[Path]) -> list[str]:
    found = []
    for path in paths:
        if "__pycache__" in path.parts or path.suffix in {".seatrial", ".pyc", ".png"}:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{path.relative_to(ROOT)}: {mark}" for mark in MARKS if mark in text]
    return found

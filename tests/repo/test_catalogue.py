"""The catalogue of plug-ins and of public names: an addition or a loss shows here, in review."""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path

import grimp
import pytest

import seatrial
from seatrial.base import catalogue

CATALOGUE = Path(__file__).with_name("catalogue.txt")


@cache
def _imports() -> grimp.ImportGraph:
    """Return which module imports which."""
    return grimp.build_graph("seatrial", cache_dir=None)


def test_the_catalogue_is_as_it_was_reviewed() -> None:
    """Every plug-in of every kind stands in `catalogue.txt`, one kind a line; change the file together with the plug-in."""
    lines = [f"{kind}: {' '.join(catalogue.built_in(kind))}" for kind in sorted(catalogue.KINDS)]
    assert "\n".join(lines) + "\n" == CATALOGUE.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", sorted(catalogue.KINDS))
def test_every_plug_in_loads_and_says_what_it_is(kind: str) -> None:
    """A plug-in's module can be imported and has a docstring."""
    for name in catalogue.built_in(kind):
        assert catalogue.load(kind, name).__doc__


@pytest.mark.parametrize("kind", sorted(catalogue.KINDS.keys() - {"statistic"}))
def test_no_plug_in_imports_another_one_of_its_kind(kind: str) -> None:
    """What two of them share stands in a file that is no plug-in; only statistics are built on each other."""
    graph, folder = _imports(), catalogue.KINDS[kind]
    modules = {name: {f"{folder}.{name}", *graph.find_descendants(f"{folder}.{name}")} for name in catalogue.built_in(kind)}
    imported = {name: {each for one in own for each in graph.find_modules_directly_imported_by(one)} for name, own in modules.items()}
    assert [(name, other) for name in modules for other in modules if name != other and imported[name] & modules[other]] == []


def test_public_names_are_sorted_typed_and_can_be_imported() -> None:
    """`__all__` is sorted, every name of it can be had, and the stub for type checkers names the same ones."""
    assert seatrial.__all__ == sorted(seatrial.__all__)
    for name in seatrial.__all__:
        assert getattr(seatrial, name) is not None
    stub = ast.parse(Path(seatrial.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    typed = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names} | {"__version__"}
    assert typed == set(seatrial.__all__)


def test_public_names_come_from_the_rooms_that_the_package_says() -> None:
    """Every lazily imported name is where `__init__` says it is, and none is hidden by a room of the same name."""
    for name, home in seatrial._HOMES.items():
        assert getattr(importlib.import_module(home), name) is getattr(seatrial, name)

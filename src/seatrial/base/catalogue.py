"""The plug-in catalogue: a plug-in is a file in the folder of its kind, and the file's name is the plug-in's name.

Built-in plug-ins are found by listing the folder, and only the one asked for is imported. Third parties register under the
entry-point group `seatrial.<kind>`; entry points are looked up only when a name is not built in.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean

KINDS = {
    "fault": "seatrial.world.faults",
    "state": "seatrial.world.states",
    "user": "seatrial.world.users",
    "agent": "seatrial.agents",
    "engine": "seatrial.run.engines",
    "importer": "seatrial.importers",
    "invariant": "seatrial.grade.safety",
    "normaliser": "seatrial.grade.normalisers",
    "statistic": "seatrial.measure",
    "gate_rule": "seatrial.gate.rules",
    "renderer": "seatrial.report",
    "preset": "seatrial.suite.presets",
    "mutant": "seatrial.prove.mutants",
    "verb": "seatrial.cli",
}
"""Kind of plug-in → the package whose public modules are its built-in plug-ins."""


@cache
def built_in(kind: str) -> tuple[str, ...]:
    """Return the sorted names of the built-in plug-ins of a kind; files that start with `_` are not plug-ins."""
    package = importlib.import_module(KINDS[kind])
    plug_in = getattr(package, "NOT_PLUG_INS", frozenset[str]())
    return tuple(sorted(m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_") and m.name not in plug_in))


def load(kind: str, name: str) -> ModuleType:
    """Import the module of one plug-in.

    Args:
        kind: One of `KINDS`.
        name: The plug-in's name: its file's name, or the name of an entry point of the group `seatrial.<kind>`.

    Returns:
        The module.

    Raises:
        UsageError: No plug-in of that kind has that name.
    """
    names = built_in(kind)
    if name in names:
        return importlib.import_module(f"{KINDS[kind]}.{name}")
    for point in _entry_points(kind):
        if point.name == name:
            return point.load()
    raise UsageError(f"there is no {kind} named {name!r}; known: {', '.join(names)}.{did_you_mean(name, names)}")


def _entry_points(kind: str):  # noqa: ANN202 - the type lives in importlib.metadata, which is not imported at start-up
    from importlib.metadata import entry_points

    return entry_points(group=f"seatrial.{kind}")

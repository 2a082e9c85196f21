"""Suites: folders of tasks, read, checked and written.

Start with `load` (a folder), `contract` (what a task expects) and `part` (how errors know their line). `builders` has the same
in Python, `lints` says what a suite that loads still does not test, `presets` are the named ways to match a list of calls. Names are
imported from their files when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seatrial.suite.builders import (
        Expect,
        Outcome,
        Process,
        Required,
        Task,
        anything,
        before,
        between,
        build_suite,
        build_task,
        fits,
        one_of,
        taken_from,
        then,
    )
    from seatrial.suite.contract import load_contract
    from seatrial.suite.definition import SuiteDefinition
    from seatrial.suite.finding import Finding
    from seatrial.suite.fixtures import FixtureData, read_fixture
    from seatrial.suite.linting import lint
    from seatrial.suite.load import load_suite
    from seatrial.suite.place import Place
    from seatrial.suite.schema import json_schema
    from seatrial.suite.suite import Defaults, Redact, Risk, Suite, Traffic, Trials
    from seatrial.suite.write import write_budgets, write_new

__all__ = [
    "Defaults",
    "Expect",
    "Finding",
    "FixtureData",
    "Outcome",
    "Place",
    "Process",
    "Redact",
    "Required",
    "Risk",
    "Suite",
    "SuiteDefinition",
    "Task",
    "Traffic",
    "Trials",
    "anything",
    "before",
    "between",
    "build_suite",
    "build_task",
    "fits",
    "json_schema",
    "lint",
    "load_contract",
    "load_suite",
    "one_of",
    "read_fixture",
    "taken_from",
    "then",
    "write_budgets",
    "write_new",
]

_HOMES = {
    "Defaults": "suite",
    "Expect": "builders",
    "Finding": "finding",
    "FixtureData": "fixtures",
    "Outcome": "builders",
    "Place": "place",
    "Process": "builders",
    "Redact": "suite",
    "Required": "builders",
    "Risk": "suite",
    "Suite": "suite",
    "SuiteDefinition": "definition",
    "Task": "builders",
    "Traffic": "suite",
    "Trials": "suite",
    "anything": "builders",
    "before": "builders",
    "between": "builders",
    "build_suite": "builders",
    "build_task": "builders",
    "fits": "builders",
    "json_schema": "schema",
    "lint": "linting",
    "load_contract": "contract",
    "load_suite": "load",
    "one_of": "builders",
    "read_fixture": "fixtures",
    "taken_from": "builders",
    "then": "builders",
    "write_budgets": "write",
    "write_new": "write",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)

"""seatrial puts agents to sea: right end state, by an allowed path, without breaking a rule, within budget – every time.

The names that users need are here; each is imported from its room when it is first used, so that `import seatrial` is cheap.
`__init__.pyi` tells type checkers and editors what they are.
"""

from __future__ import annotations

import importlib

# pyright: reportUnsupportedDunderAll=false
__version__ = "0.1.0"

__all__ = [
    "Breach",
    "Database",
    "Documents",
    "Findings",
    "Refused",
    "Required",
    "Sqlite",
    "Task",
    "ToolError",
    "UserChannel",
    "__version__",
    "before",
    "breach",
    "candidate",
    "invariant",
    "load_contract",
    "load_definition",
    "load_suite",
    "normaliser",
    "probe",
    "tool",
]

_HOMES = {
    "Breach": "seatrial.grade.safety",
    "Database": "seatrial.world",
    "Documents": "seatrial.world",
    "Findings": "seatrial.grade.safety",
    "Refused": "seatrial.agents",
    "Required": "seatrial.suite",
    "Sqlite": "seatrial.world",
    "Task": "seatrial.suite",
    "ToolError": "seatrial.world",
    "UserChannel": "seatrial.world",
    "before": "seatrial.suite",
    "breach": "seatrial.grade.safety",
    "candidate": "seatrial.agents",
    "invariant": "seatrial.world",
    "load_contract": "seatrial.suite",
    "load_definition": "seatrial.world",
    "load_suite": "seatrial.suite",
    "normaliser": "seatrial.world",
    "probe": "seatrial.world",
    "tool": "seatrial.world",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

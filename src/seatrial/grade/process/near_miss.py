"""Near misses: a call of a tool that is not expected but is easily mistaken for one that is."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from seatrial.grade.process.compiled import CompiledProcess

_SURE, _LIKELY = 80, 60
"""Resemblance of two tool names, percent, that is enough by itself, and that is enough when their arguments are the same."""

_REMEMBERED = 1024
"""How many tool names a process remembers; names that an agent makes up have no end."""


def mistaken_for(compiled: CompiledProcess, tool: str) -> str:
    """Return the expected tool that a tool was mistaken for; empty: it is expected itself, or resembles none.

    Tools that are declared confusable come first; then names are compared word by word (rapidfuzz, token set ratio).

    Args:
        compiled: The process; it remembers the answer.
        tool: Name of the called tool, prefix and aliases resolved.
    """
    known = compiled.near.get(tool)
    if known is None:
        known = _nearest(compiled, tool)
        if len(compiled.near) < _REMEMBERED:
            compiled.near[tool] = known
    return known


def _nearest(compiled: CompiledProcess, tool: str) -> str:
    expected = compiled.expected_tools
    if tool in expected or not expected:
        return ""
    declared = next((name for name in expected if _confusable(compiled, tool, name)), "")
    if declared:
        return declared
    ratio, name = max((_resemblance(tool, name), name) for name in expected)
    return name if ratio >= _SURE or (ratio >= _LIKELY and _same_arguments(compiled, tool, name)) else ""


def _confusable(compiled: CompiledProcess, one: str, other: str) -> bool:
    if any({one, other} == set(pair) for pair in compiled.process.confusable):
        return True
    specs = [compiled.plans.tools.get(name) for name in (one, other)]
    return any(spec is not None and name in spec.confusable for spec, name in zip(specs, (other, one), strict=True))


def _resemblance(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    left, right = one.lower(), other.lower()
    words = [name.replace("_", " ").replace("-", " ").replace(".", " ") for name in (left, right)]
    return max(fuzz.ratio(left, right), fuzz.token_set_ratio(*words))


def _same_arguments(compiled: CompiledProcess, one: str, other: str) -> bool:
    names = [_arguments(compiled, tool) for tool in (one, other)]
    return bool(names[0]) and names[0] == names[1]


def _arguments(compiled: CompiledProcess, tool: str) -> Collection[str]:
    spec = compiled.plans.tools.get(tool)
    schema = None if spec is None else msgspec.json.decode(spec.parameters)
    return set(schema.get("properties", ())) if isinstance(schema, dict) else set()

"""How much a value without a source weighs, argument by argument, where a suite says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from seatrial.base.errors import SuiteError
from seatrial.records.contract import InvariantSpec

Severity = Literal["violation", "undetermined", "free"]
"""What a value without a source is: a violation, a doubt, or nothing: the argument needs no source."""
ANY = "*"
Place = tuple[str, str]
"""A tool and its argument."""


def read_places(declared: Mapping[str, Severity]) -> dict[Place, Severity]:
    """Return severities by place.

    Args:
        declared: `tool.argument`, `tool.*`, `*.argument` or `*` → severity.

    Raises:
        ValueError: A key is none of these.
    """
    return {_place(key): severity for key, severity in declared.items()}


def _place(key: str) -> Place:
    tool, dot, argument = (ANY, ".", ANY) if key == ANY else key.rpartition(".")
    partly = any(ANY in name and name != ANY for name in (tool, argument))
    if not dot or not tool or not argument or partly:
        raise ValueError(f"{key!r} names no argument: expected tool.argument, tool.*, *.argument or *")
    return tool, argument


def severity_at(places: Mapping[Place, Severity], place: Place) -> Severity | None:
    """Return what is said of an argument, the most specific first; `None`: nothing is."""
    tool, argument = place
    keys = (place, (tool, ANY), (ANY, argument), (ANY, ANY))
    return next((places[key] for key in keys if key in places), None) if places else None


class _Declared(Struct, frozen=True):
    """What of the arguments of the rule is read here; the rule itself refuses the rest."""

    arguments: dict[str, Severity] = {}


def declared_severities(invariants: Iterable[InvariantSpec], rule: str) -> tuple[dict[Place, Severity], ...]:
    """Return the severities that each use of the rule declares; empty: a contract does not name the rule.

    Args:
        invariants: The invariants of a contract.
        rule: Name of the rule.

    Raises:
        SuiteError: They cannot be read.
    """
    return tuple(_read(spec) for spec in invariants if spec.rule == rule)


def _read(spec: InvariantSpec) -> dict[Place, Severity]:
    try:
        return read_places(msgspec.json.decode(spec.arguments, type=_Declared).arguments)
    except (msgspec.MsgspecError, ValueError) as error:
        raise SuiteError(f"the arguments of the invariant {spec.rule!r} are wrong: {error}") from error

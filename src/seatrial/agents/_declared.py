"""What an agent says of its own parts, so that a change of one of them is seen, and named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Raw, structs

from seatrial.agents._contents import hash_of
from seatrial.base.canonical import bytes_hash, canonical
from seatrial.base.errors import UsageError
from seatrial.records.manifest import Candidate

Function = TypeVar("Function", bound=Callable[..., object])
_MARK = "seatrial_candidate"
"""Attribute of a function that holds what it declares."""


@dataclass(frozen=True)
class Declared:
    """What an agent says it is made of.

    Args:
        version: Its version, free text; empty: not said.
        model: Model id that it asks for; empty: not said.
        prompt: Its prompt: the text, or the file or folder that holds it; empty: not said.
        retrieval: What it looks things up in: a name with its version, or a file or folder; empty: not said.
        parameters: Further settings, for example the temperature.
        built_on: Name of the candidate whose output it starts from; empty: of none.
    """

    version: str = ""
    model: str = ""
    prompt: str | Path = ""
    retrieval: str | Path = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    built_on: str = ""


def candidate(
    *,
    version: str = "",
    model: str = "",
    prompt: str | Path = "",
    retrieval: str | Path = "",
    parameters: Mapping[str, object] | None = None,
    built_on: str = "",
) -> Callable[[Function], Function]:
    """Declare what an agent is made of, so that every run records it, and a change of any part is seen.

    Args:
        version: Its version, free text.
        model: Model id that it asks for.
        prompt: Its prompt: the text, or a `Path` of the file or folder that holds it, from the agent's own file.
        retrieval: What it looks things up in: a name with its version, or a `Path` of a file or folder.
        parameters: Further settings, for example the temperature: whatever JSON can hold.
        built_on: Name of the candidate whose output it starts from, so that a comparison lets it carry that one's cost.

    Returns:
        What marks the agent's function; it is called as before.
    """
    declared = Declared(version, model, prompt, retrieval, dict(parameters or {}), built_on)

    def mark(function: Function) -> Function:
        setattr(function, _MARK, declared)
        return function

    return mark


def with_declared(found: Candidate, function: object, home: Path) -> Candidate:
    """Return a candidate with the parts that its function declares.

    Args:
        found: What is known of it without its word.
        function: The agent.
        home: Folder that paths start from.

    Raises:
        UsageError: A file is missing, or a part is not what it must be.
    """
    declared = getattr(function, _MARK, None)
    if not isinstance(declared, Declared):
        return found
    return structs.replace(
        found,
        version=_text("version", declared.version),
        model=_text("model", declared.model),
        prompt=_part("prompt", declared.prompt, home),
        retrieval=_part("retrieval", declared.retrieval, home),
        parameters=_settings(declared.parameters),
        built_on=_text("built_on", declared.built_on),
    )


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise UsageError(f"@candidate: {name} is a {type(value).__name__}; expected a text")
    return value


def _part(name: str, value: str | Path, home: Path) -> str:
    """Return the hash of a text, or of what a path leads to; empty for nothing."""
    if not isinstance(value, Path):
        text = _text(name, value)
        return bytes_hash(text.encode("utf-8", "surrogatepass")) if text else ""
    path = home / value
    if not path.exists():
        raise UsageError(f"@candidate: {name} is {str(value)!r}, and there is no such file or folder beside the agent, in {home}")
    return hash_of(path)


def _settings(values: Mapping[str, object]) -> Raw:
    try:
        return Raw(canonical(values))
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"@candidate: parameters cannot be written as JSON: {error}") from error

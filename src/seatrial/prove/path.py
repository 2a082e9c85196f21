"""Paths as they are cut and mended: a path is a row of messages, each with one call or several."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw, structs

from seatrial.agents import PathStep
from seatrial.records.trace import ToolCall, Trace

Path = tuple[PathStep, ...]


def members(step: PathStep) -> tuple[PathStep, ...]:
    """Return the calls of one step; none for something that is said."""
    return step.together or ((step,) if step.call else ())


def message(calls: Sequence[PathStep]) -> tuple[PathStep, ...]:
    """Return the step that proposes some calls in one message, as a row of one; no call, no step."""
    if len(calls) < 2:
        return tuple(calls)
    return (PathStep(together=tuple(calls)),)


def arguments_of(step: PathStep) -> dict[str, object]:
    """Return the arguments of a call; none when they are no object."""
    value = msgspec.json.decode(step.with_)
    return value if isinstance(value, dict) else {}


def with_arguments(step: PathStep, arguments: object) -> PathStep:
    """Return a call with other arguments, their keys in the order in which they are given."""
    return structs.replace(step, with_=Raw(msgspec.json.encode(arguments)))


def edited(path: Path, at: int, position: int, calls: Sequence[PathStep]) -> Path:
    """Return a path in which one call is replaced by others, which are proposed in the same message."""
    old = members(path[at])
    return path[:at] + message((*old[:position], *calls, *old[position + 1 :])) + path[at + 1 :]


def inserted(path: Path, at: int, step: PathStep) -> Path:
    """Return a path with a step put before another one."""
    return (*path[:at], step, *path[at:])


def last_words(path: Path) -> int:
    """Return where the path says its last words: the place before which something can still be done."""
    return next((at for at, step in enumerate(path) if step.answer or step.refuse), len(path))


def as_played(path: Path, trace: Trace) -> Path:
    """Return a path with the arguments that were proposed when it was played, so that it can be cut without losing a source.

    Args:
        path: The path; it may take values from earlier answers.
        trace: What came of playing it.

    Returns:
        The steps with plain arguments. A step that was never reached is left out when its values came from answers.
    """
    rest, result = _messages(trace), list[PathStep]()
    for step in path:
        calls = members(step)
        if not calls:
            result.append(step)
            continue
        while rest and _is_retry(rest[0], calls, result):
            rest.pop(0)
        if rest and [call.tool for call in rest[0]] == [call.call for call in calls]:
            result += message([_with_proposed(call, made) for call, made in zip(calls, rest.pop(0), strict=True)])
        elif not any(b"$from" in bytes(call.with_) for call in calls):
            result.append(step)
    return tuple(result)


def _messages(trace: Trace) -> list[list[ToolCall]]:
    found: dict[object, list[ToolCall]] = {}
    for call in trace.calls:
        found.setdefault(call.sequence if call.message is None else call.message, []).append(call)
    return list(found.values())


def _is_retry(made: Sequence[ToolCall], calls: Sequence[PathStep], before: Sequence[PathStep]) -> bool:
    """Tell whether a message only tries again what failed, and is not a step that the path itself repeats."""
    repeats = bool(before) and [(call.call, call.with_) for call in members(before[-1])] == [(call.call, call.with_) for call in calls]
    return not repeats and all(call.retry_of is not None for call in made)


def _with_proposed(step: PathStep, made: ToolCall) -> PathStep:
    return structs.replace(step, with_=made.proposed)

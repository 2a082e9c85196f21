"""Paths: what a scripted agent does, step by step, and the path that a contract's reference stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, Raw, Struct

from seatrial.base.errors import SuiteError
from seatrial.records.contract import Alternative, Process, Required

MAX_STEPS = 10_000
"""Steps of one path."""


class PathStep(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step of a path: a call, several calls in one message, something said, or the answer."""

    call: str = ""
    """Tool to call; empty: another kind of step."""
    with_: Raw = msgspec.field(default=Raw(b"{}"), name="with")
    """JSON object of its arguments; `{"$from": "id.path"}` takes a value from the observation of an earlier step."""
    id: str = ""
    """Name under which later steps take from this call's observation."""
    together: tuple[PathStep, ...] = ()
    """Calls proposed in one message."""
    say: str = ""
    """What to tell the user, waiting for the reply."""
    answer: str = ""
    """Last words to the user; the path ends."""
    refuse: bool = False
    """Whether the agent ends by declining."""


def read_path(data: Sequence[Raw] | bytes) -> tuple[PathStep, ...]:
    """Return the steps that JSON holds; raises `msgspec.MsgspecError` when it holds none."""
    if isinstance(data, bytes):
        return msgspec.json.decode(data, type=tuple[PathStep, ...])
    return tuple(msgspec.json.decode(item, type=PathStep) for item in data)


def reference_path(alternative: Alternative) -> tuple[PathStep, ...]:
    """Return the path that shows an alternative's way to be right.

    Args:
        alternative: The alternative; its own `reference` wins, else the required calls in file order, moved only as far as
            the order pairs demand.

    Returns:
        The steps, ending with the declared answer when there is one.

    Raises:
        SuiteError: An argument's matcher stands for no single value, so that a `reference` must be written.
    """
    steps = read_path(alternative.reference) if alternative.reference else _derived(alternative.process)
    return steps + _answer(alternative, steps)


def _answer(alternative: Alternative, steps: tuple[PathStep, ...]) -> tuple[PathStep, ...]:
    if alternative.outcome is None or alternative.outcome.answer is UNSET or any(step.answer or step.refuse for step in steps):
        return ()
    value = msgspec.json.decode(alternative.outcome.answer)
    values = value if isinstance(value, list) else [value]
    return (PathStep(answer=". ".join(_spoken(item) for item in values)),)


def _spoken(value: object) -> str:
    concrete = _concrete(value, "the answer")
    return concrete if isinstance(concrete, str) else msgspec.json.encode(concrete).decode()


def _derived(process: Process | None) -> tuple[PathStep, ...]:
    if process is None:
        return ()
    steps: list[PathStep] = []
    said = 1
    for required in _sorted(process):
        turns = [int(pair.left[5:]) for pair in process.order if pair.right == required.id and pair.left.startswith("user.")]
        for _ in range(max(turns, default=1) - said):
            steps.append(PathStep(say="Could you confirm that, please?"))
            said += 1
        steps += [_step(required)] * required.count
    return tuple(steps)


def _step(required: Required) -> PathStep:
    arguments = {} if required.with_ is UNSET else msgspec.json.decode(required.with_)
    concrete = {name: _concrete(value, f"{required.id}.{name}") for name, value in arguments.items()}
    return PathStep(call=required.call[0], with_=Raw(msgspec.json.encode(concrete)), id=required.id)


def _sorted(process: Process) -> list[Required]:
    """Return the required calls, optional ones left out, in file order as far as the order pairs allow."""
    wanted = [required for required in process.required if not required.optional]
    ids = {required.id for required in wanted}
    before = {required.id: _predecessors(required, process) & ids for required in wanted}
    result: list[Required] = []
    while wanted:
        done = {required.id for required in result}
        ready = next((required for required in wanted if before[required.id] <= done), wanted[0])
        wanted.remove(ready)
        result.append(ready)
    return result


def _predecessors(required: Required, process: Process) -> set[str]:
    declared = {pair.left for pair in process.order if pair.right == required.id}
    return declared | {source.split(".")[0].split("[")[0] for source in _sources(required)}


def _sources(required: Required) -> list[str]:
    if required.with_ is UNSET:
        return []
    found, waiting = [], [msgspec.json.decode(required.with_)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value.get("$from"), str):
                found.append(value["$from"])
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return found


def _concrete(value: object, where: str) -> object:
    """Return one value that a matcher accepts; `$from` stays, for it is taken when the path is played."""
    if isinstance(value, list):
        return [_concrete(item, where) for item in value]
    if not isinstance(value, dict):
        return value
    matcher = next((key for key in value if key.startswith("$")), None)
    if matcher is None:
        return {key: _concrete(item, where) for key, item in value.items()}
    return _chosen(matcher, value, where)


def _chosen(matcher: str, value: dict[str, object], where: str) -> object:
    held = value[matcher]
    if matcher == "$from":
        return value
    if matcher == "$literal":
        return held
    if matcher in ("$one_of", "$range") and isinstance(held, list) and held:
        return _concrete(held[0], where)
    raise SuiteError(f"{where} expects {matcher}, which stands for no single value; write the path under `reference:`")


def taken(value: object, observations: Mapping[str, object]) -> object:
    """Return a value with every `$from` replaced by what the named observation holds.

    Args:
        value: Decoded arguments of a step.
        observations: Step id → decoded observation.

    Raises:
        SuiteError: An id or a path leads nowhere.
    """
    if isinstance(value, list):
        return [taken(item, observations) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("$from"), str):
        return _follow(value["$from"], observations)
    return {key: taken(item, observations) for key, item in value.items()}


def _follow(source: str, observations: Mapping[str, object]) -> object:
    name, _, rest = source.partition(".")
    current = observations.get(name)
    for part in rest.replace("[", ".[").split("."):
        if not part:
            continue
        current = _child(current, part, source)
    return current


def _child(current: object, part: str, source: str) -> object:
    if part.startswith("[") and isinstance(current, list):
        index = 0 if part == "[*]" else int(part[1:-1])
        if index < len(current):
            return current[index]
    elif isinstance(current, dict) and part in current:
        return current[part]
    raise SuiteError(f"`$from: {source}` leads nowhere: {part!r} is not in what was observed")

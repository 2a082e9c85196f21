"""What has become of a world since the trial began: the changes of its calls, put together to net changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import UNSET, Raw

from seatrial.records.paths import OUTBOX, record_path
from seatrial.records.trace import Change, Effect
from seatrial.world.state import State

Fields = dict[str, Raw]

_FIELDS = msgspec.json.Decoder(Fields)
_ENCODE = msgspec.json.Encoder().encode


class WatchedState:
    """A state with the changes of every call that was kept, and with the outbox of external effects.

    Args:
        state: The state.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._kept: list[tuple[Change, ...]] = []
        self._sent = 0

    @property
    def handle(self) -> object:
        """What tools are given as `state`."""
        return self._state.handle

    @property
    def changes_unknown(self) -> str:
        """Why the end state is not known; empty: `changes()` is complete."""
        return self._state.changes_unknown

    def begin(self, effect: Effect) -> None:
        """Open a call: what it writes can be kept or undone as a whole."""
        self._state.begin(effect)

    def undo(self) -> None:
        """Close the call and undo what it wrote."""
        self._state.undo()

    def keep(self, *sent: tuple[str, Raw]) -> tuple[Change, ...]:
        """Close the call, keep what it wrote, and return the changes it made.

        Args:
            sent: External effects of the call: the tool and its arguments.
        """
        changes = (*self._state.keep(), *(self._send(tool, arguments) for tool, arguments in sent))
        if changes:
            self._kept.append(changes)
        return changes

    def release(self, answer: object) -> object:
        """Return an answer of a tool in a form that can be encoded as JSON."""
        return self._state.release(answer)

    def changes(self) -> tuple[Change, ...]:
        """Return the net changes since the trial began, sorted by path."""
        return net_changes(change for changes in self._kept for change in changes)

    def close(self) -> None:
        """Let go of everything the trial holds."""
        self._state.close()

    def _send(self, tool: str, arguments: Raw) -> Change:
        self._sent += 1
        after = _ENCODE({"tool": tool, "arguments": arguments})
        return Change(record_path(OUTBOX, [str(self._sent)]), "created", after=Raw(after))


def net_changes(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Put changes that follow one another together: what was written and reverted is no change.

    Args:
        changes: Changes in the order in which they were made.

    Returns:
        At most one change a record, sorted by path.
    """
    net: dict[str, Change] = {}
    for change in changes:
        earlier = net.pop(change.path, None)
        both = change if earlier is None else _together(earlier, change)
        if both is not None:
            net[change.path] = both
    return tuple(sorted(net.values(), key=lambda change: change.path))


def _together(first: Change, then: Change) -> Change | None:
    match first.kind, then.kind:
        case "created", "updated":
            return Change(first.path, "created", after=_raw(_overlaid(_after(first), then)))
        case "created", _:
            return None
        case "updated", "updated":
            return _difference(first.path, _after_to_before(first, then), _overlaid(_after(first), then))
        case "updated", _:
            whole = _before(then)
            restored = {name: value for name, value in whole.items() if name in _before(first) or name not in _after(first)}
            return Change(first.path, "deleted", before=_raw(restored | _before(first)))
        case _:
            return _difference(first.path, _before(first), _after(then))


def _after_to_before(first: Change, then: Change) -> Fields:
    """Return the fields that either change touched as they were before both."""
    untouched = {name: value for name, value in _before(then).items() if name not in _before(first) and name not in _after(first)}
    return _before(first) | untouched


def _overlaid(fields: Fields, change: Change) -> Fields:
    """Return fields after a change: those it only names before are gone."""
    after = _after(change)
    return {name: value for name, value in fields.items() if name in after or name not in _before(change)} | after


def _difference(path: str, before: Fields, after: Fields) -> Change | None:
    old = {name: value for name, value in before.items() if not _same(value, after.get(name))}
    new = {name: value for name, value in after.items() if not _same(value, before.get(name))}
    return Change(path, "updated", before=_raw(old), after=_raw(new)) if old or new else None


def _same(one: Raw, other: Raw | None) -> bool:
    if other is None:
        return False
    return bytes(one) == bytes(other) or msgspec.json.encode(msgspec.json.decode(one), order="sorted") == msgspec.json.encode(
        msgspec.json.decode(other), order="sorted"
    )


def _before(change: Change) -> Fields:
    return {} if change.before is UNSET else _FIELDS.decode(change.before)


def _after(change: Change) -> Fields:
    return {} if change.after is UNSET else _FIELDS.decode(change.after)


def _raw(fields: Mapping[str, Raw]) -> Raw:
    return Raw(_ENCODE(fields))

"""Nested data that is copied as it is handed out: what nobody touches is never copied, and what is shared is never changed.

A node is a dict that holds a shallow copy of one shared dict. Whatever hands out a child first puts the child's own node in
its place; whatever hands out none (length, membership, equality, scalars) is the built-in. There are no write hooks, so no way
of writing can be forgotten: `settled` compares by identity afterwards.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from operator import is_

_ABSENT: object = object()
_get = dict.__getitem__
_set = dict.__setitem__


class Node(dict[str, object]):
    """A tool's own view of a shared dict; it can be used and changed like any dict.

    Args:
        origin: The shared dict; it is never changed.
    """

    __slots__ = ("origin",)

    def __init__(self, origin: dict[str, object]) -> None:
        dict.__init__(self, origin)
        self.origin = origin

    def __getitem__(self, key: str) -> object:
        value = _get(self, key)
        kind = type(value)
        return _handed_out(self, key, value) if kind is dict or kind is list else value

    def get(self, key: str, default: object = None) -> object:  # type: ignore[override]
        """Return a value, or the default when the key is missing."""
        return self[key] if key in self else default  # noqa: SIM401 - `get` itself

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys; overriding it keeps `dict(node)` and `**node` from reading past `__getitem__`."""
        return dict.__iter__(self)

    def values(self) -> ValuesView[object]:  # type: ignore[override]
        """Return a view of the values."""
        return ValuesView(self)

    def items(self) -> ItemsView[str, object]:  # type: ignore[override]
        """Return a view of the keys and values."""
        return ItemsView(self)

    def pop(self, key: str, *default: object) -> object:  # type: ignore[override]
        """Remove a key and return its value."""
        if key in self:
            self[key]
        return dict.pop(self, key, *default)

    def popitem(self) -> tuple[str, object]:
        """Remove the last key and return it with its value."""
        for key in reversed(self):
            return key, self.pop(key)
        raise KeyError("popitem(): dictionary is empty")

    def setdefault(self, key: str, default: object = None) -> object:  # type: ignore[override]
        """Return a value; a missing key first gets the default."""
        if key not in self:
            _set(self, key, default)
        return self[key]

    def copy(self) -> dict[str, object]:
        """Return a plain dict with the same values."""
        return {key: self[key] for key in self}

    def __or__(self, other: object) -> dict[str, object]:  # type: ignore[override]
        return self.copy() | dict(other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: object) -> dict[str, object]:  # type: ignore[override]
        return dict(other) | self.copy() if isinstance(other, dict) else NotImplemented

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, object]) -> dict[str, object]:
        return deep_plain(self)  # type: ignore[return-value]

    def __reduce_ex__(self, _protocol: object) -> tuple[object, ...]:
        return dict, (deep_plain(self),)


def _handed_out(node: Node, key: str, value: object) -> object:
    """Return a container child as the node's own: one that is still shared is replaced first."""
    if value is not node.origin.get(key, _ABSENT):
        return value
    own = wrapped(value)
    _set(node, key, own)
    return own


def wrapped(value: object) -> object:
    """Return one's own view of a shared value: a node, a list of own views, or the scalar itself."""
    if type(value) is dict:
        return Node(value)
    if type(value) is list:
        return [wrapped(item) for item in value]
    return value


def deep_plain(value: object) -> object:
    """Return a copy of plain dicts and lists that shares nothing."""
    if isinstance(value, dict):
        return {key: deep_plain(item) for key, item in dict.items(value)}
    if isinstance(value, list):
        return [deep_plain(item) for item in value]
    return tuple(deep_plain(item) for item in value) if isinstance(value, tuple) else value


def settled(value: object, before: object) -> object:
    """Return a value as plain shared data, and the earlier value itself where nothing differs.

    Args:
        value: What a tool left: nodes, plain dicts and lists, scalars.
        before: What stood there before, shared data; `_ABSENT`-like objects equal nothing.

    Returns:
        `before` when the two are equal by type and content, else new plain data that shares its unchanged parts with it.
    """
    if value is before:
        return before
    if isinstance(value, dict):
        return _settled_dict(value, before)
    if isinstance(value, list | tuple):
        return _settled_list(value, before)
    return before if same_scalar(value, before) else value


def same_scalar(one: object, other: object) -> bool:
    """Tell whether two scalars are equal: true is not 1, 1 is 1.0, and a text is no number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    return type(one) is type(other) and one == other


def _settled_dict(value: dict[str, object], before: object) -> object:
    earlier: Mapping[str, object] = before if type(before) is dict else {}
    if type(before) is dict and _is_untouched(value, before):
        return before
    found = {key: settled(item, earlier.get(key, _ABSENT)) for key, item in dict.items(value)}
    return before if type(before) is dict and _is_untouched(found, before) else found


def _settled_list(value: list[object] | tuple[object, ...], before: object) -> object:
    earlier = before if isinstance(before, list | tuple) else ()
    found = [settled(item, earlier[index] if index < len(earlier) else _ABSENT) for index, item in enumerate(value)]
    if isinstance(before, list | tuple) and len(found) == len(earlier) and all(map(is_, found, earlier)):
        return before
    return found


def _is_untouched(value: dict[str, object], before: dict[str, object]) -> bool:
    """Tell whether a dict holds the very same objects under the same keys in the same order.

    A node shares its key objects with its origin, so that identity is enough; equal keys that are other objects are looked at
    one by one.
    """
    if len(value) != len(before) or not all(map(is_, dict.values(value), before.values())):
        return False
    return all(map(is_, dict.keys(value), before)) or list(dict.keys(value)) == list(before)

"""Expected values: literals, and the matchers that stand for many values; `$literal` stands for data that looks like a matcher."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from seatrial.suite.part import Part, listed, shown

_SOURCE = re.compile(r"(?P<id>[A-Za-z_][A-Za-z0-9_-]*)(?P<path>(?:\.[A-Za-z_][A-Za-z0-9_-]*|\[(?:[0-9]+|\*)\])*)")
ANYWHERE = frozenset({"$any", "$one_of", "$regex", "$range", "$literal"})
"""The matchers that may stand in any expected value."""
IN_CALLS = ANYWHERE | {"$from"}
"""The matchers that may stand in the arguments of a required call."""


def check_expected(part: Part, allowed: frozenset[str] = ANYWHERE) -> None:
    """Check the matchers in an expected value, at any depth.

    Args:
        part: The value.
        allowed: Names of the matchers that may stand in it.

    Raises:
        SuiteError: A key that starts with `$` and is no allowed matcher, or a matcher with a wrong operand.
    """
    if isinstance(part.value, list):
        for item in part.items():
            check_expected(item, allowed)
    elif isinstance(part.value, dict):
        name = matcher_of(part)
        if name is None:
            for _, below in part.entries():
                check_expected(below, allowed)
        else:
            _check_matcher(part, name, allowed)


def matcher_of(part: Part) -> str | None:
    """Return the name of the matcher that a value is, or `None` when it is a literal."""
    return next((key for key in part.value if key.startswith("$")), None) if isinstance(part.value, dict) else None


def sources(part: Part) -> Iterator[tuple[str, Part]]:
    """Yield the id that each `$from` in an expected value names, with its part."""
    if isinstance(part.value, list):
        for item in part.items():
            yield from sources(item)
    elif isinstance(part.value, dict):
        name = matcher_of(part)
        if name == "$from":
            found = _SOURCE.fullmatch(str(part["$from"].value))
            yield (found["id"] if found else ""), part["$from"]
        elif name != "$literal":
            for _, below in part.entries():
                yield from sources(below)


def literals(part: Part) -> Iterator[Part]:
    """Yield the literal leaves of an expected value, the options of `$one_of` among them."""
    if isinstance(part.value, list):
        for item in part.items():
            yield from literals(item)
    elif isinstance(part.value, dict):
        name = matcher_of(part)
        if name == "$one_of":
            yield from literals(part[name])
        elif name == "$literal":
            yield from _leaves(part[name])
        for _, below in part.entries() if name is None else ():
            yield from literals(below)
    else:
        yield part


def _leaves(part: Part) -> Iterator[Part]:
    if isinstance(part.value, list):
        for item in part.items():
            yield from _leaves(item)
    elif isinstance(part.value, dict):
        for _, below in part.entries():
            yield from _leaves(below)
    else:
        yield part


def _check_matcher(part: Part, name: str, allowed: frozenset[str]) -> None:
    if name not in allowed:
        part[name].fail(f"there is no matcher {name!r} here; known: {listed(allowed)}.", close_to=name, among=allowed)
    if len(part.value) != 1:
        part.fail(f"a matcher stands alone: {name} has {listed(set(part.value) - {name})} beside it")
    if name == "$one_of":
        _check_one_of(part[name], allowed)
    elif name != "$literal":
        _OPERANDS[name](part[name])


def _check_any(part: Part) -> None:
    if part.value is not True:
        part.fail(f"$any takes only true, got {shown(part.value)}; leave the argument out if it must be missing")


def _check_one_of(part: Part, allowed: frozenset[str]) -> None:
    if not list(part.items()):
        part.fail("$one_of needs at least one value")
    for option in part.items():
        check_expected(option, allowed)


def _check_range(part: Part) -> None:
    ends = [item.value for item in part.items()]
    given = [end for end in ends if end is not None]
    kinds = {
        "text" if isinstance(end, str) else "number" if isinstance(end, int | float) and not isinstance(end, bool) else "" for end in given
    }
    if len(ends) != 2 or len(kinds) != 1 or kinds == {""} or given != sorted(given):
        part.fail(
            f"$range takes [a, b], two numbers or two texts such as ISO dates with a not above b (null: no bound), got {shown(part.value)}"
        )


def _check_source(part: Part) -> None:
    if not _SOURCE.fullmatch(part.text()):
        part.fail(f"$from takes the id of a required call and a path, like policy.claims[0].id or policy.ids[*], got {shown(part.value)}")


_OPERANDS: dict[str, Callable[[Part], object]] = {
    "$any": _check_any,
    "$regex": Part.pattern,
    "$range": _check_range,
    "$from": _check_source,
}

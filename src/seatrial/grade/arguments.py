"""Expected values of arguments and records: `compile_value` turns what a contract writes into a matcher.

Matchers may stand at any depth: `{$any: true}`, `{$one_of: [..]}`, `{$regex: ".."}`, `{$range: [a, b]}`,
`{$from: id.path}`; `{$literal: value}` stands for a value that only looks like a matcher.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from seatrial.grade.equality import canonical_form
from seatrial.grade.matchers import AnyValue, From, ListMatcher, Literal, ObjectMatcher, OneOf, Pattern, Range, ValueMatcher, Whole
from seatrial.grade.normalisers import Normaliser, resolve
from seatrial.grade.paths import parse_path
from seatrial.grade.rules import ValueRule

__all__ = ["MATCHERS", "ValueMatcher", "canonical_form", "compile_ruled", "compile_value"]

MATCHERS = ("$any", "$one_of", "$regex", "$range", "$from", "$literal")
"""Keys that make an object a matcher."""
_MAX_DEPTH = 64
_Build = Callable[[object, object, ValueRule, int], ValueMatcher]


def compile_value(
    expected: object,
    *,
    normaliser: Normaliser | str | Callable[[object], object] | None = None,
    subset: bool = False,
    as_set: bool = False,
    null_is_missing: bool = False,
) -> ValueMatcher:
    """Compile an expected value.

    Args:
        expected: A JSON value, matchers allowed at any depth.
        normaliser: Applied to both sides: a normaliser, its name, or a function that raises `ValueError` for what it cannot read.
        subset: Whether further keys are fine, at any depth.
        as_set: Whether lists are compared as multisets, at any depth.
        null_is_missing: Whether a key whose value is null equals a missing key, at any depth.

    Returns:
        The matcher.

    Raises:
        ValueError: An unknown or malformed matcher, or an expected value that the normaliser cannot read.
    """
    if isinstance(normaliser, str):
        normaliser = resolve(normaliser)
    elif normaliser is not None and not isinstance(normaliser, Normaliser):
        normaliser = Normaliser(getattr(normaliser, "__name__", "function"), normaliser)
    return compile_ruled(expected, ValueRule(normaliser, as_set, null_is_missing), subset=subset)


def compile_ruled(expected: object, rule: ValueRule, *, subset: bool = False, known: Collection[str] = ()) -> ValueMatcher:
    """Compile an expected value under a rule.

    Args:
        expected: A JSON value, matchers allowed at any depth.
        rule: How it is compared.
        subset: Whether further keys are fine, at any depth.
        known: Ids that `{$from: …}` may name; an id may hold dots, the longest that fits is taken.

    Returns:
        The matcher.

    Raises:
        ValueError: An unknown or malformed matcher, or an expected value that the normaliser cannot read.
    """
    return _Builder(subset, known).build(expected, rule, _MAX_DEPTH)


class _Builder:
    def __init__(self, subset: bool, known: Collection[str]) -> None:
        self.subset, self.known = subset, known

    def build(self, expected: object, rule: ValueRule, depth: int) -> ValueMatcher:
        if depth == 0:
            raise ValueError(f"an expected value is nested deeper than {_MAX_DEPTH} levels")
        if isinstance(expected, dict) and any(key.startswith("$") for key in expected):
            return self._matcher(expected, rule, depth)
        return self._value(expected, rule, depth)

    def _value(self, expected: object, rule: ValueRule, depth: int, *, literal: bool = False) -> ValueMatcher:
        build = self._literal if literal else self.build
        if rule.normaliser is not None and rule.normaliser.whole:
            return Whole(expected, rule, lambda value, left: build(value, left, depth - 1))
        if isinstance(expected, dict) and (expected or self.subset):
            kept = {key: value for key, value in expected.items() if value is not None or not rule.null_is_missing}
            parts = {key: build(value, rule.of(key), depth - 1) for key, value in kept.items()}
            return ObjectMatcher(expected, rule, parts, subset=self.subset)
        if isinstance(expected, list) and expected:
            return ListMatcher(expected, rule, [build(member, rule, depth - 1) for member in expected])
        return Literal(expected, rule)

    def _literal(self, expected: object, rule: ValueRule, depth: int) -> ValueMatcher:
        if depth == 0:
            raise ValueError(f"an expected value is nested deeper than {_MAX_DEPTH} levels")
        return self._value(expected, rule, depth, literal=True)

    def _matcher(self, expected: Mapping[str, object], rule: ValueRule, depth: int) -> ValueMatcher:
        if len(expected) != 1:
            raise ValueError(f"{sorted(expected)}: a matcher stands alone in its object; write data that looks like one as {{$literal: …}}")
        ((name, value),) = expected.items()
        known: tuple[_Build, ...] = (self._any, self._one_of, self._regex, self._range, self._from, self._quoted)
        builders: dict[str, _Build] = dict(zip(MATCHERS, known, strict=True))
        build = builders.get(name)
        if build is None:
            raise ValueError(f"{name!r} is no matcher; known: {', '.join(MATCHERS)}")
        return build(expected, value, rule, depth)

    def _any(self, expected: object, value: object, rule: ValueRule, _depth: int) -> ValueMatcher:
        if value is not True:
            raise ValueError(f"{{$any: {value!r}}}: expected {{$any: true}}")
        return AnyValue(expected, rule)

    def _one_of(self, expected: object, value: object, rule: ValueRule, depth: int) -> ValueMatcher:
        if not isinstance(value, list) or not value:
            raise ValueError(f"{{$one_of: {value!r}}}: expected a list of at least one value")
        return OneOf(expected, rule, [self.build(option, rule, depth - 1) for option in value])

    def _regex(self, expected: object, value: object, rule: ValueRule, _depth: int) -> ValueMatcher:
        if not isinstance(value, str):
            raise ValueError(f"{{$regex: {value!r}}}: expected a text")  # noqa: TRY004 - one error for what a contract gets wrong
        return Pattern(expected, rule, value)

    def _range(self, expected: object, value: object, rule: ValueRule, _depth: int) -> ValueMatcher:
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(f"{{$range: {value!r}}}: expected two bounds [low, high], null for none")
        return Range(expected, rule, *value)

    def _from(self, expected: object, value: object, rule: ValueRule, _depth: int) -> ValueMatcher:
        if not isinstance(value, str) or not value:
            raise ValueError(f"{{$from: {value!r}}}: expected the id of a required call and a path, for example lookup.policy.id")
        named = [name for name in self.known if value == name or (value.startswith(name) and value[len(name)] in ".[")]
        source = max(named, key=len) if named else value.partition(".")[0].partition("[")[0]
        return From(expected, rule, source, parse_path(value[len(source) :]))

    def _quoted(self, _expected: object, value: object, rule: ValueRule, depth: int) -> ValueMatcher:
        return self._literal(value, rule, depth - 1)

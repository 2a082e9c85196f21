"""Compiled expected values: each says whether an actual value matches, where it differs, and how much of it is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation

import msgspec

from seatrial.grade.assignment import maximum_matching
from seatrial.grade.equality import multiset_form
from seatrial.grade.paths import Token, values_at
from seatrial.grade.rules import ValueRule
from seatrial.records.grade import Difference

ABSENT = "(absent)"
MAX_SHOWN = 200
"""Characters of a value that a difference shows."""
MAX_DIFFERENCES = 50
"""Differing members of a list that are told one by one."""
MAX_MEMBERS = 1_000
"""Members of a list that a multiset is compared with to tell what is nearest; as many as are expected are compared in any case."""
MAX_PATTERN_TEXT = 100_000
"""Characters beyond which a text matches no pattern."""
Bindings = Mapping[str, Sequence[object] | None]
"""Id of a required call → observations of the calls assigned to it; `None`: any value will do. A call that is not there binds nothing."""


def shown(value: object) -> str:
    """Return the JSON text of a value, cut to `MAX_SHOWN` characters."""
    try:
        text = msgspec.json.encode(value).decode("utf-8", "replace")
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


class ValueMatcher:
    """An expected value, compiled; a leaf that equals one value.

    Args:
        expected: The value as the contract writes it.
        rule: How it is compared.
    """

    __slots__ = ("expected", "form", "leaves", "rule")

    def __init__(self, expected: object, rule: ValueRule) -> None:
        self.expected, self.rule = expected, rule
        self.leaves = 1
        self.form: object | None = None

    @property
    def plain(self) -> bool:
        """Whether equality of forms under the rule is all there is to it."""
        return False

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:
        """Tell whether an actual value is as expected.

        Args:
            actual: The value.
            bindings: What `{$from: …}` refers to; `None`: such a place matches anything.
        """
        raise NotImplementedError

    def differences(self, actual: object, path: str = "", bindings: Bindings | None = None) -> tuple[Difference, ...]:
        """Return every place where an actual value differs, by path."""
        return () if self.matches(actual, bindings) else (Difference(path, shown(self.expected), shown(actual)),)

    def share(self, actual: object, bindings: Bindings | None = None) -> tuple[int, int]:
        """Return how many of the expected leaves an actual value has right, and how many there are."""
        return (self.leaves if self.matches(actual, bindings) else 0), self.leaves

    def sources(self) -> Iterator[From]:
        """Yield every `{$from: …}` within."""
        yield from ()


class Literal(ValueMatcher):
    """A scalar, or an empty list or object, that must be equal; raises `ValueError` when its normaliser cannot read it."""

    __slots__ = ("compatible",)

    def __init__(self, expected: object, rule: ValueRule) -> None:
        super().__init__(expected, rule)
        normaliser = rule.normaliser
        if normaliser is not None and isinstance(expected, str | int | float) and not isinstance(expected, bool):
            normaliser.normalise(expected)
        self.form = rule.form(expected)
        self.compatible = normaliser.compatible if normaliser and isinstance(expected, str) else None

    @property
    def plain(self) -> bool:
        """Whether equality of forms is all there is to it."""
        return self.compatible is None

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:  # noqa: ARG002 - nothing in it is bound
        """Tell whether an actual value is equal under the rule."""
        return self.rule.form(actual) == self.form and (self.compatible is None or self.compatible(self.expected, actual))


class AnyValue(ValueMatcher):
    """`{$any: true}`: any value, but a value."""

    __slots__ = ()

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:  # noqa: ARG002 - nothing in it is bound
        """Tell that any value will do."""
        return True


class OneOf(ValueMatcher):
    """`{$one_of: […]}`: one of several values."""

    __slots__ = ("options",)

    def __init__(self, expected: object, rule: ValueRule, options: Sequence[ValueMatcher]) -> None:
        super().__init__(expected, rule)
        self.options = tuple(options)

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:
        """Tell whether one of the options matches."""
        return any(option.matches(actual, bindings) for option in self.options)

    def sources(self) -> Iterator[From]:
        """Yield every `{$from: …}` within."""
        for option in self.options:
            yield from option.sources()


class Pattern(ValueMatcher):
    """`{$regex: …}`: a text that fits a regular expression as a whole, as it is or in its normal form."""

    __slots__ = ("pattern",)

    def __init__(self, expected: object, rule: ValueRule, pattern: str) -> None:
        super().__init__(expected, rule)
        try:
            self.pattern = re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from error

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:  # noqa: ARG002 - nothing in it is bound
        """Tell whether the text, or its normal form, fits."""
        if not isinstance(actual, str) or len(actual) > MAX_PATTERN_TEXT:
            return False
        form = self.rule.form(actual) if self.rule.normaliser else None
        return self.pattern.fullmatch(actual) is not None or (isinstance(form, str) and self.pattern.fullmatch(form) is not None)


class Range(ValueMatcher):
    """`{$range: [a, b]}`: from a to b, both included; null: no bound. Numbers, or texts such as ISO dates."""

    __slots__ = ("high", "low", "of_texts")

    def __init__(self, expected: object, rule: ValueRule, low: object, high: object) -> None:
        super().__init__(expected, rule)
        self.low, self.high = self._bound(low), self._bound(high)
        self.of_texts = any(isinstance(rule.form(bound), str) for bound in (low, high) if bound is not None)

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:  # noqa: ARG002 - nothing in it is bound
        """Tell whether the value, in its normal form, lies within the bounds."""
        form = self.rule.form(actual)
        value = _ordered(form)
        # "3" is not 3: what a text says of itself counts only beside texts.
        if value is None or isinstance(form, str) is not self.of_texts:
            return False
        try:
            return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)  # type: ignore[operator]
        except TypeError:
            return False

    def _bound(self, bound: object) -> Decimal | str | None:
        if bound is None:
            return None
        value = _ordered(self.rule.form(bound))
        if value is None:
            raise ValueError(f"{bound!r} bounds no range: expected a number, a text or null")
        return value


class From(ValueMatcher):
    """`{$from: <id>.<path>}`: a value that the call assigned to the required call `<id>` has answered."""

    __slots__ = ("path", "source")

    def __init__(self, expected: object, rule: ValueRule, source: str, path: tuple[Token, ...]) -> None:
        super().__init__(expected, rule)
        self.source, self.path = source, path

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:
        """Tell whether the value is among those answered."""
        observations = None if bindings is None else bindings.get(self.source, ())
        if observations is None:
            return True
        form = self.rule.form(actual)
        return any(self.rule.form(value) == form for observation in observations for value in values_at(observation, self.path))

    def sources(self) -> Iterator[From]:
        """Yield itself."""
        yield self


class ObjectMatcher(ValueMatcher):
    """An object, key by key.

    Args:
        expected: The object as the contract writes it.
        rule: How it is compared.
        parts: Key → matcher of its value.
        subset: Whether further keys are fine.
    """

    __slots__ = ("parts", "subset")

    def __init__(self, expected: object, rule: ValueRule, parts: Mapping[str, ValueMatcher], *, subset: bool) -> None:
        super().__init__(expected, rule)
        self.parts, self.subset = dict(parts), subset
        self.leaves = sum(part.leaves for part in parts.values())
        if not subset and rule.normaliser is None and all(part.plain for part in parts.values()):
            self.form = frozenset([(key, part.form) for key, part in parts.items()])

    @property
    def plain(self) -> bool:
        """Whether equality of forms is all there is to it."""
        return self.form is not None

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:
        """Tell whether every key matches and no other key is there (`subset`: may be)."""
        found = _object(actual, self.rule)
        if found is None or len(found) < len(self.parts) or (not self.subset and len(found) > len(self.parts)):
            return False
        return all(key in found and part.matches(found[key], bindings) for key, part in self.parts.items())

    def differences(self, actual: object, path: str = "", bindings: Bindings | None = None) -> tuple[Difference, ...]:
        """Return every key that is missing, too many, or differs."""
        found = _object(actual, self.rule)
        if found is None:
            return (Difference(path, shown(self.expected), shown(actual)),)
        result: list[Difference] = []
        for key, part in self.parts.items():
            here = f"{path}.{key}" if path else key
            if key in found:
                result += part.differences(found[key], here, bindings)
            else:
                result.append(Difference(here, shown(part.expected), ABSENT))
        if not self.subset:
            result += [Difference(f"{path}.{key}" if path else key, ABSENT, shown(found[key])) for key in found if key not in self.parts]
        return tuple(result)

    def share(self, actual: object, bindings: Bindings | None = None) -> tuple[int, int]:
        """Return how many leaves are right, and how many there are; missing keys are wrong."""
        found = _object(actual, self.rule) or {}
        return sum(part.share(found[key], bindings)[0] for key, part in self.parts.items() if key in found), self.leaves

    def sources(self) -> Iterator[From]:
        """Yield every `{$from: …}` within."""
        for part in self.parts.values():
            yield from part.sources()


class ListMatcher(ValueMatcher):
    """A list, member by member: in order, or as a multiset.

    Args:
        expected: The list as the contract writes it.
        rule: How it is compared.
        parts: A matcher for each member.
    """

    __slots__ = ("parts",)

    def __init__(self, expected: object, rule: ValueRule, parts: Sequence[ValueMatcher]) -> None:
        super().__init__(expected, rule)
        self.parts = tuple(parts)
        self.leaves = sum(part.leaves for part in parts)
        if all(part.plain for part in parts):
            forms = [part.form for part in parts]
            self.form = multiset_form(forms) if rule.as_set else tuple(forms)

    @property
    def plain(self) -> bool:
        """Whether equality of forms is all there is to it."""
        return self.form is not None

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:
        """Tell whether there are as many members and each has a match of its own."""
        if not isinstance(actual, list) or len(actual) != len(self.parts):
            return False
        if not self.rule.as_set:
            return all(part.matches(member, bindings) for part, member in zip(self.parts, actual, strict=True))
        if self.form is not None:
            return self.rule.form(actual) == self.form
        return min(self._pairs(actual, bindings), default=0) >= 0

    def differences(self, actual: object, path: str = "", bindings: Bindings | None = None) -> tuple[Difference, ...]:
        """Return the members that differ; of a multiset, those without a match on either side."""
        if not isinstance(actual, list):
            return (Difference(path, shown(self.expected), shown(actual)),)
        if self.rule.as_set:
            return self._unmatched(actual, path, bindings)
        result: list[Difference] = []
        for place in range(max(len(self.parts), len(actual))):
            here = f"{path}[{place}]"
            if len(result) >= MAX_DIFFERENCES:
                return (*result, Difference(path, f"{len(self.parts)} members", f"{len(actual)} members, and more of them differ"))
            if place >= len(actual):
                result.append(Difference(here, shown(self.parts[place].expected), ABSENT))
            elif place >= len(self.parts):
                result.append(Difference(here, ABSENT, shown(actual[place])))
            else:
                result += self.parts[place].differences(actual[place], here, bindings)
        return tuple(result)

    def share(self, actual: object, bindings: Bindings | None = None) -> tuple[int, int]:
        """Return how many leaves are right, and how many there are."""
        if not isinstance(actual, list):
            return 0, self.leaves
        if self.rule.as_set:
            pairs = self._pairs(actual, bindings)
            return sum(part.leaves for part, member in zip(self.parts, pairs, strict=True) if member >= 0), self.leaves
        return sum(part.share(member, bindings)[0] for part, member in zip(self.parts, actual, strict=False)), self.leaves

    def sources(self) -> Iterator[From]:
        """Yield every `{$from: …}` within."""
        for part in self.parts:
            yield from part.sources()

    def _pairs(self, actual: list[object], bindings: Bindings | None) -> list[int]:
        members = actual[: max(MAX_MEMBERS, len(self.parts))]
        equal: dict[object, list[int]] = {}
        for place, member in enumerate(members) if any(part.plain for part in self.parts) else ():
            equal.setdefault(self.rule.form(member), []).append(place)
        options = [
            equal.get(part.form, []) if part.plain else [place for place, member in enumerate(members) if part.matches(member, bindings)]
            for part in self.parts
        ]
        return maximum_matching(options, len(members))

    def _unmatched(self, actual: list[object], path: str, bindings: Bindings | None) -> tuple[Difference, ...]:
        pairs = self._pairs(actual, bindings)
        taken = set(pairs)
        missing = [part for part, place in zip(self.parts, pairs, strict=True) if place < 0]
        added = [place for place in range(len(actual)) if place not in taken]
        found = [
            *[Difference(f"{path}[]", shown(part.expected), ABSENT) for part in missing[:MAX_DIFFERENCES]],
            *[Difference(f"{path}[{place}]", ABSENT, shown(actual[place])) for place in added[:MAX_DIFFERENCES]],
        ]
        if max(len(missing), len(added)) > MAX_DIFFERENCES:
            found.append(Difference(path, f"{len(missing)} members that are missing", f"{len(added)} others in their place"))
        return tuple(found)


class Whole(ValueMatcher):
    """A value that is normalised as a whole, such as a JSON text, and then matched part by part.

    Args:
        expected: The value as the contract writes it.
        rule: How it is compared; it has a whole normaliser.
        build: Compiles what the normaliser makes of the expected value under the rule that is left.
    """

    __slots__ = ("inner",)

    def __init__(self, expected: object, rule: ValueRule, build: Callable[[object, ValueRule], ValueMatcher]) -> None:
        super().__init__(expected, rule)
        value, left = rule.read(expected)
        self.inner = build(value, left)
        self.leaves = self.inner.leaves
        self.form = self.inner.form if self.inner.plain else None

    @property
    def plain(self) -> bool:
        """Whether equality of forms is all there is to it."""
        return self.inner.plain

    def matches(self, actual: object, bindings: Bindings | None = None) -> bool:
        """Tell whether the normalised value matches."""
        try:
            return self.inner.matches(self.rule.read(actual)[0], bindings)
        except ValueError:
            return False

    def differences(self, actual: object, path: str = "", bindings: Bindings | None = None) -> tuple[Difference, ...]:
        """Return the places where the normalised value differs."""
        try:
            return self.inner.differences(self.rule.read(actual)[0], path, bindings)
        except ValueError:
            return (Difference(path, shown(self.expected), shown(actual)),)

    def share(self, actual: object, bindings: Bindings | None = None) -> tuple[int, int]:
        """Return how many leaves of the normalised value are right."""
        try:
            return self.inner.share(self.rule.read(actual)[0], bindings)
        except ValueError:
            return 0, self.leaves

    def sources(self) -> Iterator[From]:
        """Yield every `{$from: …}` within."""
        return self.inner.sources()


def _object(actual: object, rule: ValueRule) -> Mapping[str, object] | None:
    if not isinstance(actual, dict):
        return None
    return {key: value for key, value in actual.items() if value is not None} if rule.null_is_missing else actual


def _ordered(form: object) -> Decimal | str | None:
    if isinstance(form, bool) or not isinstance(form, str | int | float):
        return None
    try:
        number = Decimal(str(form))
    except InvalidOperation:
        return form if isinstance(form, str) else None
    return number if number.is_finite() else None

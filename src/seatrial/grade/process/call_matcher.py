"""The expected arguments of one required call for one tool, compiled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

import msgspec
from msgspec import UNSET

from seatrial.grade.arguments import compile_ruled
from seatrial.grade.equality import canonical_form
from seatrial.grade.matchers import Bindings, From, ObjectMatcher, ValueMatcher
from seatrial.grade.normalisers import Normaliser, OwnNormaliser
from seatrial.grade.rules import ValueRule
from seatrial.records.contract import Required, ToolSpec
from seatrial.records.grade import Difference
from seatrial.records.trace import ToolCall

_CACHED_CHARACTERS = 200
_MISSING = object()


def arguments_rule(
    normalisers: Mapping[str, Normaliser], *, as_set: bool | Collection[str] = False, null_is_missing: bool = False
) -> ValueRule:
    """Return the rule of an object of arguments.

    Args:
        normalisers: Argument, or path such as `filter.date`, → its normaliser; the most specific wins.
        as_set: Whether all lists are multisets, or the arguments whose lists are.
        null_is_missing: Whether null equals missing.

    Returns:
        The rule.
    """
    everywhere = as_set is True
    tree = _tree(normalisers)
    for name in () if isinstance(as_set, bool) else as_set:
        tree.setdefault(name, {})
    sets = frozenset() if isinstance(as_set, bool) else frozenset(as_set)
    parts = {name: _rule(branch, None, everywhere or name in sets, null_is_missing) for name, branch in tree.items()}
    return ValueRule(None, everywhere, null_is_missing, parts)


def _tree(normalisers: Mapping[str, Normaliser]) -> dict[str, dict]:
    root: dict[str, dict] = {}
    for path, normaliser in normalisers.items():
        branch = root
        for key in path.split("."):
            branch = branch.setdefault(key, {})
        branch[""] = normaliser  # type: ignore[assignment]
    return root


def _rule(branch: Mapping, inherited: Normaliser | None, as_set: bool, null_is_missing: bool) -> ValueRule:
    normaliser = branch.get("", inherited)
    parts = {key: _rule(below, normaliser, as_set, null_is_missing) for key, below in branch.items() if key}
    return ValueRule(normaliser, as_set, null_is_missing, parts)


class Forms:
    """Brings the arguments of a call of one tool to their normal forms.

    Args:
        rule: How the arguments are compared.
        defaults: Argument → default value, filled in where the argument is missing.
    """

    __slots__ = ("defaults", "of_others", "of_text", "of_value", "rule", "trivial")

    def __init__(self, rule: ValueRule, defaults: Mapping[str, object]) -> None:
        self.rule, self.defaults = rule, dict(defaults)
        others = replace(rule, parts={})
        self.of_others: Callable[[object], object] = canonical_form if others.plain else others.form
        self.of_value = {name: part.form for name, part in rule.parts.items()}
        self.of_text: dict[str, Callable[[str], object]] = {name: _of_text(part) for name, part in rule.parts.items()}
        self.trivial = not rule.parts and not self.defaults and rule.plain
        """Whether two calls whose arguments Python takes for different are never identical."""

    def of(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return argument → hashable form, with defaults filled in."""
        keeps_null, forms = not self.rule.null_is_missing, {}
        for name, value in arguments.items():
            if value is not None or keeps_null:
                forms[name] = self.of_one(name, value)
        for name, value in self.defaults.items():
            if name not in forms:
                forms[name] = self.of_one(name, value)
        return forms

    def of_one(self, name: str, value: object) -> object:
        """Return the form of one argument."""
        if type(value) is str and len(value) <= _CACHED_CHARACTERS:
            normal = self.of_text.get(name)
            return value if normal is None else normal(value)
        return self.of_value.get(name, self.of_others)(value)

    def same(self, arguments: Mapping[str, object], expected: Mapping[str, object]) -> bool:
        """Tell whether arguments have just the expected forms; defaults are not filled in."""
        if len(arguments) != len(expected):
            return False
        of_text, of_value, of_others = self.of_text, self.of_value, self.of_others
        for name, value in arguments.items():
            if type(value) is str and len(value) <= _CACHED_CHARACTERS:
                normal = of_text.get(name)
                form = value if normal is None else normal(value)
            else:
                form = of_value.get(name, of_others)(value)
            if form != expected.get(name, _MISSING):
                return False
        return True


def _of_text(rule: ValueRule) -> Callable[[str], object]:
    normaliser = rule.normaliser
    return rule.form if normaliser is None or normaliser.whole else normaliser.of_text


class CallMatcher:
    """Whether the arguments of a call are those of a required call.

    Args:
        required: The required call.
        tool: What is known of the tool.
        normalisers: Argument → normaliser, the tool's and the requirement's taken together.
        known: Ids of required calls that `{$from: …}` may name.

    Raises:
        ValueError: The expected arguments hold a malformed matcher, or a value that its normaliser cannot read.
    """

    __slots__ = ("anything", "compare", "defaults", "expected_forms", "flat", "forms", "matcher", "own", "quick", "subset")

    def __init__(self, required: Required, tool: ToolSpec | None, normalisers: Mapping[str, Normaliser], known: Collection[str]) -> None:
        self.anything = required.with_ is UNSET
        self.compare = None if required.compare is None else frozenset(required.compare)
        self.subset = required.match == "subset"
        self.own = tuple(name for name, normaliser in normalisers.items() if isinstance(normaliser, OwnNormaliser))
        self.defaults = self._kept(msgspec.json.decode(tool.defaults) if tool is not None else {})
        rule = arguments_rule(normalisers, as_set=required.as_set, null_is_missing=required.null_is_missing)
        self.forms = Forms(rule, self.defaults)
        written = {} if required.with_ is UNSET else msgspec.json.decode(required.with_)
        self.matcher = compile_ruled(self._expected(written), rule, subset=self.subset, known=known)
        self.quick = self._quick(written)
        self.expected_forms = self._expected_forms()
        simple = self.compare is None and not self.own and not self.defaults and not required.null_is_missing
        self.flat = simple and self.expected_forms is not None

    def matches(self, arguments: object, call: ToolCall, bindings: Bindings | None = None) -> bool:
        """Tell whether the arguments of a call are as expected.

        Args:
            arguments: The arguments it ran with.
            call: The call, for the normal forms recorded with it.
            bindings: What `{$from: …}` refers to; `None`: such a place matches anything.
        """
        if self.anything:
            return True
        if not isinstance(arguments, dict):
            return False
        if self.flat:
            return self.forms.same(arguments, self.expected_forms)  # type: ignore[arg-type]
        if self.expected_forms is not None and self.forms.of(self._kept(arguments)) == self.expected_forms:
            return True
        if self.expected_forms is None and self.matcher.matches(self.filled(arguments), bindings):
            return True
        return bool(self.own) and self.matcher.matches(self.filled(self._recorded(arguments, call)), bindings)

    def filled(self, arguments: object) -> object:
        """Return the arguments that are compared, with defaults filled in."""
        if not isinstance(arguments, dict):
            return arguments
        kept = self._kept(arguments)
        if self.forms.rule.null_is_missing:
            kept = {name: value for name, value in kept.items() if value is not None}
        return {**self.defaults, **kept} if self.defaults else kept

    def differences(self, arguments: object, bindings: Bindings | None = None) -> tuple[Difference, ...]:
        """Return the paths of the arguments that differ."""
        return () if self.anything else self.matcher.differences(self.filled(arguments), "", bindings)

    def share(self, arguments: object) -> float:
        """Return the share of the expected leaf arguments that are right, 0 to 1."""
        if self.anything:
            return 1.0
        right, total = self.matcher.share(self.filled(arguments))
        return right / total if total else float(self.matcher.matches(self.filled(arguments)))

    def sources(self) -> Iterator[From]:
        """Yield every `{$from: …}` among the expected arguments."""
        return self.matcher.sources()

    def _kept(self, arguments: Mapping[str, object]) -> Mapping[str, object]:
        if self.compare is None:
            return arguments
        return {name: value for name, value in arguments.items() if name in self.compare}

    def _expected(self, written: Mapping[str, object]) -> Mapping[str, object]:
        if any(name.startswith("$") for name in written):
            return written
        kept = {name: value for name, value in self._kept(written).items() if value is not None or not self.forms.rule.null_is_missing}
        return kept if self.subset else {**{name: {"$literal": value} for name, value in self.defaults.items()}, **kept}

    def _quick(self, written: Mapping[str, object]) -> object:
        """Return arguments that match at once when Python's `==` finds them equal; something that nothing equals, if there are none."""
        usual = self.compare is None and not self.own and self.matcher.plain
        return _MISSING if not usual or _confusable(written) else written

    def _expected_forms(self) -> dict[str, object] | None:
        matcher: ValueMatcher = self.matcher
        if not isinstance(matcher, ObjectMatcher) or not matcher.plain:
            return {} if self.matcher.plain and not self.matcher.leaves else None
        return {name: part.form for name, part in matcher.parts.items()}

    def _recorded(self, arguments: Mapping[str, object], call: ToolCall) -> Mapping[str, object]:
        forms = {} if call.normalised is UNSET else msgspec.json.decode(call.normalised)
        return {name: forms.get(name, value) if name in self.own else value for name, value in arguments.items()}


def _confusable(value: object) -> bool:
    """Tell whether Python's `==` takes a value for another: true for 1, false for 0."""
    if isinstance(value, dict):
        return any(_confusable(part) for part in value.values())
    if isinstance(value, list):
        return any(_confusable(part) for part in value)
    return isinstance(value, bool | int | float) and value in (0, 1)

"""How one argument is compared: its normaliser, whether its lists are sets, whether null equals missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from seatrial.base.canonical import MAX_DEPTH
from seatrial.grade.equality import canonical_form, multiset_form, unreadable_form
from seatrial.grade.normalisers import Normaliser


@dataclass(frozen=True, slots=True)
class ValueRule:
    """How a value and everything in it is compared."""

    normaliser: Normaliser | None = None
    """Applied to every text and number in it, or to the whole; `None`: none."""
    as_set: bool = False
    """Whether lists are multisets."""
    null_is_missing: bool = False
    """Whether a key whose value is null equals a missing key."""
    parts: Mapping[str, ValueRule] = field(default_factory=dict)
    """Key → the rule of its value, where that is more specific."""

    @property
    def plain(self) -> bool:
        """Whether the canonical form is the form."""
        return self.normaliser is None and not self.as_set and not self.null_is_missing and not self.parts

    def of(self, key: str) -> ValueRule:
        """Return the rule of the value of one key."""
        return self.parts.get(key) or (replace(self, parts={}) if self.parts else self)

    def read(self, value: object) -> tuple[object, ValueRule]:
        """Return the value that a whole normaliser makes of a value and the rule for it; raises `ValueError` if it cannot read it."""
        normaliser = self.normaliser
        if normaliser is None or not normaliser.whole:
            return value, self
        return normaliser.normalise(value), replace(self, normaliser=None)

    def form(self, value: object) -> object:
        """Return the hashable form of a value: two values are equal under this rule when their forms are."""
        return canonical_form(value) if self.plain else _form(value, self, MAX_DEPTH)


def _form(value: object, rule: ValueRule, depth: int) -> object:
    if rule.normaliser is not None and rule.normaliser.whole:
        try:
            value, rule = rule.read(value)
        except ValueError:
            return unreadable_form(value)
    if depth == 0:
        return canonical_form(value)
    if isinstance(value, dict):
        missing = rule.null_is_missing
        return frozenset([(key, _form(part, rule.of(key), depth - 1)) for key, part in value.items() if part is not None or not missing])
    if isinstance(value, list | tuple):
        forms = [_form(part, rule, depth - 1) for part in value]
        return multiset_form(forms) if rule.as_set else tuple(forms)
    if rule.normaliser is None or value is None or isinstance(value, bool):
        return canonical_form(value)
    return rule.normaliser.form(value)

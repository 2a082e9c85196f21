"""Normalisers: what brings two spellings of one value to one normal form. One file each, named as contracts name them.

A plug-in module has `normalise(value) -> object`, which raises `ValueError` for what it cannot read; perhaps
`WHOLE = True` when it takes the whole argument rather than each scalar in it; and perhaps `compatible(expected, actual)`,
a further condition on two values with equal normal forms.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from seatrial.base.catalogue import load
from seatrial.base.errors import UsageError
from seatrial.base.redaction import PSEUDONYM
from seatrial.grade.equality import canonical_form, unreadable_form

NOT_PLUG_INS = frozenset[str]()
Function = Callable[[object], object]
_CACHED_CHARACTERS = 200
"""Longer texts are not kept in the cache, so that it stays small."""


class Normaliser:
    """A normaliser ready for use; texts repeat over the trials of a task, so their normal forms are remembered.

    Args:
        name: Its name in contracts.
        normalise: Returns the normal form of a value or raises `ValueError`.
        whole: Whether it takes a whole argument rather than each scalar in it.
        compatible: A further condition on an expected and an actual value of equal form; `None`: there is none.
    """

    __slots__ = ("compatible", "name", "normalise", "of_text", "whole")

    def __init__(
        self, name: str, normalise: Function, *, whole: bool = False, compatible: Callable[[object, object], bool] | None = None
    ) -> None:
        self.name, self.normalise, self.whole, self.compatible = name, _with_pseudonyms(normalise), whole, compatible
        self.of_text: Callable[[str], object] = lru_cache(maxsize=4096)(self._read)

    def form(self, value: object) -> object:
        """Return the hashable normal form of a value; one that cannot be read equals only itself, and nothing that was expected."""
        return self.of_text(value) if type(value) is str and len(value) <= _CACHED_CHARACTERS else self._read(value)

    def _read(self, value: object) -> object:
        try:
            return canonical_form(self.normalise(value))
        except ValueError:
            return unreadable_form(value)


def _with_pseudonyms(normalise: Function) -> Function:
    """Return a normaliser to which a text that cannot be read because its value was redacted is its own normal form."""

    def normal(value: object) -> object:
        try:
            return normalise(value)
        except ValueError:
            if isinstance(value, str) and PSEUDONYM.search(value):
                return value
            raise

    return normal


class OwnNormaliser(Normaliser):
    """A suite's own normaliser whose function is not at hand: the recorded normal forms of a call stand for it.

    Args:
        name: Its name in contracts.
    """

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, lambda value: value, whole=True)


def resolve(name: str) -> Normaliser:
    """Return the normaliser of a name; a name that no plug-in has is a suite's own (`OwnNormaliser`)."""
    return _resolve(name)


@lru_cache(maxsize=256)
def _resolve(name: str) -> Normaliser:
    try:
        module = load("normaliser", name)
    except UsageError:
        return OwnNormaliser(name)
    return Normaliser(name, module.normalise, whole=getattr(module, "WHOLE", False), compatible=getattr(module, "compatible", None))

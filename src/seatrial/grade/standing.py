"""What stands against a record at one point of a trace: a flag that is set, a check that failed. For certain, or perhaps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from seatrial.grade.selection import Key


class Stand(NamedTuple):
    """Something that stands against a record."""

    step: int
    """Sequence number of the step that says so."""
    certain: bool
    """Whether it stands for certain."""
    why: str = ""
    """Why it is not certain; empty: it is."""

    def in_order(self, *, certain: bool) -> Stand:
        """Return it as it stands against a call: not for certain where it is not certain that the call was proposed after that step."""
        if certain or not self.certain:
            return self
        return Stand(self.step, certain=False, why=_ARRIVED)


_ARRIVED = "when the call was proposed was not seen, only when it arrived"
_NAMELESS = "the answer does not say which record it is about"
_UNNAMED = "the call does not say which record it is about"


class Standing:
    """What stands against which record, now; each question and each change takes time that does not grow with the trace."""

    def __init__(self) -> None:
        self._held: dict[Key, Stand] = {}
        self._unclear: dict[Key, Stand] = {}
        self._nameless: Stand | None = None
        self._past: dict[Key, Stand] = {}

    def hold(self, keys: Iterable[Key], step: int) -> None:
        """From now on it stands against these records; without a record, against one that cannot be told."""
        self._enter(self._held, tuple(keys), Stand(step, certain=True))

    def doubt(self, keys: Iterable[Key], step: int, why: str) -> None:
        """From now on it may stand against these records; where it stands for certain, it goes on to."""
        self._enter(self._unclear, tuple(keys), Stand(step, certain=False, why=why))

    def clear(self, keys: Iterable[Key]) -> None:
        """From now on nothing stands against these records."""
        for key in keys:
            stood = (self._held.pop(key, None), self._unclear.pop(key, None))
            self._past.update((key, stand) for stand in stood if stand is not None)

    def against_any(self) -> Stand | None:
        """Return what stands against some record, the certain first; `None`: nothing does."""
        nameless = self._nameless
        if nameless is not None and nameless.certain and not self._held:
            return nameless
        return next(iter(self._held.values()), None) or next(iter(self._unclear.values()), None) or nameless

    def against(self, keys: Iterable[Key]) -> Stand | None:
        """Return what stands against one of these records, the certain first; `None`: nothing does.

        Args:
            keys: The records that a call is about; none: it does not say.
        """
        keys = tuple(keys)
        if not keys:
            return _perhaps(self.against_any(), _UNNAMED)
        for standing in (self._held, self._unclear):
            found = next((standing[key] for key in keys if key in standing), None)
            if found is not None:
                return found
        return _perhaps(self._nameless, _NAMELESS)

    def stood_against(self, keys: Iterable[Key] | None) -> Stand | None:
        """Return what stood against one of these records and was cleared, for a call of which only its arrival was seen.

        Args:
            keys: The records that the call is about; none: it does not say; `None`: any record.
        """
        keys = None if keys is None else tuple(keys)
        past = self._past.values() if not keys else [self._past[key] for key in keys if key in self._past]
        return _perhaps(next(iter(past), None), _ARRIVED)

    def _enter(self, standing: dict[Key, Stand], keys: tuple[Key, ...], stand: Stand) -> None:
        if not keys and (self._nameless is None or stand.certain > self._nameless.certain):
            self._nameless = stand
        for key in keys:
            standing[key] = stand


def _perhaps(stand: Stand | None, why: str) -> Stand | None:
    return stand and Stand(stand.step, certain=False, why=why)

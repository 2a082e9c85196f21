"""Names from files: which are safe to use as identifiers, and which right name is nearest to a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable

IDENTIFIER_PATTERN = "[A-Za-z0-9][A-Za-z0-9._:@+=-]{0,127}"
"""Regular expression of an identifier; `..` within it is refused as well."""
_IDENTIFIER = re.compile(IDENTIFIER_PATTERN)
_SLIP = 0.9


def is_identifier(text: str) -> bool:
    """Tell whether a text may be used as the id of a task, a suite or a candidate.

    An id starts with a letter or a digit and holds up to 128 letters, digits and `._:@+=-`; so it is never a path, never
    hidden, and never carries control characters.
    """
    return _IDENTIFIER.fullmatch(text) is not None and ".." not in text


def nearest(name: str, options: Iterable[str]) -> str | None:
    """Return the option that a wrong name most likely stands for, or `None` when none is near (similarity under 60 %)."""
    from rapidfuzz import fuzz, process

    match = process.extractOne(name, list(options), scorer=fuzz.ratio, score_cutoff=60)
    return match[0] if match else None


def slip_of(name: str, options: Iterable[str]) -> str | None:
    """Return the option that a name is almost certainly meant to be (similarity of 90 % or more), or `None`.

    For names that may be strange on purpose: an agent may be forbidden a tool that is not there, but hardly one that is nearly there.

    Args:
        name: A name that is none of the options.
        options: The right names.
    """
    from difflib import SequenceMatcher

    near = nearest(name, options)
    return near if near is not None and SequenceMatcher(None, name, near, autojunk=False).ratio() >= _SLIP else None


def by_nearness(name: str, options: Iterable[str]) -> list[str]:
    """Return the options, those first for which a wrong name most likely stands."""
    from rapidfuzz import fuzz

    return sorted(options, key=lambda option: (-fuzz.ratio(name.casefold(), option.casefold()), option))

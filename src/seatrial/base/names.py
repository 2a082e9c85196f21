"""Names from files: which are safe to use as identifiers, and which right name is nearest to a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable

IDENTIFIER_PATTERN = "[A-Za-z0-9][A-Za-z0-9._:@+=-]{0,127}"
"""Regular expression of an identifier; `..` within it is refused as well."""
_IDENTIFIER = re.compile(IDENTIFIER_PATTERN)


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

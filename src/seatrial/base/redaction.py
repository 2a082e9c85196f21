"""Redaction: sensitive values leave before anything is written and come back as keyed pseudonyms, equal for equal values.

Equal pseudonyms keep provenance and argument matching gradable. A pseudonym cannot be turned back without the key, and the key
is never written into a run file; `Redactor.fingerprint` tells two keys apart.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence

import msgspec

PAYLOADS = frozenset(
    [
        "proposed",
        "executed",
        "observation",
        "normalised",
        "before",
        "after",
        "value",
        "with",
        "changes",
        "answer",
        "reference",
        "caller",
        "constants",
        "probes",
    ]
)
"""Keys of our records under which foreign data stand: field names count only there."""
TEXTS = frozenset(["text", "raw", "input", "say", "message", "status_reason", "reason"])
"""Keys of our records that hold free text."""
MIN_VALUE = 3
"""Shorter values of sensitive fields are replaced in their field, but not looked for in text."""


class Redactor:
    """Replaces sensitive values by pseudonyms.

    Args:
        key: Secret key, at least 16 bytes.
        fields: Names of sensitive fields, compared without case, at any depth.
        patterns: Regular expressions of sensitive texts; every match is replaced.

    Raises:
        ValueError: The key is too short or a pattern is no regular expression.
    """

    def __init__(self, key: bytes, *, fields: Iterable[str] = (), patterns: Sequence[str] = ()) -> None:
        if len(key) < 16:
            raise ValueError("a redaction key has at least 16 bytes")
        self._key, self._fields = key, frozenset(field.casefold() for field in fields)
        try:
            self._patterns = [re.compile(pattern) for pattern in patterns]
        except re.error as error:
            raise ValueError(f"a redaction pattern is no regular expression: {error}") from error

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that identify the key without telling it."""
        return self._digest("fingerprint")[:8]

    def pseudonym(self, value: object) -> str:
        """Return the pseudonym of a value; equal texts and equal numbers have equal ones."""
        return f"redacted-{self._digest(str(value))[:12]}"

    def record(self, data: bytes) -> bytes:
        """Return the JSON of a record with every sensitive value replaced.

        Args:
            data: JSON of a trace, a task or any other record of ours.

        Returns:
            JSON of the same shape.
        """
        tree = msgspec.json.decode(data)
        found: set[str] = set()
        self._collect(tree, found, inside=False)
        return msgspec.json.encode(self._replaced(tree, self._finder(found), "", inside=False))

    def _digest(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def _collect(self, node: object, found: set[str], *, inside: bool) -> None:
        if isinstance(node, list):
            for item in node:
                self._collect(item, found, inside=inside)
        elif isinstance(node, dict):
            for key, item in node.items():
                if inside and key.casefold() in self._fields:
                    found.update(text for text in _scalars(item) if len(text) >= MIN_VALUE)
                self._collect(item, found, inside=inside or key in PAYLOADS)

    def _finder(self, found: set[str]) -> re.Pattern[str] | None:
        if not found:
            return None
        words = "|".join(re.escape(text) for text in sorted(found, key=len, reverse=True))
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)")

    def _replaced(self, node: object, finder: re.Pattern[str] | None, key: str, *, inside: bool) -> object:
        if isinstance(node, str):
            return self._text(node, finder) if inside or key in TEXTS else node
        if isinstance(node, list):
            return [self._replaced(item, finder, key, inside=inside) for item in node]
        if not isinstance(node, dict):
            return node
        return {name: self._field(name, item, finder, inside=inside) for name, item in node.items()}

    def _field(self, name: str, item: object, finder: re.Pattern[str] | None, *, inside: bool) -> object:
        if inside and name.casefold() in self._fields:
            return self._hidden(item)
        return self._replaced(item, finder, name, inside=inside or name in PAYLOADS)

    def _hidden(self, item: object) -> object:
        if isinstance(item, list):
            return [self._hidden(part) for part in item]
        if isinstance(item, dict):
            return {name: part if name == "$from" else self._hidden(part) for name, part in item.items()}
        return item if item is None or isinstance(item, bool) else self.pseudonym(item)

    def _text(self, text: str, finder: re.Pattern[str] | None) -> str:
        if finder is not None:
            text = finder.sub(lambda match: self.pseudonym(match.group()), text)
        for pattern in self._patterns:
            text = pattern.sub(lambda match: self.pseudonym(match.group()), text)
        return text


def _scalars(node: object) -> Iterable[str]:
    if isinstance(node, list):
        return [text for item in node for text in _scalars(item)]
    if isinstance(node, dict):
        return [text for item in node.values() for text in _scalars(item)]
    return [] if node is None or isinstance(node, bool) else [str(node)]

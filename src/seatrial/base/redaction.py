"""Redaction: sensitive values leave before anything is written and come back as keyed pseudonyms, equal for equal values.

Equal pseudonyms keep provenance and argument matching gradable. A pseudonym cannot be turned back without the key, and the key
is never written into a run file; `Redactor.fingerprint` tells two keys apart.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

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
        "when",
        "documents",
    ]
)
"""Keys of our records under which foreign data stand: field names count only there."""
TEXTS = frozenset(["text", "raw", "input", "say", "said", "message", "status_reason", "reason", "description"])
"""Keys of our records that hold free text."""
MIN_VALUE = 3
"""Shorter values of sensitive fields are replaced in their field, but not looked for in text."""


class Redactor:
    """Replaces sensitive values by pseudonyms.

    Args:
        key: Secret key, at least 16 bytes.
        fields: Names of sensitive fields, compared without case, at any depth.
        patterns: Regular expressions of sensitive texts; every match is replaced.
        values: Field and value of sensitive values that are known beforehand, for example those of the fixtures: they are found in
            the text of a record which does not hold their field.
        normalisers: Field → what brings its values to their normal form, or raises `ValueError`: two spellings of one value then
            have one pseudonym.

    Raises:
        ValueError: The key is too short, or a pattern is no regular expression or matches the empty text.
    """

    def __init__(
        self,
        key: bytes,
        *,
        fields: Iterable[str] = (),
        patterns: Sequence[str] = (),
        values: Iterable[tuple[str, str]] = (),
        normalisers: Mapping[str, Callable[[object], object]] | None = None,
    ) -> None:
        if len(key) < 16:
            raise ValueError("a redaction key has at least 16 bytes")
        self._key, self._fields = key, frozenset(field.casefold() for field in fields)
        self._normalisers = {field.casefold(): normalise for field, normalise in (normalisers or {}).items()}
        known: dict[str, str] = {}
        for field, value in values:
            self._note(known, field.casefold(), value)
        self._known = _Words(known)
        try:
            self._patterns = [re.compile(pattern) for pattern in patterns]
        except re.error as error:
            raise ValueError(f"a redaction pattern is no regular expression: {error}") from error
        empty = [pattern.pattern for pattern in self._patterns if pattern.search("")]
        if empty:
            raise ValueError(f"the redaction pattern {empty[0]!r} matches the empty text")

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that identify the key without telling it."""
        return self._digest("fingerprint")[:8]

    def pseudonym(self, value: object, *, field: str = "") -> str:
        """Return the pseudonym of a value; equal texts and equal numbers have equal ones.

        Args:
            value: The value.
            field: The field that it stands under, whose normaliser, if it has one, makes two spellings equal.
        """
        return f"redacted-{self._digest(self._normal_form(str(value), field.casefold()))[:12]}"

    def record(self, data: bytes) -> bytes:
        """Return the JSON of a record with every sensitive value replaced.

        Args:
            data: JSON of a trace, a task or any other record of ours.

        Returns:
            JSON of the same shape.
        """
        tree = msgspec.json.decode(data)
        found: dict[str, str] = {}
        self._collect(tree, found, inside=False)
        return msgspec.json.encode(self._replaced(tree, self._known.with_more(found), "", inside=False))

    def _normal_form(self, text: str, field: str) -> str:
        try:
            return str(self._normalisers[field](text)) if field in self._normalisers else text
        except ValueError:
            return text

    def _note(self, found: dict[str, str], field: str, text: str) -> None:
        """Note the pseudonym of a value; where one spelling stands under several fields, one with a normaliser decides for all."""
        if len(text) >= MIN_VALUE and (text not in found or field in self._normalisers):
            found[text] = self.pseudonym(text, field=field)

    def _digest(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def _collect(self, node: object, found: dict[str, str], *, inside: bool) -> None:
        if isinstance(node, list):
            for item in node:
                self._collect(item, found, inside=inside)
        elif isinstance(node, dict):
            for key, item in node.items():
                if inside and key.casefold() in self._fields:
                    for text in _scalars(item):
                        self._note(found, key.casefold(), text)
                self._collect(item, found, inside=inside or key in PAYLOADS)

    def _replaced(self, node: object, finder: _Words, key: str, *, inside: bool) -> object:
        if isinstance(node, str):
            return self._text(node, finder) if inside or key in TEXTS else node
        if isinstance(node, list):
            return [self._replaced(item, finder, key, inside=inside) for item in node]
        if not isinstance(node, dict):
            return node
        return {self._name(name, finder, inside=inside): self._field(name, item, finder, inside=inside) for name, item in node.items()}

    def _name(self, name: str, finder: _Words, *, inside: bool) -> str:
        # Paths of records are keys of a contract's changes, and a record may be named by a sensitive value.
        return self._text(name, finder) if inside and "/" in name else name

    def _field(self, name: str, item: object, finder: _Words, *, inside: bool) -> object:
        if inside and name.casefold() in self._fields:
            return self._hidden(item, name, finder)
        return self._replaced(item, finder, name, inside=inside or name in PAYLOADS)

    def _hidden(self, item: object, field: str, finder: _Words) -> object:
        if isinstance(item, list):
            return [self._hidden(part, field, finder) for part in item]
        if isinstance(item, dict):
            return {name: part if name == "$from" else self._hidden(part, field, finder) for name, part in item.items()}
        if item is None or isinstance(item, bool):
            return item
        return finder.pseudonyms.get(str(item)) or self.pseudonym(item, field=field)

    def _text(self, text: str, finder: _Words) -> str:
        text = finder.replaced(text)
        # A pattern may match within a pseudonym, for example one for digits; what is hidden already stays as it is.
        for pattern in self._patterns:
            parts = PSEUDONYM.split(text)
            parts[::2] = [pattern.sub(lambda match: self.pseudonym(match.group()), part) for part in parts[::2]]
            text = "".join(parts)
        return text


class _Words:
    """Values to be found in texts as whole words, by the first word of each: finding costs the text, not the number of values.

    Args:
        pseudonyms: Value → its pseudonym.
    """

    def __init__(self, pseudonyms: Mapping[str, str]) -> None:
        self.pseudonyms = pseudonyms
        self._by_word: dict[str, list[tuple[str, int]]] = {}
        for value in sorted(pseudonyms, key=len, reverse=True):
            first = _WORD.search(value)
            if first is not None:
                self._by_word.setdefault(first.group(), []).append((value, first.start()))

    def with_more(self, pseudonyms: Mapping[str, str]) -> _Words:
        """Return these and further values; what was known before keeps its pseudonym."""
        return self if pseudonyms.keys() <= self.pseudonyms.keys() else _Words({**pseudonyms, **self.pseudonyms})

    def replaced(self, text: str) -> str:
        """Return a text with every value in it replaced, the longest first."""
        if not self._by_word:
            return text
        parts, done = [], 0
        for word in _WORD.finditer(text):
            found = self._at(text, word, done)
            if found is not None:
                start, value = found
                parts += [text[done:start], self.pseudonyms[value]]
                done = start + len(value)
        return "".join(parts) + text[done:] if parts else text

    def _at(self, text: str, word: re.Match[str], done: int) -> tuple[int, str] | None:
        for value, lead in self._by_word.get(word.group(), ()):
            start = word.start() - lead
            if start >= done and text.startswith(value, start) and _alone(text, start, start + len(value)):
                return start, value
        return None


def _alone(text: str, start: int, end: int) -> bool:
    return not (start and _WORD.match(text, start - 1, start)) and not _WORD.match(text, end, end + 1)


_WORD = re.compile(r"\w+")
PSEUDONYM = re.compile(r"(redacted-[0-9a-f]{12})")
"""What stands in place of a sensitive value."""


def _scalars(node: object) -> Iterable[str]:
    if isinstance(node, list):
        return [text for item in node for text in _scalars(item)]
    if isinstance(node, dict):
        return [text for item in node.values() for text in _scalars(item)]
    return [] if node is None or isinstance(node, bool) else [str(node)]

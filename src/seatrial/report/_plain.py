"""Make text from outside safe to print: nothing in it may move a cursor, hide a word, or turn the reading direction."""

from __future__ import annotations

import unicodedata

from seatrial.base import wording

_KEPT = frozenset("\n\t")


def plain(text: str, *, lines: bool = False) -> str:
    """Return a text with every control, format and surrogate character written out as an escape.

    Args:
        text: Text from a trace, a suite or a grade.
        lines: Whether line breaks and tabs stay as they are.

    Returns:
        Text that is safe in a terminal and can be encoded as UTF-8.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _harmless(char, lines=lines) else _written_out(char) for char in text)


def _harmless(char: str, *, lines: bool) -> bool:
    """Tell whether a character only prints."""
    if char in _KEPT:
        return lines
    return unicodedata.category(char)[0] != "C" and char not in "\u2028\u2029"


def _written_out(char: str) -> str:
    """Return a character as an escape that can be read."""
    names = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e"}
    code = ord(char)
    return names.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def short(text: str, length: int) -> str:
    """Return a text on one line, safe to print and cut to a length, with how much was cut."""
    line = plain(" ".join(text.split()) if "\n" in text else text)
    return line if len(line) <= length else f"{line[:length]}… (+{len(line) - length:,} characters)"


def clipped(text: str, length: int) -> str:
    """Return a text on one line, safe to print, with an ellipsis where it was cut."""
    return wording.clipped(plain(" ".join(text.split())), length)

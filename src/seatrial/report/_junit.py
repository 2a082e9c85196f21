"""JUnit XML as build servers read it: what a run and a decision are drawn with alike."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, indent, tostring

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def safe(text: str) -> str:
    """Return a text with every character that XML 1.0 forbids written out as an escape."""
    return _NOT_XML.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def stamp(suite: Element, created_at: str) -> None:
    """Set when a run was planned; where it does not say, as an imported one, the attribute is absent: an empty one is no date."""
    if created_at:
        suite.set("timestamp", safe(created_at))


def drawn(root: Element) -> str:
    """Return the text of a document; its element is indented on the way."""
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"

"""JUnit XML as build servers read it: what a run and a decision are drawn with alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

TAGS = {"pass": "", "fail": "failure", "inconclusive": "error"}
"""What was decided → the element that says so; empty: a test case that passes has none."""
_COUNTED = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def safe(text: str) -> str:
    """Return a text with every character that XML 1.0 forbids written out as an escape."""
    return _NOT_XML.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def suite(root: Element, name: str, results: Sequence[str], created_at: str) -> Element:
    """Add a test suite that says how its test cases ended.

    Args:
        root: The document.
        name: Name of the suite.
        results: How each test case ended: `failure`, `error`, `skipped`; empty: it passed.
        created_at: When the run was planned; where it does not say, as an imported one, the attribute is absent: an empty one is no date.
    """
    found = SubElement(root, "testsuite", name=safe(name), tests=str(len(results)))
    if created_at:
        found.set("timestamp", safe(created_at))
    for attribute, tag in _COUNTED:
        found.set(attribute, str(results.count(tag)))
    return found


def drawn(root: Element) -> str:
    """Return the text of a document; its element is indented on the way."""
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"

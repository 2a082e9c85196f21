"""Whether a call leaves out a part that was shown with the others: the second flight of two, the last passenger of five."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from seatrial.grade.confirmation.facts import Facts
from seatrial.grade.confirmation.notice import Notice, compact, shape
from seatrial.grade.confirmation.values import Leaf

_CODE = re.compile(r"\w+(?:[_-]\w+)*")
_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"\s*(?:[-*\u2022]|\d{1,3}[.)])\s+")
_LABEL = re.compile(r"[^:\n]{1,40}:(?=\W)")
_BETWEEN = re.compile(r"[,;&]|\band\b")
_HEAD_ENDS = re.compile(r"[,;:(]| [-\u2013\u2014] ")
_OR = frozenset({"or", "either"})
_MAX_PARTS = 100
"""Parts of a call, and lines of a plan, that are looked at."""
_Name = tuple[str, ...]


def dropped_codes(leaves: Sequence[Leaf], shown: Notice, named: Notice, facts: Facts) -> Iterator[str]:
    """Yield identifiers that the proposal shows beside those in a list of a call, and that the call does not carry.

    None is missed where the proposal offers alternatives or several records, where the reply says which, or where the identifier is one
    that the call replaces.

    Args:
        leaves: All values of the call that count.
        shown: The proposal.
        named: The reply.
        facts: What tools had answered.
    """
    listed = {leaf.shape: leaf for leaf in leaves if leaf.kind == "code" and any(isinstance(step, int) for step in leaf.path)}
    codes = frozenset([leaf.form for leaf in leaves if leaf.kind == "code"])
    records = [leaf for leaf in leaves if leaf.kind == "code" and len(leaf.path) == 1]
    if not listed or not shown.part_set.isdisjoint(shown.words.option | _OR):
        return
    if any(shown.shapes.get(one.shape, frozenset()) - codes for one in records if one.shape not in listed):
        return
    for kind, leaf in listed.items():
        seen = shown.shapes.get(kind, frozenset())
        missing = seen - codes
        if not missing or not seen & codes or named.shapes.get(kind) or any(other.shape == kind for other in records):
            continue
        yield from _not_replaced(missing, kind, leaf, leaves, shown, facts)


def _not_replaced(missing: frozenset[str], kind: str, leaf: Leaf, leaves: Sequence[Leaf], shown: Notice, facts: Facts) -> Iterator[str]:
    """Yield the identifiers that stand as what will be, or that a record holds which is longer than the list of the call."""
    names = frozenset([other.form for other in leaves if other.kind == "code" and len(other.path) == 1])
    own = sum(other.group == leaf.group for other in leaves)
    held = {compact(value) for key, value in facts.listed(names) if key == leaf.key}
    new = {part for line in shown.new_parts for part in line}
    for found in _CODE.findall(shown.text):
        form = compact(found)
        if form in missing and shape(found) == kind and new.issuperset(_WORD.findall(found)) and (form not in held or own < len(held)):
            yield found


def dropped_names(leaves: Sequence[Leaf], shown: Notice) -> Iterator[_Name]:
    """Yield names that the proposal lists beside those of the parts of a call, and that the call does not carry.

    Args:
        leaves: All values of the call that count.
        shown: The proposal.
    """
    names = _names(leaves)
    length = max(map(len, names), default=0)
    if length < 2 or not shown.part_set.isdisjoint(shown.words.option | _OR):
        return
    known = frozenset(map(frozenset, names))
    carried = frozenset([part for leaf in leaves for part in leaf.parts])
    lines = shown.text.replace("**", "").split("\n")[:_MAX_PARTS]
    for said in (*map(_beside, lines), *_runs(lines)):
        heads = [name[:length] for name in said]
        if any(frozenset(name) in known for name in heads):
            yield from (name for name in heads if _is_name(name, length) and carried.isdisjoint(name[:1]) and frozenset(name) not in known)


def _names(leaves: Sequence[Leaf]) -> frozenset[_Name]:
    """Return the words under `…name` of each part of a call."""
    found: dict[tuple[str | int, ...], list[str]] = {}
    for leaf in leaves[: 10 * _MAX_PARTS]:
        if leaf.kind == "words" and "name" in leaf.key and len(leaf.path) > 1 and isinstance(leaf.path[-2], int):
            found.setdefault(leaf.path[:-1], []).extend(leaf.parts)
    return frozenset(map(tuple, found.values()))


def _beside(line: str) -> list[_Name]:
    """Return what stands in one line between commas and `and`, each as words."""
    text = line[_end_of_mark(line) :]
    text = text[found.end() :] if (found := _LABEL.match(text)) else text
    return [tuple(_WORD.findall(piece)) for piece in _BETWEEN.split(text.split(". ")[0])]


def _runs(lines: Sequence[str]) -> Iterator[list[_Name]]:
    """Yield the first words of the items of each list that starts with names: lines in a row with one mark."""
    for mark, run in groupby(lines, _mark):
        if mark:
            yield [tuple(_WORD.findall(_HEAD_ENDS.split(line[_end_of_mark(line) :])[0])) for line in run]


def _mark(line: str) -> str:
    """Return what the items of one list share: how far they stand in, and the sign; empty: it is no item."""
    return re.sub(r"\d+", "1", line[: _end_of_mark(line)])


def _end_of_mark(line: str) -> int:
    found = _MARK.match(line)
    return 0 if found is None else found.end()


def _is_name(name: _Name, length: int) -> bool:
    return len(name) == length and all(map(str.isalpha, name))

"""Whether a change reaches further than what was shown: to other parts of the record, other people in it, another card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from seatrial.grade.confirmation.facts import Facts
from seatrial.grade.confirmation.notice import Notice, shape, stands
from seatrial.grade.confirmation.texts import stems
from seatrial.grade.confirmation.values import Leaf
from seatrial.grade.tokens import amount_spans

_CODE = re.compile(r"\w+(?:[_-]\w+)*")
_WORD = re.compile(r"[^\W_]+")
_REACH = 200
"""Characters before a day in which it is said what becomes of it."""
_SEVERAL = 2
_NEAR = 3
"""Words before an account in which it is said which end of a transfer it is."""


def beyond(leaf: Leaf, leaves: Sequence[Leaf], shown: Notice, named: Notice, facts: Facts) -> str:
    """Return a part of the record that a word of a call changes too, though it was not shown; empty: there is none.

    Parts are the elements of a list of the call, told apart by an identifier: some were shown with the change, another was not.

    Args:
        leaf: The word.
        leaves: All values of the call that count.
        shown: The proposal.
        named: The reply.
        facts: What tools had answered.
    """
    if len(leaf.path) > 1:
        return ""
    names = frozenset([other.form for other in leaves if other.kind == "code" and len(other.path) == 1])
    parts = [other for other in leaves if other.kind == "code" and len(other.path) > 1]
    if not parts:
        return ""
    listed = facts.listed(names)
    parts = [part for part in parts if (part.key, part.value) in listed]
    seen = {part.group for part in parts if shown.holds_code(part.form) or named.holds_code(part.form)}
    unseen = [part for part in parts if part.group in seen and not shown.holds_code(part.form) and not named.holds_code(part.form)]
    if not unseen or facts.keeps(leaf, names) or shown.words.whole & shown.part_set:
        return ""
    return unseen[0].value


def shown_with_another(leaf: Leaf, leaves: Sequence[Leaf], shown: Notice, rivals: Sequence[tuple[str, ...]]) -> str:
    """Return an identifier of a call that the proposal shows with another word, while it shows a second one with the word of the call.

    Args:
        leaf: The word.
        leaves: All values of the call that count.
        shown: The proposal.
        rivals: What the word could have been instead.

    Returns:
        The identifier; empty: there is none.
    """
    own = [other for other in leaves if other.kind == "code" and len(leaf.path) == 1]
    lines = _lines_with({code.parts[0] for code in own}, shown) if rivals and len(own) > 1 else {}
    told = {code.value: _told(code, leaf, lines.get(code.parts[0], ()), rivals) for code in own}
    return next((code for code, said in told.items() if said == "other"), "") if "this" in told.values() else ""


def _lines_with(words: set[str], shown: Notice) -> dict[str, list[tuple[str, ...]]]:
    """Return word → the lines that hold it."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in shown.new_parts:
        for word in words.intersection(line):
            found.setdefault(word, []).append(line)
    return found


def _told(code: Leaf, leaf: Leaf, lines: Sequence[tuple[str, ...]], rivals: Sequence[tuple[str, ...]]) -> str:
    """Return whether the lines with an identifier show `this` word or an `other` one; empty: both, or neither."""
    lines = [line for line in lines if stands(line, code.parts, ())]
    this = any(stands(line, leaf.parts, [rival for rival in rivals if len(rival) > len(leaf.parts)]) for line in lines)
    other = any(stands(line, rival, [leaf.parts] if len(leaf.parts) > len(rival) else ()) for line in lines for rival in rivals)
    return ("" if other else "this") if this else "other" if other else ""


def narrowed(topic: frozenset[str], leaves: Sequence[Leaf], places: Sequence[Notice], facts: Facts) -> tuple[str, bool]:
    """Return somebody whom alone the proposal names, while the call changes a record that holds others too and does not say whom it means.

    Args:
        topic: Words for what the call changes.
        leaves: All values of the call that count.
        places: The proposal, and the one before it where there was one.
        facts: What tools had answered.

    Returns:
        The name, and whether it is certain that only this one was meant; an empty name: there is none.
    """
    carried = {part for leaf in leaves for part in leaf.parts}
    lines = [[line for line in place.new_parts if not topic.isdisjoint(line)] for place in places]
    restricting = [line for some in lines for line in some if not places[0].words.only.isdisjoint(line)]
    if not restricting and not any("for" in line for line in lines[0]):
        return "", False
    for names in facts.people(frozenset([leaf.form for leaf in leaves if leaf.kind == "code"])):
        only = _alone(names, restricting) & places[0].part_set
        meant = only or {name for line in lines[0] if _is_for(names, line) for name in names if name in line}
        if meant and len(meant) < len(names) and not carried & set(names):
            return min(meant), bool(only) or any("one" in line for line in restricting)
    return "", False


def _alone(names: Sequence[str], lines: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the names that stand in one of some sentences without the others."""
    told = [set(names).intersection(line) for line in lines]
    return frozenset[str]().union(*[some for some in told if len(some) < len(names)])


def _is_for(names: Sequence[str], line: Sequence[str]) -> bool:
    return any(one == "for" and name in names for one, name in pairwise(line))


def reversed_way(leaf: Leaf, shown: Notice) -> bool:
    """Tell whether the proposal shows an account only as the other end of a transfer: `from` where the call says `to`.

    Args:
        leaf: The identifier of the account.
        shown: The proposal.
    """
    ends, named = (shown.words.away, shown.words.towards), set(leaf.key.lower().split("_"))
    own = next((index for index, words in enumerate(ends) if words & named), None)
    if own is None or not leaf.parts:
        return False
    places = [at for at in shown.places.get(leaf.parts[0], ()) if shown.parts[at : at + len(leaf.parts)] == leaf.parts]
    near = [set(shown.parts[max(0, at - _NEAR) : at]) for at in places]
    return bool(near) and all(ends[1 - own] & before and not ends[own] & before for before in near)


def sums_beside(code: Leaf, shown: Notice) -> frozenset[str]:
    """Return the amounts that stand with an identifier, where the proposal lists several of its kind with an amount each; else none.

    Args:
        code: The identifier.
        shown: The proposal.
    """
    if len(shown.shapes.get(code.shape, ())) < _SEVERAL or len(shown.sums) < _SEVERAL:
        return frozenset()
    spots = sorted((found.start(), found[0] == code.value.lower()) for found in _CODE.finditer(shown.text) if shape(found[0]) == code.shape)
    sums = [(start, amount.value) for start, _, amount in amount_spans(shown.text) if amount is not None and amount.currency]
    if not spots or not sums:
        return frozenset()
    bounds = [0, *(at for at, _ in spots), len(shown.text)]
    before = sums[0][0] < spots[0][0] and sums[-1][0] < spots[-1][0]
    if not before and not (sums[0][0] > spots[0][0] and sums[-1][0] > spots[-1][0]):
        return frozenset()
    own = [index + (0 if before else 1) for index, (_, mine) in enumerate(spots) if mine]
    return frozenset([value for at, value in sums if any(bounds[index] <= at < bounds[index + 1] for index in own)])


def moved_from(leaf: Leaf, shown: Notice) -> bool:
    """Tell whether a day stands in the proposal only as the one that is moved: `move it from 14 July to 21 July`.

    Args:
        leaf: The day.
        shown: The proposal.
    """
    if leaf.day is None or any(word in leaf.key.lower() for word in ("start", "from")):
        return False
    told = [start for start, day in shown.days if day.is_day(leaf.day)]
    return bool(told) and all(_is_moved(start, shown) for start in told)


def _is_moved(start: int, shown: Notice) -> bool:
    line = _WORD.findall(shown.text[max(start - _REACH, shown.text.rfind("\n", 0, start) + 1) : start])
    changes = shown.words.families.get("move", frozenset())
    verbs = (shown.words.families.get(stem, frozenset()) for word in line for stem in stems(word))
    return not shown.words.old.isdisjoint(line[-2:]) and any(changes & families for families in verbs)

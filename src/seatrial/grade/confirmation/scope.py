"""Whether a change reaches further than what was shown: to other parts of the record, other people in it, another card."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from seatrial.grade.confirmation.facts import Facts
from seatrial.grade.confirmation.notice import Notice, stands
from seatrial.grade.confirmation.values import Leaf

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
    parts = [other for other in leaves if other.kind == "code" and len(other.path) > 1 and facts.lists(other, names)]
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
    told = {code.value: _told(code, leaf, shown, rivals) for code in own}
    return next((code for code, said in told.items() if said == "other"), "") if "this" in told.values() else ""


def _told(code: Leaf, leaf: Leaf, shown: Notice, rivals: Sequence[tuple[str, ...]]) -> str:
    """Return whether the lines with an identifier show `this` word or an `other` one; empty: both, or neither."""
    lines = [line for line in shown.new_parts if stands(line, code.parts, ())]
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

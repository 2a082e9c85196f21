"""What the agent asks: whether to go ahead, something else, or several things at once, which one yes cannot tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag
from itertools import pairwise

from seatrial.grade.confirmation.lexicon import Words
from seatrial.grade.confirmation.texts import Sentence, stems

_CLOSE = 3
"""Words behind `or` among which a verb opens an alternative."""
_BARE = 3
"""Words of a question that is nothing but `ok?`."""


class Asked(IntFlag):
    """What a message asks; of several kinds of questions it has several."""

    NOTHING = 0
    AGREEMENT = 1
    """Whether to go ahead, or whether what was listed is right."""
    ELSE = 2
    """Something that yes or no answers, but not the change."""
    REVERSE = 4
    """Whether to leave things as they are, or to do something short of the change."""
    ALTERNATIVE = 8
    """One thing or another."""
    COURTESY = 32
    """Whether there is anything else."""
    FIRST = 16
    """Nothing, but it promises to say more before the change is made."""


def asked(sentences: Sequence[Sentence], words: Words) -> Asked:
    """Return what a message asks.

    Args:
        sentences: Its sentences.
        words: The lexicon.
    """
    found = Asked.NOTHING
    for sentence in sentences:
        found |= _asked(sentence, words)
    return found


def _asked(sentence: Sentence, words: Words) -> Asked:
    said = sentence.words
    promise = Asked.FIRST if _promises(said, words) else Asked.NOTHING
    start = _phrase(said, words)
    if start < 0 and not (sentence.asks and said and said[0] not in _VALUE_WORDS):
        return promise
    if _turned(said[max(start, 0) :], words) or _denied(said, start):
        return promise | Asked.REVERSE
    if start >= 0 or _bare(said, words) or any(stem in words.families for word in said for stem in stems(word)):
        alternative = Asked.ALTERNATIVE if sentence.asks and _offers_another(said, words) else Asked.NOTHING
        return promise | alternative | (Asked.ELSE if _of_a_fact(said, start) else Asked.AGREEMENT)
    return promise | (Asked.COURTESY if words.courtesy.any_in(said) else Asked.ELSE)


def _phrase(said: Sequence[str], words: Words) -> int:
    """Return where what follows a phrase that asks for agreement starts; -1: there is none."""
    for index in range(len(said)):
        kind, length = words.asks.at(said, index)
        if kind and tuple(said[index - 2 : index]) not in _SELF and not _for_a_value(said, index, index + length, words):
            return index + length
    return -1


def _turned(rest: Sequence[str], words: Words) -> bool:
    """Tell whether the first verb that is asked about leaves things as they are, or only tells of them."""
    for index, word in enumerate(rest):
        if words.idle.at(rest, index)[0]:
            return not _goes_on(rest[index + 1 :], words)
        if word in words.families or word in words.onward:
            return False
    return False


def _goes_on(rest: Sequence[str], words: Words) -> bool:
    """Tell whether a verb of a change follows an `and`: `check the seats and book them`."""
    return any(one == "and" and (other in words.families or other in words.onward) for one, other in pairwise(rest))


def _denied(said: Sequence[str], start: int) -> bool:
    """Tell whether a question is put the other way round: `so you do not want me to cancel it?`."""
    return start > 0 and any(word in ("not", "don't") for word in said[:start]) and "if" not in said[:start]


def _bare(said: Sequence[str], words: Words) -> bool:
    return len(said) <= _BARE and all(words.reply.at([word], 0)[0] in ("yes", "okay", "praise", "go", "filler") for word in said)


def _of_a_fact(said: Sequence[str], start: int) -> bool:
    return start < 0 and len(said) > 1 and said[0] in ("is", "are", "was", "were") and said[1] in ("your", "you", "there")


def _offers_another(said: Sequence[str], words: Words) -> bool:
    """Tell whether a question offers another thing to do: `cancel it, or keep it?`."""
    for index, word in enumerate(said):
        near = said[index + 1 : index + 1 + _CLOSE] if word == "or" else ()
        if any(other in words.families or other in _OPENERS or words.idle.at(near, at)[0] for at, other in enumerate(near)):
            return True
    return False


def _promises(said: Sequence[str], words: Words) -> bool:
    """Tell whether a sentence promises to say more before anything is done, or only to find out and tell."""
    if not any(words.promises.at(said, index)[0] for index in range(len(said))):
        return False
    return "before" in said or ("once" in said and "," in said and _turned(said[said.index(",") :], words))


def _for_a_value(said: Sequence[str], start: int, stop: int, words: Words) -> bool:
    """Tell whether a question asks which, what, or for a text such as a reason: such a word opens its clause, or follows at once."""
    opens = next((index + 1 for index in range(start - 1, -1, -1) if said[index] == ","), 0)
    return any(word in _VALUE_WORDS for word in (*said[opens:start], *said[stop : stop + 2])) or any(
        word in words.free for word in said[stop : stop + 2]
    )


_VALUE_WORDS = frozenset({"which", "what", "how", "when", "where", "who", "why", "whose"})
_SELF = frozenset({("need", "to"), ("have", "to")})
"""What makes of `confirm the …` a step to come, not a question."""
_OPENERS = frozenset({"would", "should", "do", "shall", "rather"})

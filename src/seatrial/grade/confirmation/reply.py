"""What a user's turn says to a proposal: it confirms, objects, leaves it open, or speaks of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import chain, pairwise

from msgspec import Struct, structs

from seatrial.grade.confirmation.lexicon import Words, words_of
from seatrial.grade.confirmation.texts import Sentence, hidden, own_words, plain, sentences

_CACHED_CHARACTERS = 4_000
"""Longer turns are read anew each time, so that the cache stays small."""
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
_LONGEST_NAME = 4
_LINKS = frozenset({"is", "are", "was", "were"})
"""Words by which an agreement goes on to state something: `I confirm my name is …`."""


class Stance(StrEnum):
    """What a turn says to a proposal."""

    CONFIRMS = "confirms"
    UNCLEAR = "unclear"
    """It affirms, but also asks, doubts, or says more than words can settle."""
    PICKS = "picks"
    """It chooses among what was offered."""
    OBJECTS = "objects"
    ELSEWHERE = "elsewhere"
    """A yes to something else."""
    UNREADABLE = "unreadable"
    """In words that the lexicon does not know."""
    NEUTRAL = "neutral"
    """It says neither yes nor no: a fact, thanks, a request."""
    ASKS = "asks"


class Reply(Struct, frozen=True, gc=False):
    """A user's turn, read."""

    stance: Stance
    why: str
    """What in the turn decided, in words."""
    content: frozenset[str] = frozenset()
    """Words of the affirming sentences that are neither yes nor filler: what is affirmed."""
    requests: bool = False
    """Whether it asks for a change in so many words."""
    goes: bool = False
    """Whether it says to go ahead, whatever else it says."""
    orders: frozenset[str] = frozenset()
    """The verbs of its orders to go ahead: `cancel it`."""


class _Read(Struct, frozen=True, gc=False):
    kind: str
    content: frozenset[str]
    picks: bool
    acts: bool
    orders: tuple[str, ...] | None
    """The first words of its orders to go ahead; `None`: it gives none."""
    name: bool = False
    """Whether it may be a name: a few words, none of them known."""
    greets: bool = False
    closes: bool = False


def read_reply(text: str, language: str = "english") -> Reply:
    """Return what a user's turn says.

    Args:
        text: The turn.
        language: Name of the lexicon.
    """
    return _cached(text, language) if len(text) <= _CACHED_CHARACTERS else _read(text, language)


@lru_cache(maxsize=2048)
def _cached(text: str, language: str) -> Reply:
    return _read(text, language)


def _read(text: str, language: str) -> Reply:
    words = words_of(language)
    shown = plain(text)
    own = own_words(shown)
    said = _without_names([_sentence(one, words) for one in sentences(_spelled_out(own, words))])
    if own is not shown and own != shown:
        said += [one for one in (_sentence(other, words) for other in sentences(shown)) if one.kind in ("object", "reported")]
    reply = _stance(said, own, words)
    if reply.stance is Stance.CONFIRMS and (hidden(text) or (own != shown and _forwards(text, own))):
        return Reply(Stance.UNCLEAR, "a yes beside quoted, hidden or foreign text", reply.content, reply.requests, reply.goes)
    if reply.stance is Stance.UNREADABLE and own.strip() != shown.strip():
        return Reply(Stance.NEUTRAL, "what it says is in quoted or forwarded text")
    return Reply(Stance.UNREADABLE, "words of another script") if reply.stance is Stance.NEUTRAL and hidden(text) else reply


def _spelled_out(text: str, words: Words) -> str:
    """Return a text with the words that signs stand for in their place."""
    if text.isascii():
        return text
    for sign, word in words.lexicon.signs.items():
        text = text.replace(sign, f" {word} ")
    return text


def _without_names(said: Sequence[_Read]) -> list[_Read]:
    """Return sentences where the names under a letter, and the one that it addresses, say nothing."""
    found, below = list[_Read](), False
    for one in said:
        below = one.closes or (below and one.name)
        silent = (below and not one.closes) or (one.greets and not found)
        found.append(structs.replace(one, kind="filler") if silent else one)
    return found


def _forwards(text: str, own: str) -> bool:
    return len(own.split()) * 2 < len(text.split())


def _sentence(sentence: Sentence, words: Words) -> _Read:
    items = list(words.reply.split([_meant(word, words) for word in sentence.words]))
    kinds = {kind for kind, text in items if text not in ",:"}
    kind = _kind(sentence, items, kinds)
    name = kinds == {""} and len(items) <= _LONGEST_NAME
    greets = bool(items) and items[0][1] in words.greetings and kinds <= {"", "filler"} and len(items) <= _LONGEST_NAME + 2
    closes = kind == "filler" and any(text in words.farewells for _, text in items)
    content = frozenset([text for kind, text in items if kind in ("", "act", "pick", "cost", "hedge") and text not in ",:"])
    orders = _orders(items, words) if "go" in kinds else None
    return _Read(kind, content, "pick" in kinds, "act" in kinds, orders, name, greets, closes)


def _orders(items: Sequence[tuple[str, str]], words: Words) -> tuple[str, ...]:
    """Return the verbs of orders that name what they are for: `cancel it`, not `move forward`."""
    phrases = [text.split(" ") for kind, text in items if kind == "go"]
    return tuple([phrase[0] for phrase in phrases if words.reply.at(phrase, len(phrase) - 1)[0] == "filler"])


def _meant(word: str, words: Words) -> str:
    """Return a word as it is spelled, without letters that were drawn out: `yesss`."""
    return words.lexicon.spellings.get(word) or (_DRAWN_OUT.sub(r"\1", word) if _DRAWN_OUT.search(word) else word)


def _kind(sentence: Sentence, items: Sequence[tuple[str, str]], kinds: set[str]) -> str:
    if "reported" in kinds:
        return "reported"
    if _objects(items, kinds):
        return "object"
    if sentence.asks or _opens_question(items):
        return _question(items, kinds)
    if "inquiry" in kinds:
        return "question"
    if kinds & {"contrast", "hedge", "negation"}:
        return "hedged" if kinds & {"yes", "go", "assent", "okay"} else "hedge"
    return _affirmation(items, kinds)


def _question(items: Sequence[tuple[str, str]], kinds: set[str]) -> str:
    if _orders_politely(items, kinds):
        return "go" if "please" in kinds else "hedged"
    aside = "also" in kinds and not kinds & {"cost", "negation", "contrast"}
    return "aside" if aside else "question"


def _objects(items: Sequence[tuple[str, str]], kinds: set[str]) -> bool:
    return "object" in kinds or _plain_no(items) or _forbids(items) or ("contrast" in kinds and _affirms_before(items, "contrast"))


_POLITE = frozenset({"can you", "could you", "would you", "will you", "won't you", "can we", "could we"})


def _orders_politely(items: Sequence[tuple[str, str]], kinds: set[str]) -> bool:
    """Tell whether a sentence is an order in the form of a question: `could you do that, please?`."""
    if "go" not in kinds or not kinds <= {"question", "go", "please", "filler", "okay", "yes"}:
        return False
    return all(text in _POLITE for kind, text in items if kind == "question") and "question" in kinds


def _affirmation(items: Sequence[tuple[str, str]], kinds: set[str]) -> str:
    led = _first(items)
    if "go" in kinds:
        return "yes_more" if _states(items) else "go"
    if led == "yes":
        return _after_yes(items, kinds)
    if "assent" in kinds:
        return "yes_more" if "statement" in kinds or _judges_else(items) else "assent"
    return _lesser(items, kinds, led)


def _lesser(items: Sequence[tuple[str, str]], kinds: set[str], led: str) -> str:
    """Return what a sentence says that neither orders nor starts with a yes."""
    if led in ("okay", "praise"):
        if kinds <= {"okay", "praise", "filler", "please", "yes"}:
            if "yes" in kinds:
                return "yes"
            thanks = any(text.startswith("thank") for _, text in items)
            return "other" if thanks else "praise" if "praise" in kinds else led
        return "request" if "act" in kinds else "other"
    if "yes" in kinds and kinds <= {"yes", "filler", "please", "", "okay", "praise", "statement"}:
        return _yes_within(items, kinds)
    if kinds & {"act", "pick"}:
        return "request"
    return "filler" if kinds <= {"filler", "please", "also"} else "other"


def _yes_within(items: Sequence[tuple[str, str]], kinds: set[str]) -> str:
    if not kinds & {"statement", ""}:
        return "yes"
    return "yes_more" if items[-1][0] == "yes" else "else"


def _after_yes(items: Sequence[tuple[str, str]], kinds: set[str]) -> str:
    """Return what a sentence says that starts with a yes: a bare one, an order, a statement of something else."""
    rest = [(kind, text) for kind, text in items if text not in ",:" and kind not in ("yes", "filler")]
    if not [kind for kind, _ in rest if kind not in ("please", "okay", "praise", "assent")]:
        return "yes"
    first = next(kind for kind, _ in rest if kind != "please")
    if first in ("act", "pick") or ("assent" in kinds and "statement" not in kinds and not _judges_else(items)):
        return "go"
    return "else" if first == "statement" else "yes_more"


def _judges_else(items: Sequence[tuple[str, str]]) -> bool:
    """Tell whether a judgement goes on to say of what: `looks good on you`."""
    return any(one[0] == "assent" and other[0] == "" and other[1] not in ",:" for one, other in pairwise(items))


def _states(items: Sequence[tuple[str, str]]) -> bool:
    """Tell whether a sentence agrees to a statement of its own: `I confirm that I am …`."""
    agreed = any(kind == "go" and text.startswith(("i ", "we ", "confirm")) for kind, text in items)
    judged = any(kind == "assent" for kind, _ in items)
    return agreed and any((kind == "statement" and text != "my") or (text in _LINKS and not judged) for kind, text in items)


def _first(items: Sequence[tuple[str, str]]) -> str:
    return next((kind for kind, text in items if text not in ",:" and (kind != "filler" or text.startswith("thank"))), "")


def _plain_no(items: Sequence[tuple[str, str]]) -> bool:
    """Tell whether a sentence starts with a no that stands for itself."""
    bare = [(kind, text) for kind, text in items if kind != "filler" or text in ("thanks", "thank you")]
    while bare and bare[0][1] in ",:":
        del bare[0]
    if not bare or bare[0] != ("negation", "no"):
        return False
    return len(bare) == 1 or bare[1][1] in (",", "thanks", "thank you") or bare[1][0] in ("please", "object", "negation", "go", "yes")


def _forbids(items: Sequence[tuple[str, str]]) -> bool:
    """Tell whether a negation stands right before what would be done: `don't cancel`, `do not proceed`."""
    bare = [(kind, text) for kind, text in items if kind != "filler" and text not in ",:"]
    return any(one[0] == "negation" and one[1] != "without" and other[0] in ("go", "act", "assent", "yes") for one, other in pairwise(bare))


def _affirms_before(items: Sequence[tuple[str, str]], kind: str) -> bool:
    for one, _ in items:
        if one == kind:
            return False
        if one in ("yes", "go", "assent", "okay", "praise"):
            return True
    return False


def _opens_question(items: Sequence[tuple[str, str]]) -> bool:
    skipped = ("yes", "filler", "please", "okay", "praise", "also")
    return next((kind for kind, text in items if kind not in skipped and text not in ",:"), "") == "question"


def _stance(said: Sequence[_Read], text: str, words: Words) -> Reply:
    kinds = _with_asides([one.kind for one in said])
    stance, why = _weigh(said, kinds, text, words)
    counted = ("request",) if stance is Stance.PICKS else ("go",) if "go" in kinds else _AFFIRMING
    content = frozenset[str]().union(*[one.content for one in said if one.kind in counted and (one.picks or stance is not Stance.PICKS)])
    orders = [one.orders for one in said if one.orders is not None]
    return Reply(stance, why, content, any(one.acts for one in said), bool(orders), frozenset(chain.from_iterable(orders)))


_AFFIRMING = ("go", "yes", "assent", "yes_more", "hedged")


def _weigh(said: Sequence[_Read], kinds: Sequence[str], text: str, words: Words) -> tuple[Stance, str]:
    strong = [index for index, kind in enumerate(kinds) if kind in ("go", "yes", "assent")]
    if "object" in kinds:
        last = len(kinds) - 1 - kinds[::-1].index("object")
        if strong and strong[-1] > last:
            return Stance.UNCLEAR, "a yes after an objection"
        return Stance.OBJECTS, "it objects, corrects or withdraws"
    if not strong:
        return _without_yes(said, kinds, text, words)
    if "else" in kinds and "go" not in kinds:
        return Stance.ELSEWHERE, "the yes goes on to state something else"
    spoilt = next((why for kind, why in _SPOILS if kind in kinds), "")
    if not spoilt and "yes_more" in kinds and "go" not in kinds:
        spoilt = _MORE
    if not spoilt and "other" in kinds and "go" not in kinds and "assent" not in kinds:
        spoilt = "a bare yes beside a statement"
    return (Stance.UNCLEAR, spoilt) if spoilt else (Stance.CONFIRMS, "it affirms")


def _with_asides(kinds: Sequence[str]) -> Sequence[str]:
    """Return kinds of sentences where questions that follow an aside belong to it, if the order to go ahead stands before it."""
    if "aside" not in kinds or "go" not in kinds[: kinds.index("aside")]:
        return ["question" if kind == "aside" else kind for kind in kinds]
    start = kinds.index("aside")
    return [*kinds[:start], *("aside" if kind == "question" else kind for kind in kinds[start:])]


_SPOILS = (
    ("question", "a yes beside a question"),
    ("hedge", "a yes beside a condition, a hesitation or a negation"),
    ("hedged", "a yes with a condition, a hesitation or a negation"),
    ("reported", "a yes beside somebody else's words"),
)
_MORE = "a yes that says more than yes"


def _without_yes(said: Sequence[_Read], kinds: Sequence[str], text: str, words: Words) -> tuple[Stance, str]:
    if "hedged" in kinds or "yes_more" in kinds:
        return Stance.UNCLEAR, _MORE
    if "else" in kinds:
        return Stance.ELSEWHERE, "the yes goes on to state something else"
    if any(one.picks for one in said):
        return Stance.PICKS, "it chooses among what was offered"
    if kinds and set(kinds) <= {"okay"}:
        return Stance.CONFIRMS, "it affirms"
    return _said_nothing(said, kinds, text, words)


def _said_nothing(said: Sequence[_Read], kinds: Sequence[str], text: str, words: Words) -> tuple[Stance, str]:
    requests = any(one.acts for one in said)
    if "question" in kinds:
        return Stance.ASKS, "it asks"
    if requests:
        return Stance.NEUTRAL, "it asks for a change"
    if "okay" in kinds or "praise" in kinds:
        return Stance.UNCLEAR, "it acknowledges, which may be a yes"
    known = not kinds or "hedge" in kinds or any(word in words.common for one in sentences(text) for word in one.words)
    return (Stance.NEUTRAL, "it says neither yes nor no") if known else (Stance.UNREADABLE, "no word of it is known")

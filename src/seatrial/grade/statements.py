"""What a message states of a kind – a price, a number, a day, a state – and where words introduce it. The words around it are English."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from seatrial.base.redaction import PSEUDONYM
from seatrial.grade.lazy import lazy
from seatrial.grade.tokens import Amount, Day, amount_spans, day_spans

NEAR = 80
"""Characters between words and the value that they introduce."""
_INVISIBLE = dict.fromkeys((0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF))
"""Soft hyphens, joiners and marks of direction: what stands in a text and cannot be seen."""
_SENTENCES = re.compile(r"[!?]+(?=\s)|\.(?=\s+[\"'(*_]*[^\W\d_a-z])|[\n\r;]+")
_CLAUSES = re.compile(r",(?=\s+[^\s\d])|\s(?:and|but|while|whereas|plus|minus|or)(?=\s+[^\s\d$€£¥₹])|[()|\u2013\u2014]")
_MONEY_WORD = re.compile(r"\s?(pounds?|dollars?|euros?|sterling|rupees|yen)(?!\w)")
_CURRENCY_OF = {"pound": "GBP", "sterling": "GBP", "dollar": "USD", "euro": "EUR", "rupees": "INR", "yen": "JPY"}
_PART = re.compile(r"\s?(?:%|percent|per cent)(?!\w)")
_NO_PLURAL = r"(?!(?:was|has|plus|this|less|thus|always)\b)"
_COUNTED = re.compile(rf"[\s-]+{_NO_PLURAL}(?:\w{{2,}}s|day|week|month|year|hour|minute|of|out)(?!\w)|st|nd|rd|th")
_NEGATION = re.compile(r"(?:\b(?:not|no|never|neither|nor|cannot|without|hardly|barely)|n['\u2019]t)\b(?:\s+[\w'\u2019-]+){0,3}\s*\W?\s*\Z")
_CONDITION = re.compile(r"\b(?:if|whether|unless|until|once|when|in case|provided)\b")
_HEDGE = re.compile(r"\b(?:would|could|may|might|should)\b")
_QUOTED = re.compile(r"\b(?:you(?: have|['\u2019]ve)? (?:said|say|mentioned|told|asked|want|wanted|requested|wrote)|your request)\b")
_BEFORE, _FAR, _LONG = 60, 200, 200


class Stated(NamedTuple):
    """One value that a message states."""

    start: int
    stop: int
    value: Amount | str | tuple[Day, ...] | None
    """A number, a word of the vocabulary or a pseudonym, or the readings of a day; `None`: it can be read as two."""
    open: str = ""
    """Why it is not certain that it is stated; empty: it is."""


class Message:
    """A message, made ready for reading.

    Args:
        written: Its text.
    """

    def __init__(self, written: str) -> None:
        self.written = written

    @lazy
    def shown(self) -> str:
        """The text in compatibility form, without what cannot be seen."""
        text = self.written
        return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_INVISIBLE)

    @lazy
    def text(self) -> str:
        """The text in lower case."""
        return self.shown.lower()

    @lazy
    def sentences(self) -> list[int]:
        """Where sentences end."""
        cased = self.shown if len(self.shown) == len(self.text) else self.text
        return [match.start() for match in _SENTENCES.finditer(cased)]

    @lazy
    def clauses(self) -> list[int]:
        """Where clauses end, within a sentence."""
        return [match.start() for match in _CLAUSES.finditer(self.text)]

    def sentence_of(self, place: int) -> tuple[int, int]:
        """Return where the sentence of a place starts and ends."""
        at = bisect_left(self.sentences, place)
        start = self.sentences[at - 1] + 1 if at else 0
        return start, self.sentences[at] if at < len(self.sentences) else len(self.text)

    def one_sentence(self, left: int, right: int) -> bool:
        """Tell whether no sentence ends between two places."""
        return bisect_left(self.sentences, left) == bisect_left(self.sentences, right)

    def one_clause(self, left: int, right: int) -> bool:
        """Tell whether neither a sentence nor a clause ends between two places."""
        return self.one_sentence(left, right) and bisect_left(self.clauses, left) == bisect_left(self.clauses, right)

    @lazy
    def prices(self) -> list[Stated]:
        """Every number with a currency beside it."""
        found = [(start, stop, _with_word(self.text, stop, amount)) for start, stop, amount in amount_spans(self.text)]
        return [Stated(start, stop, amount) for start, stop, amount in found if amount is None or amount.currency]

    @lazy
    def numbers(self) -> list[Stated]:
        """Every number that is no part of a date."""
        dated = {place for start, stop, _ in day_spans(self.text) for place in range(start, min(stop, start + 40))}
        return [Stated(start, stop, amount) for start, stop, amount in amount_spans(self.text) if start not in dated]

    @lazy
    def dates(self) -> list[Stated]:
        """Every calendar day, with all its readings."""
        readings: dict[tuple[int, int], list[Day]] = {}
        for start, stop, day in day_spans(self.text):
            readings.setdefault((start, stop), []).append(day)
        return sorted(Stated(start, stop, tuple(found)) for (start, stop), found in readings.items())

    @lazy
    def pseudonyms(self) -> list[Stated]:
        """Every value that was redacted; of which kind it was cannot be told."""
        return [Stated(*match.span(), match[0]) for match in PSEUDONYM.finditer(self.text)] if "redacted-" in self.text else []

    def words(self, vocabulary: tuple[str, ...]) -> list[Stated]:
        """Return every word of a vocabulary that stands whole, the longest where several fit."""
        return [Stated(*match.span(), _plain(match[0])) for match in any_of(vocabulary).finditer(self.text)]


def mentions(message: Message, words: tuple[str, ...]) -> bool:
    """Tell whether any of some words stands in a message; of no words, yes."""
    return not words or any_of(words).search(message.text) is not None


def introduced(message: Message, found: Sequence[Stated], words: tuple[str, ...]) -> Iterator[Stated]:
    """Yield the values that words introduce.

    Args:
        message: The message.
        found: Values in it, in order.
        words: Words; none: every value is meant.

    Returns:
        Those in the clause of one of the words; where it has none, the nearest in the sentence, marked as open.
    """
    if not words:
        yield from found
        return
    starts = [each.start for each in found]
    near: dict[int, bool] = {}
    for match in any_of(words).finditer(message.text) if found else ():
        low, high = bisect_left(starts, match.start() - NEAR), bisect_right(starts, match.end() + NEAR)
        meant = [place for place in range(low, high) if message.one_clause(*_between(match, found[place]))]
        near.update(dict.fromkeys(meant, True))
        if not meant:
            at = bisect_left(starts, match.start())
            for place in (at - 1, at):
                if 0 <= place < len(found) and message.one_sentence(*_between(match, found[place])):
                    near.setdefault(place, False)
    for place, close in sorted(near.items()):
        yield found[place] if close else found[place]._replace(open="the words that would introduce it stand in another clause")


def _between(match: re.Match[str], each: Stated) -> tuple[int, int]:
    return (match.end(), each.start) if match.end() <= each.start else (each.stop, match.start())


def condition_of(message: Message, each: Stated) -> bool:
    """Tell whether a value stands under a condition, so that nothing is stated: *if it is approved*."""
    start, _ = message.sentence_of(each.start)
    return _CONDITION.search(message.text, max(start, each.start - _FAR), each.start) is not None


def negated(message: Message, each: Stated) -> bool:
    """Tell whether a negation stands right before a value, and denies it: *is not yet covered*."""
    start, _ = message.sentence_of(each.start)
    return _NEGATION.search(message.text[max(start, each.start - _BEFORE) : each.start]) is not None


def quoted(message: Message, each: Stated) -> bool:
    """Tell whether the sentence gives back what the user said: *you asked for 300*."""
    start, _ = message.sentence_of(each.start)
    return _QUOTED.search(message.text, max(start, each.start - _FAR), each.start) is not None


def hedge_of(message: Message, each: Stated) -> str:
    """Return why a sentence may not say that something is so; empty: it does."""
    start, stop = message.sentence_of(each.start)
    if message.text[stop : stop + 1] == "?" or message.text.endswith("?", start, stop):
        return "the sentence is a question"
    hedge = _HEDGE.search(message.text, max(start, each.start - _FAR), each.start)
    return f"the sentence says {hedge[0]!r}" if hedge else ""


@lru_cache(maxsize=256)
def any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds any of some words that stand whole, the longest first; white space between words is free."""
    spelled = (r"[\s_-]+".join(map(re.escape, _plain(word).split())) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)")


@lru_cache(maxsize=4096)
def _plain(word: str) -> str:
    return " ".join(re.split(r"[\s_-]+", unicodedata.normalize("NFKC", word).lower())).strip()


def plain_word(word: str) -> str:
    """Return a word of a vocabulary without regard to case and to what joins its parts: `Under_Review` is `under review`."""
    return _plain(word) if len(word) <= _LONG else word


def _with_word(text: str, stop: int, amount: Amount | None) -> Amount | None:
    word = _MONEY_WORD.match(text, stop) if amount is not None and not amount.currency else None
    if word is None or amount is None:
        return amount
    return Amount(amount.value, _CURRENCY_OF[word[1] if word[1] in _CURRENCY_OF else word[1].removesuffix("s")])


def is_count(message: Message, each: Stated) -> bool:
    """Tell whether a number counts something: *14 days*, *two of 3 instalments*."""
    return _COUNTED.match(message.text, each.stop) is not None


def is_share(message: Message, each: Stated) -> bool:
    """Tell whether a number is a percentage."""
    return _PART.match(message.text, each.stop) is not None

"""What one turn of a conversation shows: codes, amounts, days, words, and whether it asks for a confirmation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from seatrial.grade.confirmation.lexicon import Words, words_of
from seatrial.grade.confirmation.question import Asked, asked
from seatrial.grade.confirmation.texts import Sentence, plain, sentences, stems
from seatrial.grade.lazy import lazy
from seatrial.grade.tokens import Amount, Day, amounts, day_spans, find

_PART = re.compile(r"[^\W_]+")
_CODE = re.compile(r"(?<![\w@.])[^\W_]+(?:[_\-][^\W_]+)*(?!\w)")
_SHORT_CODE = re.compile(r"[a-z][_-]\d")
"""The one kind of identifier below the shortest length that is seen as one: `c-0`."""
_NOT_A_CODE = re.compile(r"\d{1,4}(?:[-/.]\d{1,4}){0,2}|\d+(?:st|nd|rd|th|am|pm|h|x|k|%)?")
_MASKED = re.compile(r"[*x\u2022\u00b7#][*x\u2022\u00b7#][ -]?(\d{4})(?!\d)")
_SHORTEST_CODE = 4
_MAX_PLACES = 256
"""Places of one word that are looked at, and questions that are remembered, of one turn; past that less is found, never more."""
_CACHED_CHARACTERS = 8_000


class Notice:
    """One turn, read for what it shows; every part is read on first use.

    Args:
        text: The turn.
        language: Name of the lexicon.
    """

    def __init__(self, text: str, language: str) -> None:
        self.text = plain(text)
        self.words = words_of(language)
        self._new: dict[object, bool] = {}

    @lazy
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences and lines."""
        return sentences(self.text)

    @lazy
    def asked(self) -> Asked:
        """What it asks."""
        return asked(self.sentences, self.words)

    @property
    def solicits(self) -> bool:
        """Whether it asks the user to agree to something, rather than for a value or for nothing."""
        return Asked.AGREEMENT in self.asked

    @lazy
    def open(self) -> bool:
        """Whether it asks for a value: which, what, a payment method."""
        return any(self.words.open.any_in(sentence.words) for sentence in self.sentences)

    @lazy
    def parts(self) -> tuple[str, ...]:
        """Its runs of letters and digits."""
        return tuple(_PART.findall(self.text))

    @lazy
    def part_set(self) -> frozenset[str]:
        """Its runs of letters and digits, each once."""
        return frozenset(self.parts)

    @lazy
    def places(self) -> dict[str, list[int]]:
        """Run of letters and digits → where among all of them it stands, the first few hundred places."""
        found: dict[str, list[int]] = {}
        for index, part in enumerate(self.parts):
            places = found.setdefault(part, [])
            if len(places) < _MAX_PLACES:
                places.append(index)
        return found

    @lazy
    def families(self) -> frozenset[int]:
        """Numbers of the families of changes that its words belong to."""
        return frozenset[int]().union(*[self.words.families.get(stem, frozenset()) for stem in self.stems])

    @lazy
    def stems(self) -> frozenset[str]:
        """Its words and what is left of them without an ending."""
        return frozenset([stem for part in self.part_set for stem in stems(part)])

    @lazy
    def refused(self) -> frozenset[str]:
        """Codes in sentences that say that something cannot be done."""
        refusing = [one for one in self.sentences if self.words.refused.any_in(one.words)]
        return frozenset([compact(word) for one in refusing for word in one.words if _is_code(word)])

    @lazy
    def codes(self) -> frozenset[str]:
        """Its identifiers, compact, those apart that it says cannot be had."""
        found = frozenset([compact(code) for code in _CODE.findall(self.text) if _is_code(code)])
        return found - self.refused if self.refused else found

    @lazy
    def shapes(self) -> dict[str, frozenset[str]]:
        """Shape → its identifiers of that shape."""
        found: dict[str, set[str]] = {}
        for code in _CODE.findall(self.text):
            if _is_code(code) and compact(code) in self.codes:
                found.setdefault(shape(code), set()).add(compact(code))
        return {key: frozenset(codes) for key, codes in found.items()}

    @lazy
    def amounts(self) -> frozenset[Amount]:
        """Its numbers."""
        return frozenset(amounts(self.text))

    @lazy
    def sums(self) -> frozenset[str]:
        """Its amounts with a currency."""
        return frozenset([amount.value for amount in self.amounts if amount.currency])

    @lazy
    def numbers(self) -> frozenset[str]:
        """Its numbers, with or without a currency."""
        return frozenset([amount.value for amount in self.amounts])

    @lazy
    def days(self) -> tuple[tuple[int, Day], ...]:
        """Its calendar days and where they stand."""
        return tuple(sorted([(start, day) for start, _, day in day_spans(self.text)], key=lambda placed: placed[0]))

    @lazy
    def new_parts(self) -> tuple[tuple[str, ...], ...]:
        """The words of its sentences, without what stands before a change: `from business to` is cut from `from business to economy`."""
        return tuple(_without_old(sentence, self.words) for sentence in self.sentences)

    def holds_code(self, code: str) -> bool:
        """Tell whether an identifier stands in it, also with spaces between its parts."""
        return code not in self.refused and (code in self.codes or self._spells(code) or self._holds_short(code))

    def holds_name(self, name: str) -> bool:
        """Tell whether a name stands in it as a whole; an identifier in any spelling."""
        if find(self.text, name.lower()) >= 0:
            return True
        return any(map(str.isdigit, name)) and self.holds_code(compact(name))

    def holds_ending(self, code: str) -> bool:
        """Tell whether it shows the last digits of a longer identifier as such: `ending in 4471`, `**** 4471`."""
        tail = code[-4:]
        if len(code) < 6 or not tail.isdigit() or tail not in self.part_set:
            return False
        return tail in self.masked or any(map(self._masked, self.places[tail]))

    @lazy
    def masked(self) -> frozenset[str]:
        """Its groups of four digits behind signs that stand for digits."""
        return frozenset(_MASKED.findall(self.text))

    @lazy
    def endings(self) -> frozenset[str]:
        """The last digits of longer numbers that it shows as such."""
        tails = [part for part in self.part_set if len(part) == 4 and part.isdigit()]
        return frozenset([part for part in tails if part in self.masked or any(map(self._masked, self.places[part]))])

    def _masked(self, index: int) -> bool:
        before = self.parts[max(0, index - 3) : index]
        return any(part in self.words.masks for part in before) or any(set(part) <= set("x\u2022") for part in before)

    def holds_words(self, wanted: tuple[str, ...]) -> bool:
        """Tell whether words stand in it one after the other."""
        length = len(wanted)
        return any(self.parts[index : index + length] == wanted for index in self.places.get(wanted[0], ()))

    def holds_abbreviated(self, wanted: tuple[str, ...]) -> bool:
        """Tell whether the words of an address stand in it, written out or abbreviated."""
        short = self.words.lexicon.abbreviations
        written = tuple([short.get(part, part) for part in wanted])
        return len(wanted) > 1 and stands([short.get(part, part) for part in self.parts], written, ())

    def holds_new(self, wanted: tuple[str, ...], longer: Sequence[tuple[str, ...]], becomes: tuple[str, ...] = ()) -> bool:
        """Tell whether words stand in it as what will be.

        Args:
            wanted: The words.
            longer: Phrases that they may be part of; there they do not count.
            becomes: What they are turned into where they stand before `to` and these words; there they do not count either.
        """
        if wanted[0] not in self.part_set:
            return False
        key = (wanted, tuple(longer), becomes)
        if key not in self._new and len(self._new) < _MAX_PLACES:
            self._new[key] = any(stands(_until(words, becomes), wanted, longer) for words in self.new_parts)
        return self._new.get(key, False)

    def _holds_short(self, code: str) -> bool:
        """Tell whether an identifier that is too short to be told from other words, but for a letter in it, stands in it as a word."""
        return len(code) < _SHORTEST_CODE and code in self.part_set and not code.isdigit()

    def _spells(self, code: str) -> bool:
        starts = [code[:length] for length in range(1, len(code)) if code[:length] in self.part_set] if len(code) >= _SHORTEST_CODE else ()
        return any(_spells(self.parts, index, code) for start in starts for index in self.places[start])


@lru_cache(maxsize=2048)
def _cached(text: str, language: str) -> Notice:
    return Notice(text, language)


def notice(text: str, language: str = "english") -> Notice:
    """Return what a turn shows; short turns are remembered.

    Args:
        text: The turn.
        language: Name of the lexicon.
    """
    return _cached(text, language) if len(text) <= _CACHED_CHARACTERS else Notice(text, language)


def compact(code: str) -> str:
    """Return an identifier in lower case without anything but its letters and digits."""
    return "".join(_PART.findall(code.lower()))


def shape(code: str) -> str:
    """Return what identifiers of one kind share: the first word and the number of parts, or the letters, or the length."""
    parts = _PART.findall(code.lower())
    if len(parts) > 1:
        return f"{parts[0]}*{len(parts)}"
    letters = code.lower().rstrip("0123456789")
    if letters.isalpha():
        return f"{letters}#{len(code) - len(letters)}"
    return f"#{len(code)}" if code.isdigit() else f"mixed{len(code)}"


def _is_code(word: str) -> bool:
    if len(word) < _SHORTEST_CODE or not any(map(str.isdigit, word)):
        return _SHORT_CODE.fullmatch(word) is not None
    return (word.isdigit() and len(word) > _SHORTEST_CODE) or _NOT_A_CODE.fullmatch(word) is None


def _spells(parts: Sequence[str], index: int, code: str) -> bool:
    at = 0
    while index < len(parts) and at < len(code) and code.startswith(parts[index], at):
        at += len(parts[index])
        index += 1
    return at == len(code)


def stands(words: Sequence[str], wanted: tuple[str, ...], longer: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether a phrase stands in a list of words, other than as a part of one of some longer phrases."""
    length = len(wanted)
    for index, word in enumerate(words):
        if word == wanted[0] and tuple(words[index : index + length]) == wanted and not _part_of_longer(words, index, wanted, longer):
            return True
    return False


def _until(words: Sequence[str], becomes: tuple[str, ...]) -> Sequence[str]:
    """Return the words of a sentence from `to …` on, where it says what something is turned into; else all of them."""
    wanted = ("to", *becomes)
    for index in range(len(words) - len(becomes) if becomes else 0):
        if tuple(words[index : index + len(wanted)]) == wanted:
            return words[index:]
    return words


def _part_of_longer(words: Sequence[str], index: int, wanted: tuple[str, ...], longer: Sequence[tuple[str, ...]]) -> bool:
    for phrase in longer:
        for offset in range(len(phrase) - len(wanted) + 1):
            start = index - offset
            if phrase[offset : offset + len(wanted)] == wanted and start >= 0 and tuple(words[start : start + len(phrase)]) == phrase:
                return True
    return False


def _without_old(sentence: Sentence, words: Words) -> tuple[str, ...]:
    parts = [part for word in sentence.words for part in _PART.findall(word) or (word,)]
    for index, part in enumerate(parts):
        if part in words.old:
            stop = next((at for at in range(index + 1, len(parts)) if parts[at] in ("to", ",")), len(parts))
            return (*parts[:index], *parts[stop:])
    return tuple(parts)

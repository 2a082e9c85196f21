"""The words of a language, read once from a file beside this module; another language is one more file.

A phrase is found by its first word; of several that start alike the longest is taken, so that `no problem` is not the refusal `no`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

REPLY_KINDS = (
    "yes", "okay", "praise", "go", "assent", "please", "act", "inquiry", "object", "contrast", "hedge", "negation", "benign", "also",
    "cost", "question", "statement", "reported", "pick", "filler",
)  # fmt: skip
"""Classes of phrases in a user's turn; of a phrase that stands in two of them the earlier counts."""


class Lexicon(Struct, frozen=True, forbid_unknown_fields=True):
    """The phrases of a language by what they do."""

    yes: tuple[str, ...]
    """A plain yes."""
    okay: tuple[str, ...]
    """A yes that may as well only acknowledge."""
    praise: tuple[str, ...]
    """A word of satisfaction, which alone confirms nothing."""
    go: tuple[str, ...]
    """An instruction to go ahead with what was proposed."""
    assent: tuple[str, ...]
    """A judgement that the proposal is right."""
    please: tuple[str, ...]
    """Courtesy, which alone is no yes."""
    filler: tuple[str, ...]
    """Words that change nothing beside a yes."""
    act: tuple[str, ...]
    """Verbs of changes."""
    inquiry: tuple[str, ...]
    """A wish to know more."""
    object: tuple[str, ...]
    """A refusal, or the withdrawal of a yes; in the commonest languages."""
    signs: dict[str, str]
    """Sign, such as a raised thumb → the word that it stands for."""
    greetings: tuple[str, ...]
    """What opens a letter, before a name."""
    farewells: tuple[str, ...]
    """What closes a letter, before a name."""
    spellings: dict[str, str]
    """Word as it is often typed → the word that is meant."""
    contrast: tuple[str, ...]
    """What turns a yes into a correction."""
    hedge: tuple[str, ...]
    """A condition, a hesitation, a correction."""
    negation: tuple[str, ...]
    """A word that denies."""
    benign: tuple[str, ...]
    """Phrases that only look like a refusal or a hesitation."""
    also: tuple[str, ...]
    """What opens another subject."""
    cost: tuple[str, ...]
    """Words for what something costs."""
    question: tuple[str, ...]
    """Words that open a question."""
    statement: tuple[str, ...]
    """What opens a statement of fact: `that is my …`."""
    reported: tuple[str, ...]
    """Somebody else's words, or words in somebody else's name."""
    pick: tuple[str, ...]
    """A choice among what was offered."""
    asks: tuple[str, ...]
    """The agent asks for a confirmation."""
    idle: tuple[str, ...]
    """What the agent may offer that is not the change: to explain, to check, to leave things as they are."""
    onward: tuple[str, ...]
    """Verbs that stand for the change, whatever it is."""
    courtesy: tuple[str, ...]
    """Questions that nothing hangs on: `is there anything else?`."""
    promises: tuple[str, ...]
    """The agent says that it will tell something."""
    open: tuple[str, ...]
    """The agent asks for a value."""
    refused: tuple[str, ...]
    """The agent says that something cannot be done."""
    old: tuple[str, ...]
    """What stands before a change."""
    abbreviations: dict[str, str]
    """Word of an address → what is written for it."""
    away: tuple[str, ...]
    """What stands before the account that something leaves, and in the name of its argument."""
    towards: tuple[str, ...]
    """What stands before the account that it goes to, and in the name of its argument."""
    only: tuple[str, ...]
    """What restricts a change to what it names."""
    whole: tuple[str, ...]
    """What extends a change to all parts of a record."""
    kept: tuple[str, ...]
    """Verbs of what stays as it is."""
    option: tuple[str, ...]
    """The agent offers alternatives."""
    masks: tuple[str, ...]
    """Words before the last digits of a masked number."""
    families: tuple[tuple[str, ...], ...]
    """Verbs and nouns of one kind of change."""
    specific: tuple[str, ...]
    """Verbs that must be named: nothing general stands for them."""
    same: tuple[tuple[str, ...], ...]
    """Nouns that stand for one another."""
    money_arguments: tuple[str, ...]
    """Words in the names of arguments that are amounts of money."""
    owner_arguments: tuple[str, ...]
    """Those of them that say whose the change is: somebody who was spoken of, or whom a tool knows."""
    free_arguments: tuple[str, ...]
    """Names of arguments that need not be shown unless a suite says so."""
    common: tuple[str, ...]
    """The commonest words: a turn without any is in another language."""


class Phrases:
    """Phrases of several classes, found in a list of words.

    Args:
        classes: Class → its phrases.
    """

    __slots__ = ("_by_first",)

    def __init__(self, classes: Iterable[tuple[str, Sequence[str]]]) -> None:
        found: dict[str, list[tuple[int, tuple[str, ...], str]]] = {}
        for kind, phrases in classes:
            for phrase in phrases:
                words = tuple(phrase.split(" "))
                found.setdefault(words[0], []).append((len(words), words, kind))
        self._by_first = {first: tuple(sorted(items, key=lambda item: -item[0])) for first, items in found.items()}

    def at(self, words: Sequence[str], start: int) -> tuple[str, int]:
        """Return the class of the longest phrase that starts at a position and its number of words; `("", 1)`: there is none."""
        for length, phrase, kind in self._by_first.get(words[start], ()):
            if length == 1 or tuple(words[start : start + length]) == phrase:
                return kind, length
        return "", 1

    def any_in(self, words: Sequence[str]) -> bool:
        """Tell whether any phrase stands in a list of words."""
        return any(self.at(words, start)[0] for start in range(len(words)) if words[start] in self._by_first)

    def split(self, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield class and text of each phrase and of each word that is part of none (class empty)."""
        start = 0
        while start < len(words):
            kind, length = self.at(words, start)
            yield kind, words[start] if length == 1 else " ".join(words[start : start + length])
            start += length


class Words(Struct, frozen=True):
    """A lexicon made ready for looking up."""

    lexicon: Lexicon
    """The phrases as they stand in the file."""
    reply: Phrases
    """Those of a user's turn, by class."""
    asks: Phrases
    """The agent asks for a confirmation."""
    idle: Phrases
    onward: frozenset[str]
    courtesy: Phrases
    promises: Phrases
    open: Phrases
    """The agent asks for a value."""
    refused: Phrases
    """The agent says that something cannot be done."""
    old: frozenset[str]
    """What stands before a change."""
    common: frozenset[str]
    """The commonest words."""
    away: frozenset[str]
    towards: frozenset[str]
    only: frozenset[str]
    whole: frozenset[str]
    kept: frozenset[str]
    option: frozenset[str]
    """The agent offers alternatives."""
    masks: frozenset[str]
    """Words before the last digits of a masked number."""
    greetings: frozenset[str]
    """What opens a letter, before a name."""
    farewells: frozenset[str]
    """What closes a letter, before a name."""
    money: frozenset[str]
    """Words in the names of arguments that are amounts of money."""
    owners: frozenset[str]
    """Names of arguments that say whose the change is."""
    free: frozenset[str]
    """Names of arguments that need not be shown unless a suite says so."""
    specific: frozenset[str]
    """Verbs that must be named."""
    families: dict[str, frozenset[int]]
    """Word → numbers of the families it belongs to."""
    same: dict[str, frozenset[str]]
    """Noun → the nouns that stand for it, itself included."""


def languages() -> tuple[str, ...]:
    """Return the names of the languages that have a lexicon here."""
    names = (entry.name for entry in files(__package__ or "").joinpath("lexicons").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


@lru_cache(maxsize=16)
def words_of(language: str) -> Words:
    """Return the words of a language.

    Args:
        language: Name of a file in `lexicons/`, without its ending.

    Raises:
        ValueError: There is no such lexicon.
    """
    data = _read(language)
    if data is None:
        raise ValueError(f"there is no lexicon {language!r}; known: {', '.join(languages())}")
    lexicon = msgspec.json.decode(data, type=Lexicon)
    return Words(
        lexicon,
        Phrases([(kind, getattr(lexicon, kind)) for kind in REPLY_KINDS]),
        Phrases([("asks", lexicon.asks)]),
        Phrases([("idle", lexicon.idle)]),
        frozenset(lexicon.onward),
        Phrases([("courtesy", lexicon.courtesy)]),
        Phrases([("promises", lexicon.promises)]),
        Phrases([("open", lexicon.open)]),
        Phrases([("refused", lexicon.refused)]),
        frozenset(lexicon.old),
        frozenset(lexicon.common),
        frozenset(lexicon.away),
        frozenset(lexicon.towards),
        frozenset(lexicon.only),
        frozenset(lexicon.whole),
        frozenset(lexicon.kept),
        frozenset(lexicon.option),
        frozenset(lexicon.masks),
        frozenset(lexicon.greetings),
        frozenset(lexicon.farewells),
        frozenset(lexicon.money_arguments),
        frozenset(lexicon.owner_arguments),
        frozenset(lexicon.free_arguments),
        frozenset(lexicon.specific),
        _families(lexicon),
        _same(lexicon),
    )


def _read(language: str) -> bytes | None:
    if not language.isidentifier():
        return None
    try:
        return pkgutil.get_data(__package__ or "", f"lexicons/{language}.json")
    except OSError:
        return None


def _families(lexicon: Lexicon) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, family in enumerate(lexicon.families):
        for word in family:
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _same(lexicon: Lexicon) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in lexicon.same:
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(words) for word, words in found.items()}

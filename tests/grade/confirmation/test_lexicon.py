"""The lexicon is data: every phrase can be found, and a yes is never also a refusal."""

import msgspec
import pytest

from seatrial.grade.confirmation.lexicon import REPLY_KINDS, Phrases, languages, words_of
from seatrial.grade.confirmation.reply import Stance, read_reply


@pytest.mark.parametrize("language", languages())
def test_no_refusal_is_found_as_a_yes(language):
    """What objects, denies or hesitates is in no class that counts before it and confirms."""
    words = words_of(language)
    for kind in ("object", "negation", "hedge"):
        for phrase in getattr(words.lexicon, kind):
            parts = phrase.split(" ")
            assert words.reply.at(parts, 0)[0] not in ("yes", "go", "assent", "okay"), phrase


@pytest.mark.parametrize("language", languages())
def test_no_phrase_is_empty_or_in_capitals(language):
    """Texts are compared in lower case, word by word."""
    known = msgspec.structs.asdict(words_of(language).lexicon)
    phrases = [phrase for kind in REPLY_KINDS for phrase in known[kind]]
    assert [phrase for phrase in phrases if not phrase or phrase != phrase.lower() or "  " in phrase] == []


def test_of_two_classes_of_a_phrase_the_earlier_counts():
    """The order in which classes are given decides."""
    assert Phrases([("yes", ["well"]), ("hedge", ["well"])]).at(["well"], 0) == ("yes", 1)
    assert Phrases([("hedge", ["well"]), ("yes", ["well"])]).at(["well"], 0) == ("hedge", 1)


def test_the_longest_phrase_wins():
    """`no problem` is not the refusal `no`."""
    phrases = Phrases([("negation", ["no"]), ("benign", ["no problem"])])
    assert list(phrases.split(["no", "problem", "no"])) == [("benign", "no problem"), ("negation", "no")]


@pytest.mark.parametrize("phrase", words_of("english").lexicon.object)
def test_a_refusal_beats_a_yes_before_it(phrase):
    """Every refusal of the lexicon, in whatever language, withdraws a yes."""
    assert read_reply(f"Yes. {phrase.capitalize()}.").stance is Stance.OBJECTS


@pytest.mark.parametrize("phrase", words_of("english").lexicon.yes)
def test_every_yes_is_one(phrase):
    """Alone or with a word of thanks."""
    assert read_reply(phrase.capitalize()).stance is Stance.CONFIRMS

"""What was said and done before a call, in the conversation that issued it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from msgspec import UNSET, Struct

from seatrial.grade.confirmation.notice import Notice, notice
from seatrial.grade.confirmation.reply import Reply, read_reply
from seatrial.grade.identical import as_written
from seatrial.grade.lazy import lazy
from seatrial.grade.selection import Names
from seatrial.grade.tokens import Day
from seatrial.grade.view import CallView

_NOTHING_MUCH = 12
"""Words of a message between yes and call up to which it only says that the agent is at work."""


class Turn(Struct, frozen=True, gc=False):
    """One delivered turn of a conversation."""

    sequence: int
    user: bool
    """Whether the user said it, rather than the agent."""
    text: str


class Deed(Struct, frozen=True, dict=True):
    """One attempted call of a tool that writes."""

    sequence: int
    issued_at: int
    """Sequence number before which a turn was known to whoever proposed the call."""
    tool: str
    seen: CallView
    """The call; its arguments are decoded on first use."""
    done: bool
    """Whether it changed something."""
    lost: bool = False
    """Whether its answer was lost, or it failed in a way that trying again can help."""

    @property
    def arguments(self) -> object:
        """What it was called with."""
        return self.seen.arguments

    @property
    def written(self) -> bytes:
        """The same as it was recorded, JSON: equal only for identical calls of one tool, but not for all of them."""
        call = self.seen.call
        return bytes(call.proposed if call.executed is UNSET else call.executed)

    @lazy
    def key(self) -> object:
        """Equal for identical calls."""
        return as_written(self.seen)


class Options(Struct, frozen=True):
    """What a suite says of its writes."""

    shown: Mapping[str, tuple[str, ...]] = {}
    """Tool → the arguments that must have been shown, no others; absent: identifiers, days, amounts and words of the call."""
    not_shown: frozenset[str] = frozenset()
    """Names of arguments that need not be shown."""
    request_suffices: Names = ()
    """Tools for which an explicit request of the user is enough."""
    language: str = "english"


class Memory:
    """What was mentioned before the last proposal, and when last.

    Args:
        turns: All turns.
        language: Name of the lexicon.
    """

    def __init__(self, turns: Sequence[Turn], language: str) -> None:
        self._turns, self._language, self._read = turns, language, 0
        self.shape_at: dict[str, int] = {}
        """Shape → the latest turn with an identifier of that shape."""
        self.code_at: dict[str, int] = {}
        """Identifier → the latest turn that holds it."""
        self.shown: set[str] = set()
        """Identifiers that the agent has shown."""
        self.at: dict[str, int] = {}
        """Word → the latest turn that holds it."""
        self.sums: frozenset[str] = frozenset()
        """Amounts in the latest turn of the agent that has any."""
        self.ever_sums: set[str] = set()
        self.days: set[Day] = set()
        """Days that anybody spoke of."""
        self.dated: Notice | None = None
        """The latest turn with a calendar day."""

    def advance(self, stop: int) -> Memory:
        """Read the turns before a position, each once, and return itself."""
        for index in range(self._read, stop):
            self._turn(index, self._turns[index])
        self._read = max(self._read, stop)
        return self

    def _turn(self, index: int, turn: Turn) -> None:
        seen = notice(turn.text, self._language)
        self.shape_at.update(dict.fromkeys(seen.shapes, index))
        self.code_at.update(dict.fromkeys(seen.codes, index))
        self.at.update(dict.fromkeys(seen.part_set, index))
        if seen.days:
            self.dated = seen
            self.days.update([day for _, day in seen.days])
        if not turn.user:
            self.shown |= seen.codes
            if seen.sums:
                self.sums = seen.sums
                self.ever_sums |= seen.sums

    def turn(self, index: int) -> Notice | None:
        """Return a turn as it can be looked through; `None`: there is none, its position is -1."""
        return None if index < 0 else notice(self._turns[index].text, self._language)

    def with_kin(self, shape: str, kin: Iterable[str]) -> Notice | None:
        """Return the latest turn with an identifier of a shape, or with one of some identifiers; `None`: there is none."""
        return self.turn(max([self.shape_at.get(shape, -1), *(self.code_at.get(code, -1) for code in kin)]))

    def with_words(self, phrases: Iterable[tuple[str, ...]]) -> Notice | None:
        """Return the latest turn with the first word of one of some phrases; `None`: there is none."""
        return self.turn(max((self.at.get(phrase[0], -1) for phrase in phrases), default=-1))


class Moment:
    """A reply of the user with the proposal that it answers.

    Args:
        conversation: The conversation.
        reply_at: Position of the reply among its turns; -1: the user has said nothing.
    """

    def __init__(self, conversation: Conversation, reply_at: int) -> None:
        self.conversation, self.reply_at = conversation, reply_at
        self._turns, self._language = conversation.turns, conversation.language
        self._between = reply_at + 1
        self._after = After.NOTHING
        self.start = conversation.last_user(reply_at) + 1
        """Position of the first message of the proposal."""
        self.proposal: Sequence[Turn] = conversation.turns[self.start : reply_at]
        """What the agent said between the user's last two turns."""

    @property
    def reply(self) -> Turn | None:
        """The user's turn; `None`: there was none."""
        return None if self.reply_at < 0 else self._turns[self.reply_at]

    @lazy
    def asked(self) -> str:
        """The text of the proposal."""
        return joined(self.proposal)

    @property
    def said(self) -> str:
        """The text of the reply; empty: there was none."""
        return "" if self.reply_at < 0 else self._turns[self.reply_at].text

    @lazy
    def shown(self) -> Notice:
        """The proposal as it can be looked through."""
        return notice(self.asked, self._language)

    @lazy
    def named(self) -> Notice:
        """The reply as it can be looked through."""
        return notice(self.said, self._language)

    @lazy
    def read(self) -> Reply:
        """What the reply says."""
        return read_reply(self.said, self._language)

    def at_once(self, stop: int) -> bool:
        """Tell whether nothing was said between the reply and a position."""
        return stop == self.reply_at + 1

    @property
    def memory(self) -> Memory:
        """What was mentioned before the proposal."""
        self.conversation.looked_back = True
        return self.conversation.memory.advance(self.start)

    @lazy
    def asked_before(self) -> str:
        """The text of the proposal before; empty: there was none."""
        reply_at = self.start - 1
        return joined(self._turns[self.conversation.last_user(reply_at) + 1 : reply_at]) if self.start else ""

    def was_said(self, text: str) -> bool:
        """Tell whether a name stands, as a whole, in a turn before the proposal."""
        self.conversation.looked_back = True
        return any(notice(turn.text, self._language).holds_name(text) for turn in self._turns[: max(self.start, 0)])

    @property
    def earlier(self) -> Moment:
        """The user's turn before, with the proposal that it answers."""
        self.conversation.looked_back = True
        return Moment(self.conversation, self.conversation.last_user(self.reply_at))

    def after(self, stop: int) -> After:
        """Return the worst of what the agent said between the reply and a position; every turn is read once."""
        for index in range(self._between, stop):
            self._after = max(self._after, self._said_after(self._turns[index]))
        self._between = max(self._between, stop)
        return self._after

    def _said_after(self, turn: Turn) -> After:
        seen = notice(turn.text, self._language)
        if seen.solicits or any(sentence.asks for sentence in seen.sentences):
            return After.ASKED
        if seen.sums - self.shown.sums - self.named.sums or seen.codes - self.shown.codes - self.named.codes:
            return After.ALTERED
        known = {day for _, day in (*self.shown.days, *self.named.days)}
        if any(day not in known for _, day in seen.days):
            return After.ALTERED
        return After.SAID if len(seen.parts) > _NOTHING_MUCH else After.NOTHING


def joined(turns: Sequence[Turn]) -> str:
    """Return the text of some turns."""
    return turns[0].text if len(turns) == 1 else "\n".join([turn.text for turn in turns])


class After(IntEnum):
    """What the agent said between a yes and the call, worst last."""

    NOTHING = 0
    SAID = 1
    """More than that it is at work."""
    ALTERED = 2
    """Another amount, day or identifier than the proposal's."""
    ASKED = 3
    """A question, to which no answer came."""


class Conversation:
    """The turns that reached one context, oldest first.

    Args:
        turns: The turns.
        language: Name of the lexicon.
    """

    def __init__(self, turns: Sequence[Turn], language: str) -> None:
        self.turns, self.language = turns, language
        self.looked_back = False
        """Whether anything before the last proposal was asked for since this was last set."""
        self._stop = 0

    @lazy
    def memory(self) -> Memory:
        """What was mentioned before the last proposal."""
        return Memory(self.turns, self.language)

    @lazy
    def _last_users(self) -> list[int]:
        last, found = -1, []
        for index, turn in enumerate(self.turns):
            found.append(last)
            last = index if turn.user else last
        return [*found, last]

    def last_user(self, stop: int) -> int:
        """Return the position of the last turn of the user before a position; -1: there is none."""
        return self._last_users[max(stop, 0)]

    def before(self, issued_at: int) -> int:
        """Return how many turns had been delivered before a sequence number; calls are asked for in their order."""
        turns, stop = self.turns, self._stop
        while stop < len(turns) and turns[stop].sequence < issued_at:
            stop += 1
        while stop and turns[stop - 1].sequence >= issued_at:
            stop -= 1
        self._stop = stop
        return stop

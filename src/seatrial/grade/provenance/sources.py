"""What the agent had seen when it issued a call, searchable by value.

Most values are copied letter by letter, so one search over the joined bytes of all that was seen finds them; only a value that is not
found so is compared by its normal forms, text by text. Where many values are looked for in much that was seen, an index is made, so that
the time grows with the trace and not with its square.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
from math import inf
from operator import attrgetter

from seatrial.grade.lazy import lazy
from seatrial.grade.provenance.index import Index
from seatrial.grade.provenance.needles import Needle, Text
from seatrial.grade.provenance.proposals import place_of_literal
from seatrial.grade.view import TraceView
from seatrial.records.trace import ToolCall, UserTurn

_since = attrgetter("since")
_LOWER = bytes(range(256)).lower()
_SEPARATORS = b" ,'-_"
"""What may stand between the letters and digits of a value in another spelling."""
PATIENCE = 512
"""Values that are looked for in everything before an index is made; to compare text by text weighs as much as `_TEXT_BY_TEXT` of them."""
_TEXT_BY_TEXT = 16
MOST_RECENT = 256
"""Turns, and answers of one tool, that a derivation takes its operands from: the latest ones before the call."""


class Sources:
    """What an agent saw in one attempt, in the order in which it saw it.

    Args:
        view: The attempt.
        standing: Texts that were there from the start.
        opening: What the user says first in every trial; `None`: nobody knows.
    """

    def __init__(self, view: TraceView, standing: Sequence[Text], opening: bytes | None = None) -> None:
        self.standing = standing
        self.handoffs, self.messages = view.handoffs, view.messages
        self.carriers = [call for call in view.agent_records if call.effect != "read"]
        self._joined = view.heard_text
        self._moments = [moment for moment, _, _ in view.heard]
        self._steps = [step for _, step, _ in view.heard]
        self._parts = [part for _, _, part in view.heard]
        self._one_context = not self.handoffs and len({step.context for step in (*view.user_turns, *view.agent_records)}) <= 1
        opened = self._one_context and self._steps and type(self._steps[0]) is UserTurn and self._parts[0] == opening
        self.opened_at: float = self._moments[0] if opened else inf
        """When the one context heard what the user always says first; infinite: it did not."""
        self._starts = [0, *accumulate([len(part) + 1 for part in self._parts])]
        self._squeezed: dict[int, bytes] = {}
        self._proposals: dict[int, Text] = {}
        self._patience = PATIENCE
        self._explained = 0
        self._passed: dict[tuple[str, bool, str], tuple[list[int], int]] = {}
        self._carried: dict[tuple[str, bool, str], float] = {}

    @lazy
    def texts(self) -> tuple[Text, ...]:
        """All that was seen, as texts."""
        kinds = ("user" if type(step) is UserTurn else "observation" for step in self._steps)
        parts = zip(kinds, self._parts, self._moments, self._steps, strict=True)
        return tuple(Text(kind, str(part, "utf-8", "replace"), moment, step.context, step) for kind, part, moment, step in parts)

    def copied(self, literal: bytes, before: int, *, signed: bool) -> bool:
        """Tell whether a value was certainly copied, letter by letter, from what was seen; `find` decides what this cannot.

        Args:
            literal: Its letters in lower case; not empty.
            before: When the call that carries it was issued.
            signed: Whether a minus sign before it makes another value.
        """
        if self._patience <= 0:
            return False
        self._patience -= 1
        if not self._one_context:
            return False
        data, end = self._joined, self._starts[bisect_left(self._moments, before)]
        at = place_of_literal(data, literal, 0, end, signed=signed)
        while at >= 0:
            step = self._steps[bisect_right(self._starts, at) - 1]
            if type(step) is UserTurn or not self._may_echo(step, literal):
                return True
            at = place_of_literal(data, literal, at + 1, end, signed=signed)
        return False

    @lazy
    def _first_carrier(self) -> float:
        """Sequence number of the first write; infinite: there is none."""
        return min([call.sequence for call in self.carriers], default=inf)

    def _may_echo(self, answered: UserTurn | ToolCall, literal: bytes) -> bool:
        """Tell whether the own arguments of the agent may hold a value in any spelling: a quick test that errs towards yes."""
        # Another spelling keeps the letters and digits in their order, or, of a date, the year.
        kept = literal[:4] if len(literal) == 10 and literal[4] == 45 else literal.translate(None, _SEPARATORS)
        if (self._squeezed.get(answered.sequence) or self._proposed_bytes(answered)).find(kept) >= 0:
            return True
        if answered.sequence <= self._first_carrier:
            return False
        return any(self._proposed_bytes(carrier).find(kept) >= 0 for carrier in self.carriers if carrier.sequence < answered.sequence)

    def _proposed_bytes(self, call: UserTurn | ToolCall) -> bytes:
        found = self._squeezed.get(call.sequence)
        if found is None:
            proposed = call.proposed if isinstance(call, ToolCall) else b""
            found = self._squeezed[call.sequence] = bytes(proposed).translate(_LOWER, _SEPARATORS)
        return found

    def find(self, needle: Needle, call: ToolCall) -> Text | None:
        """Return the text that first gave a value to the context that issued a call, before it did; `None`: none did."""
        for text in self.standing:
            if needle.literal_at(text.lower) >= 0:
                return text
        if self._patience <= 0:
            return next((text for text in self.standing if needle.normally_in(text)), None) or self._looked_up(needle, call)
        self._patience -= _TEXT_BY_TEXT
        candidates = (*self.standing, *self.seen_by(call.context, call.issued_at))
        return next((text for text in candidates if needle.held_by(text) and not self._echoes(text.step, needle)), None)

    @lazy
    def index(self) -> Index:
        """All that was seen, by what is in it."""
        return Index(self.texts)

    def _looked_up(self, needle: Needle, call: ToolCall) -> Text | None:
        """Return what `find` finds among what was seen. What did not give the value to one call gives it to no later one."""
        places, place = self._passed.get(needle.key) or (self.index.places(needle), 0)
        limits = None if self._one_context else self.limits(call.context, call.issued_at)
        for at in range(place, len(places)):
            text = self.texts[places[at]]
            if text.since >= call.issued_at:
                break
            visible = limits is None or text.since < limits.get(text.context, -1)
            if visible and needle.held_by(text) and not self._echoes(text.step, needle):
                return text
            place = at + 1
        self._passed[needle.key] = (places, place if self._one_context else 0)
        return None

    def nearest(self, needle: Needle, call: ToolCall) -> Text | None:
        """Return the text that `find` finds, but what was said or answered before what was there from the start: for a reader.

        A number of the dialogue stands in a policy by accident more often than the reverse. Where very many values are looked for, it is
        what `find` finds.
        """
        if self._explained >= PATIENCE:
            return self.find(needle, call)
        self._explained += 1
        candidates = (*self.seen_by(call.context, call.issued_at), *self.standing)
        return next((text for text in candidates if needle.held_by(text) and not self._echoes(text.step, needle)), None)

    @lazy
    def words(self) -> tuple[Text, ...]:
        """What the agent said; the first text holds all of it, so that a value that the agent never said costs one look."""
        apart = tuple(Text("agent", one.text, one.sequence, name=f"agent message, step {one.sequence}") for one in self.messages)
        return (Text("agent", "\n".join(text.text for text in apart)), *apart)

    def said(self, needle: Needle, call: ToolCall) -> str:
        """Return where the agent itself said a value before a call; empty: nowhere."""
        everything, *apart = self.words
        if self._patience <= 0:
            apart = [apart[place] for place in self._indexed_words.places(needle)]
        elif not needle.held_by(everything):
            return ""
        return next((text.name for text in apart if text.since < call.sequence and needle.held_by(text)), "")

    @lazy
    def _indexed_words(self) -> Index:
        return Index(self.words[1:])

    @lazy
    def turns(self) -> tuple[Text, ...]:
        """What the user said."""
        return tuple(text for text in self.texts if text.kind == "user")

    @lazy
    def answers(self) -> Mapping[str, Sequence[Text]]:
        """Name of a tool, as called → its answers."""
        found: dict[str, list[Text]] = {}
        for text in self.texts:
            if text.call is not None:
                found.setdefault(text.call.tool, []).append(text)
        return found

    def recent(self, texts: Sequence[Text], call: ToolCall) -> list[Text]:
        """Return the latest of some texts that the context of a call had seen before it, at most `MOST_RECENT`, the oldest first.

        Args:
            texts: Turns, or answers, in their order.
            call: The call.
        """
        end = bisect_left(texts, call.issued_at, key=_since)
        if self._one_context:
            return list(texts[max(0, end - MOST_RECENT) : end])
        limits = self.limits(call.context, call.issued_at)
        earlier = (texts[place] for place in range(end - 1, -1, -1))
        return list(islice((text for text in earlier if text.since < limits.get(text.context, -1)), MOST_RECENT))[::-1]

    def seen_by(self, context: str, before: int) -> Iterator[Text]:
        """Yield the texts that a context had seen before a moment, its own and those handed to it, in order."""
        limits = self.limits(context, before)
        for text in self.texts:
            if text.since >= before:
                return
            if self._one_context or text.since < limits.get(text.context, -1):
                yield text

    def limits(self, context: str, before: int) -> dict[str, int]:
        """Return up to which moment a context knows what each context had seen, through recorded handoffs."""
        limits = {context: before}
        for handoff in reversed(self.handoffs):
            if handoff.sequence < limits.get(handoff.target, -1):
                limits[handoff.source] = max(handoff.sequence, limits.get(handoff.source, -1))
        return limits

    def elsewhere(self, needle: Needle, call: ToolCall) -> Text | None:
        """Return a text that held the value in another context whose handoff, if there was one, was not recorded; `None`: none."""
        if self._one_context or any(handoff.target == call.context for handoff in self.handoffs):
            return None
        texts = self.texts if self._patience > 0 else [self.texts[place] for place in self.index.places(needle)]
        earlier = (text for text in texts if text.since < call.issued_at)
        return next((text for text in earlier if needle.held_by(text) and not self._echoes(text.step, needle)), None)

    def _echoes(self, answered: UserTurn | ToolCall | None, needle: Needle) -> bool:
        """Tell whether an observation may only give back what the agent itself had put into its call or into the world."""
        if type(answered) is not ToolCall:
            return False
        if self._proposed(needle, answered):
            return True
        if self._patience <= 0:
            return self._first_carried(needle) < answered.sequence
        return any(self._proposed(needle, carrier) for carrier in self.carriers if carrier.sequence < answered.sequence)

    def _first_carried(self, needle: Needle) -> float:
        """Return the first write that put a value into the world; infinite: none did."""
        found = self._carried.get(needle.key)
        if found is None:
            carriers = (self.carriers[place] for place in self._indexed_carriers.places(needle))
            found = next((carrier.sequence for carrier in carriers if self._proposed(needle, carrier)), inf)
            self._carried[needle.key] = found
        return found

    @lazy
    def _indexed_carriers(self) -> Index:
        return Index([self._proposal(carrier) for carrier in self.carriers])

    def _proposed(self, needle: Needle, call: ToolCall) -> bool:
        """Tell whether the arguments that a call proposed hold a value: their leaves and keys, not the punctuation of JSON."""
        return needle.normally_in(self._proposal(call))

    def _proposal(self, call: ToolCall) -> Text:
        text = self._proposals.get(call.sequence)
        if text is None:
            text = self._proposals[call.sequence] = Text("call", str(call.proposed, "utf-8", "replace"), step=call)
        return text

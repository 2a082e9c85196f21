"""Reading a notice: from its text to the facts that the desk works with."""

import random
import re
from dataclasses import dataclass
from datetime import date

from .amounts import all_amounts, spelled_digits
from .days import all_days, longest_span
from .habits import Eye
from .kinds import WEB_KINDS, cause, escalation, fitting_exclusions, kind_scores
from .notice import Notice

_POLICY = re.compile(r"\bHL[ -]?(\d{5})[ -]?([A-Z])\b", re.IGNORECASE)
_SPELLED = re.compile(
    r"\bH,? L,? ((?:(?:double|oh|zero|one|two|three|four|five|six|seven|eight|nine)[ ,-]+){4,7})([A-Z]) for ", re.IGNORECASE
)
_POSTCODE = re.compile(r"\bHB\d{1,2} \d[A-Z]{2}\b")
_REGISTRATION = re.compile(r"\bQ[A-Z]\d{2} [A-Z]{3}\b")
_FOUND = re.compile(r"\b(?:found|discovered|came back|walking in|came home|returning)\b", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:since|every|renewed|bought|wrote|began|booked|took the house over|been at sea|when I had|in the autumn)\b|insurance",
    re.IGNORECASE,
)
_IN_WRITING = re.compile(r"\b(?:quotation|quote|in writing|invoice|estimate of|added it up)\b", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:total|together|all in|come to|comes to|altogether)\b", re.IGNORECASE)
_NO_ESTIMATE = re.compile(
    r"\b(?:when new|excess|you paid|to build|were £|in \d{4}|cost £[\d,]+ in|leaflet|guessed|reckoned|feared|bought|was when)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Facts:
    """What was read.

    Args:
        policy_ids: Policy numbers, the most likely first.
        kind: Kind of loss; empty: not recognised.
        day: Date of loss; `None`: not given.
        estimate: Pounds; `None`: not given.
        exclusions: Exclusion codes that the facts fit.
        escalation: Why a person must take over; empty: nobody must.
        burst_pipe: Whether a burst pipe is the cause.
    """

    policy_ids: tuple[str, ...]
    kind: str
    day: date | None
    estimate: int | None
    exclusions: frozenset[str]
    escalation: str
    burst_pipe: bool


class Reader:
    """Reads one notice.

    Args:
        notice: The notice.
        skill: What the agent makes of it.
        chance: The agent's source of chance.
    """

    def __init__(self, notice: Notice, skill: Eye, chance: random.Random) -> None:
        self.notice, self.skill, self.chance = notice, skill, chance

    def facts(self) -> Facts:
        """Read everything."""
        body, skill, day = self.notice.body, self.skill, self.day()
        span = longest_span(body, day or self.notice.day)
        return Facts(
            self.policy_ids(self.notice.whole),
            self.kind(),
            day,
            self.estimate(),
            fitting_exclusions(body, longest_span=span, between_lines=skill.reads_between_lines),
            escalation(body, between_lines=skill.reads_between_lines),
            bool(re.search(r"burst pipe|pipe (?:had )?burst", body, re.IGNORECASE)),
        )

    def policy_ids(self, text: str) -> tuple[str, ...]:
        """Return the complete policy numbers in a text, in order, in the form that the tools want."""
        found = [(match.start(), f"HL-{match[1]}-{match[2].upper()}") for match in _POLICY.finditer(text)]
        if self.skill.hears_spelling:
            found += [(match.start(), f"HL-{spelled_digits(match[1])}-{match[2].upper()}") for match in _SPELLED.finditer(text)]
        return tuple(dict.fromkeys(number for _, number in sorted(found)))

    def kind(self) -> str:
        """Return the kind of loss."""
        stated = WEB_KINDS.get(self.notice.fields.get("Kind of loss", ""))
        told = cause(self.notice.body) if self.skill.finds_cause else ""
        scores = kind_scores(f"{self.notice.subject}\n{self.notice.body}")
        if stated or not scores:
            return stated or told
        ranked = sorted(scores, key=lambda kind: -scores[kind])
        rivals = [kind for kind in ranked if scores[kind] >= scores[ranked[0]] / 2]
        return self._unless_slip(told or ranked[0], rivals if self.notice_is_long else ranked[:1])

    def topic(self) -> str:
        """Return the kind of loss that a question is about."""
        scores = kind_scores(self.notice.body + " ".join(self.notice.fields.values()))
        return cause(self.notice.body) if not scores else max(scores, key=lambda kind: scores[kind])

    @property
    def notice_is_long(self) -> bool:
        """Whether the sender tells more than a few sentences."""
        return len(self.notice.body.split()) > 75

    def day(self) -> date | None:
        """Return the date of loss."""
        stated = all_days(self.notice.fields.get("Date of loss", ""), self.notice.day)
        if stated:
            return stated[0][1]
        days = all_days(self.notice.body, self.notice.day) or all_days(self.notice.fields.get("Date of loss", ""), self.notice.day)
        if not days:
            return None
        best = max(days, key=lambda day: (self._weight_of_day(day[0]), -day[0])) if self.skill.weighs_context else days[0]
        return self._unless_slip(best[1], [day for _, day in days])

    def _weight_of_day(self, position: int) -> int:
        sentence = _sentence(self.notice.body, position)
        nearby = self.notice.body[max(0, position - 20) : position]
        return 2 * bool(_FOUND.search(nearby)) + 2 * bool(_FOUND.search(sentence)) - 3 * bool(_ASIDE.search(sentence))

    def estimate(self) -> int | None:
        """Return the estimate in pounds."""
        stated = all_amounts(self.notice.fields.get("Estimated cost of repair", ""), in_words=True)
        if stated:
            return stated[-1][1]
        text = self.notice.evidence
        amounts = all_amounts(text, in_words=self.skill.hears_spelling)
        if not amounts:
            return None
        best = self._weighed(text, amounts) if self.skill.weighs_context else amounts[0][1]
        return self._unless_slip(best, [amount for _, amount in amounts])

    def _weighed(self, text: str, amounts: list[tuple[int, int]]) -> int:
        for mark in (_IN_WRITING, _TOTAL):
            marked = [
                amount
                for position, amount in amounts
                if mark.search(_clause(text, position)) and not _NO_ESTIMATE.search(_clause(text, position))
            ]
            if marked:
                return marked[-1]
        plain = [amount for position, amount in amounts if not _NO_ESTIMATE.search(_clause(text, position))] or [amounts[0][1]]
        listed = len(set(plain)) > 2 and self.skill.adds_items
        return sum(plain) if listed else max(plain)

    def _unless_slip(self, best, rivals: list):
        """Return the best reading, or now and then any of those that compete with it."""
        distinct = list(dict.fromkeys(rivals))
        if len(distinct) > 1 and self.chance.random() < self.skill.slip:
            return self.chance.choice(distinct)
        return best

    def postcode(self) -> str:
        """Return the sender's postcode; empty: not given."""
        return next(iter(_POSTCODE.findall(self.notice.whole)), "")

    def registration(self) -> str:
        """Return the registration of the vehicle; empty: not given."""
        return next(iter(_REGISTRATION.findall(self.notice.whole)), "")

    def name(self) -> str:
        """Return the name that the notice is signed or opened with; empty: none."""
        stated = self.notice.fields.get("Policyholder")
        found = re.findall(r"\b(?:[A-Z][a-z]+ )(?:de )?[A-Z][a-z]+\b", self.notice.body)
        return stated or next((name for name in found if "Harbourline" not in name and not name.startswith("Dear")), "")


def _sentence(text: str, position: int) -> str:
    start = max(text.rfind(mark, 0, position) for mark in (". ", "? ", ".\n", "\n\n", ": "))
    ends = [end for mark in (". ", "? ", ".\n", "\n\n") if (end := text.find(mark, position)) >= 0]
    return text[start + 1 : min(ends, default=len(text))]


def _clause(text: str, position: int) -> str:
    # A guess and a price often stand in one sentence, parted by a comma or a semicolon.
    start = max(text.rfind(mark, 0, position) for mark in (". ", "; ", ", but ", ", the ", "\n", ". The "))
    ends = [end for mark in (". ", "; ", ", but ", ", the ", "\n") if (end := text.find(mark, position)) >= 0]
    return text[start + 1 : min(ends, default=len(text))]

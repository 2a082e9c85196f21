"""Operands of derivations: paths into what was seen, and the numbers and days there.

`now` (the world's clock), `input`, `user` and `document` (numbers and days stated there), `TOOL.path[*].field` (leaves of an answer of
that tool), `TOOL(argument)` (an argument of an earlier call), `stated(TOOL)` (numbers in the words of its answers and errors),
`this(argument)` (an argument of the call itself).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET

from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.grade import tokens
from seatrial.grade.paths import ANY_ELEMENT, Token, parse_path, values_at
from seatrial.grade.provenance.needles import Text
from seatrial.grade.view import CallView

THIS = "this"
"""Stands for the call whose argument is derived."""
STATED = "stated"
"""Stands for the numbers in the words of a tool's answers."""
TEXTS = frozenset({"now", "input", "user", "document"})
"""Operands that are texts, not answers or arguments."""
_PATH = re.compile(r"(?P<tool>[\w.:@+=-]+?)(?:\((?P<argument>[^()]+)\)|\.(?P<path>[^()]+))")


class Found(NamedTuple):
    """The leaves that an operand has in one call."""

    view: CallView | None
    """The call; `None`: the one whose argument is derived."""
    leaves: list[object]

    @property
    def where(self) -> str:
        """Which step it is, in words."""
        return "" if self.view is None else f", step {self.view.call.sequence}"


class Valued(NamedTuple):
    """A number with where it was taken from."""

    value: Decimal
    where: str


@dataclass(frozen=True)
class Seen:
    """What the context that issued a call had seen by then; of turns, and of one tool's answers, the latest.

    Args:
        now: The world's day; `None`: not a date.
        said: The input and the user's turns.
        documents: The documents.
        of_tool: Name of a tool → the agent's earlier calls of it whose answers were delivered.
        holds: Tells whether a value was seen.
        own: The arguments of the call itself.
    """

    now: date | None
    said: tuple[Text, ...]
    documents: tuple[Text, ...]
    of_tool: Callable[[str], Sequence[CallView]]
    holds: Callable[[object], bool]
    own: Mapping[str, object] = field(default_factory=dict)

    def found(self, path: str) -> Iterator[Found]:
        """Yield the leaves that an operand has, call by call."""
        tool, argument, tokens_ = parsed(path)
        if tool == THIS:
            leaves = values_at(dict(self.own), tokens_)
            yield from (Found(None, leaves),) if leaves else ()
        elif tool == STATED:
            yield from (Found(view, list(_stated(view))) for view in self.of_tool(str(tokens_[0])))
        elif tool:
            for view in self.of_tool(tool):
                leaves = values_at(view.proposed if argument else view.observation, tokens_)
                if leaves:
                    yield Found(view, leaves)

    def texts(self, operand: str) -> tuple[Text, ...]:
        """Return the texts that an operand of that kind stands for."""
        return self.documents if operand == "document" else self.said if operand != "now" else ()

    def numbers(self, path: str) -> Iterator[Valued]:
        """Yield every number of an operand by itself."""
        if path in TEXTS:
            yield from (Valued(Decimal(number), path) for text in self.texts(path) for number in sorted(text.numbers))
            return
        for found in self.found(path):
            yield from (Valued(number, f"{path}{found.where}") for number in numbers_in(found.leaves))

    def totals(self, path: str) -> Iterator[Valued]:
        """Yield what an operand adds up to in each call that has it; each number stated in a text stands alone."""
        if path in TEXTS or path.startswith(f"{STATED}("):
            yield from self.numbers(path)
            return
        for found in self.found(path):
            if numbers := numbers_in(found.leaves):
                yield Valued(sum(numbers, Decimal(0)), f"{path}{found.where}")

    def counts(self, path: str) -> Iterator[Valued]:
        """Yield how many leaves an operand has in each call that has it."""
        yield from (Valued(Decimal(len(found.leaves)), f"count of {path}{found.where}") for found in self.found(path))

    def days(self, path: str) -> Iterator[date]:
        """Yield the days of an operand."""
        if path == "now":
            yield from () if self.now is None else (self.now,)
        elif path in TEXTS:
            yield from (day for text in self.texts(path) for said in sorted(text.days, key=_in_order) for day in _calendar(said, self.now))
        else:
            leaves = (leaf for found in self.found(path) for leaf in found.leaves if isinstance(leaf, str))
            yield from (day for leaf in leaves if (day := tokens.day_of(leaf[:10].lower())) is not None)


@lru_cache(maxsize=4096)
def parsed(path: str) -> tuple[str, bool, tuple[Token, ...]]:
    """Return the tool of an operand, whether it is an argument, and its path; an empty tool: it is a text.

    Args:
        path: The operand.

    Raises:
        SuiteError: It is none.
    """
    if path in TEXTS:
        return "", False, ()
    match = _PATH.fullmatch(path)
    if match is None or (match["tool"] in (THIS, STATED) and not match["argument"]):
        raise SuiteError(f"the operand {path!r} is none of now, input, user, document, TOOL.path, TOOL(argument)")
    if match["tool"] == STATED:
        return STATED, True, (match["argument"],)
    try:
        return match["tool"], match["argument"] is not None, parse_path(match["argument"] or match["path"])
    except ValueError as error:
        raise SuiteError(f"the operand {path!r}: {error}") from error


def check_operand(path: str, argument: str, tools: Mapping[str, frozenset[str] | None]) -> None:
    """Refuse an operand that nothing can be.

    Args:
        path: The operand.
        argument: Name of the argument that is derived by it: a value is no source of itself.
        tools: Tool → names of its arguments, `None` when they are not known.

    Raises:
        SuiteError: It cannot be read, names no tool of this world, or is the derived argument.
    """
    tool, _, path_tokens = parsed(path)
    if tool == THIS and path_tokens[0] == argument:
        raise SuiteError(f"the operand {path!r} is the argument that it should give")
    named = str(path_tokens[0]) if tool == STATED else tool
    if tools and named and named not in tools and tool != THIS:
        raise SuiteError(f"the operand {path!r} names no tool of this world", nearest=nearest(named, tools))


def numbers_in(leaves: Iterable[object]) -> list[Decimal]:
    """Return the numbers among leaves."""
    return [number for leaf in leaves if (number := decimal_of(leaf)) is not None]


def decimal_of(value: object) -> Decimal | None:
    """Return a value as an exact number; `None`: it is none."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    written = tokens.number(value.strip().lower()) if isinstance(value, str) else tokens.number_of(value)
    return None if written is None else Decimal(written)


def _stated(view: CallView) -> Iterator[Decimal]:
    """Yield the numbers in the words of an answer, without those that the call itself had put in: "311, but 299 was paid"."""
    failure, text = view.call.failure, view.call.observation
    words = failure.message if failure else bytes(text).decode("utf-8", "replace") if text is not UNSET else ""
    stated = [Decimal(one.value) for one in tokens.amounts(tokens.caseless(words))]
    own = _put_in(view.proposed) if stated else ()
    yield from (number for number in stated if number not in own)


def _put_in(proposed: object) -> set[Decimal]:
    """Return the numbers in arguments, and what the numbers at one place of all elements of a list add up to."""
    sums: dict[tuple[str, ...], Decimal] = {}
    found: set[Decimal] = set()
    pending: list[tuple[tuple[str, ...], object]] = [((), proposed)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, dict):
            pending.extend(((*path, str(key)), value) for key, value in node.items())
        elif isinstance(node, list):
            pending.extend(((*path, ANY_ELEMENT), value) for value in node)
        elif (number := decimal_of(node)) is not None:
            found.add(number)
            sums[path] = sums.get(path, Decimal(0)) + number
    return found.union(sums.values())


def _in_order(said: tokens.Day) -> tuple[int, int, int]:
    return said.year or 0, said.month, said.day


def _calendar(said: tokens.Day, now: date | None) -> Iterator[date]:
    years = (said.year,) if said.year else tokens.likely_years(now, said.month, said.day) if now else ()
    for year in sorted(years):
        try:
            yield date(year, said.month, said.day)
        except ValueError:
            continue


def day_from(now: str) -> date | None:
    """Return the day of the world's clock, `None` when it cannot be read."""
    try:
        return date.fromisoformat(now[:10])
    except ValueError:
        return None

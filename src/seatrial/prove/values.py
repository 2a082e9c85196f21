"""Values next to a right one: another record's key, one more, another choice, a made-up one, the same in another spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

import msgspec

from seatrial.agents import resolved_schema
from seatrial.base.normal_forms import BUILT_IN
from seatrial.prove.leaves import Place, in_words, leaves, with_leaf
from seatrial.prove.path import Path, edited, with_arguments
from seatrial.prove.subject import PlacedCall, Subject
from seatrial.records.contract import ToolSpec
from seatrial.world.matching import matches

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PARTS = re.compile(r"[A-Za-z0-9]")


class Argument(NamedTuple):
    """One scalar of a call's arguments."""

    call: PlacedCall
    place: Place
    """Where it stands within the arguments."""
    value: object
    schema: Mapping[str, object]
    """What the tool's schema says of it; empty: nothing."""

    @property
    def name(self) -> str:
        """Call and argument: `route.queue`."""
        return f"{self.call.label}.{in_words(self.place)}"

    def changed(self, new: object) -> str:
        """Return the name of a change to a new value: `route.queue=water_high`."""
        text = new if isinstance(new, str) else msgspec.json.encode(new).decode()
        return f"{self.name}={text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}"


_LONGEST = 60


def arguments(subject: Subject) -> Iterator[Argument]:
    """Yield every scalar argument of every call whose value means something: those declared free are left out.

    Args:
        subject: The way.
    """
    for call in subject.calls:
        tool = subject.tools.get(subject.name(call.step.call))
        for place, value in leaves(call.arguments):
            if place and value is not None and not (tool and place[0] in tool.free):
                yield Argument(call, place, value, schema_of(tool, place))


def path_with(subject: Subject, argument: Argument, new: object) -> Path:
    """Return the subject's path with one argument replaced."""
    call = argument.call
    step = with_arguments(call.step, with_leaf(call.arguments, argument.place, new))
    return edited(subject.path, call.at, call.position, (step,))


def allowed(argument: Argument, new: object) -> str:
    """Return why the contract admits another value of an argument in so many words; empty: it does not."""
    required = argument.call.required
    if required is None or not isinstance(required.with_, msgspec.Raw):
        return ""
    expected = msgspec.json.decode(required.with_)
    for part in argument.place:
        if (isinstance(expected, dict) and part in expected) or (
            isinstance(expected, list) and isinstance(part, int) and part < len(expected)
        ):
            expected = expected[part]  # type: ignore[index]
        if isinstance(expected, dict) and any(key in expected for key in _MATCHERS):
            return f"{required.id} admits it: {argument.name} is {msgspec.json.encode(expected).decode()}" if matches(expected, new) else ""
    return ""


_MATCHERS = ("$any", "$one_of", "$regex", "$range")


def closing(argument: Argument) -> str:
    """Return the line of the contract that pins an argument down."""
    call, right = argument.call, msgspec.json.encode(argument.value).decode()
    top = argument.place[0]
    pinned = right if len(argument.place) == 1 else msgspec.json.encode(call.arguments[str(top)]).decode()
    return f"required: [{{id: {call.label}, call: {call.step.call}, with: {{{top}: {pinned}}}}}]"


def one_more(value: object) -> object:
    """Return a number that is one more, or a date that is one day later; `None`: it is neither."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value + 1
    if isinstance(value, str) and _ISO_DATE.fullmatch(value):
        try:
            return (date.fromisoformat(value) + timedelta(days=1)).isoformat()
        except (ValueError, OverflowError):
            return None
    return None


def other_key(value: object, keys: Mapping[str, Sequence[str]]) -> object:
    """Return the key of another record of the collection that a value is a key of; `None`: it is none, or there is no other."""
    for known in keys.values():
        if str(value) in known and not isinstance(value, bool | float):
            place = known.index(str(value))
            other = known[(place + 1) % len(known)]
            return None if other == str(value) else _like(value, other)
    return None


def _like(value: object, other: str) -> object:
    if isinstance(value, str):
        return other
    return int(other) if other.lstrip("-").isdigit() else None


def other_choice(value: object, schema: Mapping[str, object]) -> object:
    """Return the choice that stands after a value in its schema, or the opposite of a flag; `None`: there is no choice."""
    if isinstance(value, bool):
        return not value
    choices = schema.get("enum")
    if not isinstance(choices, list) or value not in choices or len(choices) < 2:
        return None
    return choices[(choices.index(value) + 1) % len(choices)]


def invented(value: object, known: Iterable[str]) -> object:
    """Return a text of the same form that stands nowhere in what is known; `None`: it is no text that can be made up."""
    if not isinstance(value, str) or _ISO_DATE.fullmatch(value) or not _PARTS.search(value):
        return None
    seen, made = list(known), value
    for turn in range(1, 10):
        made = _PARTS.sub(lambda part, turn=turn: _turned(part[0], turn), value)
        if made != value and not any(made in text for text in seen):
            return made
    return None


def _turned(character: str, turn: int) -> str:
    if character.isdigit():
        return str((int(character) + 3 * turn + 4) % 10)
    first = ord("a") if character.islower() else ord("A")
    return chr(first + (ord(character) - first + 7 * turn) % 26)


def spellings(value: object, normaliser: str) -> tuple[object, ...]:
    """Return other spellings of a value that its normaliser makes one with it.

    Args:
        value: The value.
        normaliser: Name of its normaliser; empty: it has none, and only a number is spelled in another way.
    """
    if normaliser not in BUILT_IN:
        return _number_spellings(value) if not normaliser else ()
    right = _form(normaliser, value)
    made = (each for each in _SPELLINGS.get(normaliser, _no_spellings)(value) if each != value)
    return tuple(dict.fromkeys(each for each in made if right is not None and _form(normaliser, each) == right))


def _form(normaliser: str, value: object) -> object:
    try:
        return BUILT_IN[normaliser](value)
    except ValueError:
        return None


def _number_spellings(value: object) -> tuple[object, ...]:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= 2**53:
        return ()
    return (float(value),) if isinstance(value, int) else (int(value),) if value.is_integer() else ()


def _no_spellings(_: object) -> tuple[object, ...]:
    return ()


def _texts(value: object) -> Iterator[object]:
    if isinstance(value, str):
        yield from (value.lower(), value.upper(), value.replace("-", ""), value.replace("-", " "), f" {value} ", value.replace(" ", "  "))


def _dates(value: object) -> Iterator[object]:
    day = _form("date", value)
    if isinstance(day, str):
        moment = date.fromisoformat(day)
        yield from (day, day.replace("-", ""), day.replace("-", "/"), f"{moment.day} {moment:%B %Y}")


def _amounts(value: object) -> Iterator[object]:
    amount = _form("money", value)
    if isinstance(amount, str):
        whole = "." not in amount
        yield from (amount, f"{amount}.00" if whole else amount, int(amount) if whole else float(amount))


def _phones(value: object) -> Iterator[object]:
    yield from (str(value).replace(" ", ""), str(value).replace(" ", "-"), str(value).replace("-", " "))


def _moments(value: object) -> Iterator[object]:
    moment = _form("datetime", value)
    if isinstance(moment, str):
        yield from (moment, moment.replace("Z", "+00:00"), moment.replace("T", " "))


def _json_texts(value: object) -> Iterator[object]:
    yield msgspec.json.encode(value).decode() if not isinstance(value, str) else f" {value} "


_SPELLINGS = {
    "identifier": _texts,
    "text": _texts,
    "date": _dates,
    "date_dmy": _dates,
    "date_mdy": _dates,
    "datetime": _moments,
    "money": _amounts,
    "phone": _phones,
    "json": _json_texts,
}


def schema_of(tool: ToolSpec | None, place: Place) -> Mapping[str, object]:
    """Return what a tool's schema says of a value; empty: nothing.

    Args:
        tool: The tool; `None`: not known.
        place: Where the value stands within its arguments.
    """
    root: Mapping[str, Any] = msgspec.json.decode(tool.parameters) if tool else {}
    found: Mapping[str, Any] = root
    for part in place:
        found = resolved_schema(found, root)
        inner = found.get("items") if isinstance(part, int) else (found.get("properties") or {}).get(part)
        if not isinstance(inner, dict):
            return {}
        found = inner
    return resolved_schema(found, root)

"""Tools from typed functions: what an agent is told of them, and what is refused with file and line."""

from typing import Annotated, Literal, TypedDict

import msgspec
import pytest

from seatrial import Database, tool
from seatrial.base.errors import SuiteError
from tests.world.builders import policy_lookup


class Money(TypedDict):
    amount: float
    currency: str


@tool(effect="write", name="pay_out", normalise={"to": "identifier"}, confusable=["refund"], free=["note"], transient=[409], escalates=True)
def pay(
    state: Database,
    to: str,
    money: Money,
    kind: Literal["full", "part"] = "full",
    tags: list[str] = [],  # noqa: B006 - that a mutable default is safe is what is tested
    note: str | None = None,
) -> bool:
    """Pay somebody.

    The money leaves at once.

    Args:
        to: Who gets it.
        money (Money): How much,
            in which currency.

    Returns:
        Whether it worked.
    """
    tags.append("seen")
    return bool(to and money and kind and note and state)


def test_the_schema_comes_from_signature_and_docstring():
    """Types, defaults, choices, descriptions: all that the agent is told; injected parameters are no arguments."""
    schema = msgspec.json.decode(pay.spec.parameters)
    assert list(schema["properties"]) == ["kind", "money", "note", "tags", "to"]
    assert schema["required"] == ["to", "money"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["to"] == {"type": "string", "description": "Who gets it."}
    assert schema["properties"]["money"]["description"] == "How much, in which currency."
    assert schema["properties"]["kind"] == {"enum": ["full", "part"], "default": "full"}
    assert msgspec.json.decode(pay.spec.defaults) == {"kind": "full", "note": None, "tags": []}
    assert msgspec.json.decode(pay.spec.returns) == {"type": "boolean"}
    assert pay.spec.description == "Pay somebody.\n\nThe money leaves at once."


def test_declarations_are_kept():
    """Effect, name, normalisers, confusable tools, free arguments, transient statuses, escalation."""
    spec = pay.spec
    assert (spec.name, spec.effect, spec.normalisers, spec.confusable) == ("pay_out", "write", {"to": "identifier"}, ("refund",))
    assert (spec.free, spec.transient_statuses, spec.escalates) == (("note",), (409,), True)


def test_arguments_are_decoded_into_their_own_copy():
    """Defaults are filled, and a mutable default is new for every call."""
    first = pay.decode(b'{"to": "a", "money": {"amount": 1, "currency": "EUR"}}')
    first.tags.append("mine")
    second = pay.decode(b'{"to": "a", "money": {"amount": 1, "currency": "EUR"}}')
    assert second.tags == []
    assert second.kind == "full"


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b'{"to": 1, "money": {}}',
        b'{"to": "a", "money": {"amount": 1}}',
        b'{"to": "a", "money": {"amount": 1, "currency": "E"}, "x": 1}',
    ],
)
def test_arguments_that_do_not_fit_are_refused(text):
    """Missing, unknown and mistyped arguments are told apart in words."""
    with pytest.raises(msgspec.ValidationError):
        pay.decode(text)


def test_a_tool_stays_a_function():
    """Other functions of the same file may call it."""
    assert policy_lookup.spec.description == "Look up one policy by its exact number."
    assert pay(None, "a", {"amount": 1, "currency": "E"}, "full", [], "x") is False


def test_constraints_of_an_annotation_are_checked():
    """`Annotated` with `msgspec.Meta` narrows an argument, in the schema and in the check."""

    @tool(effect="read")
    def few(count: Annotated[int, msgspec.Meta(ge=1, le=9)]) -> None:
        """Few."""

    assert msgspec.json.decode(few.spec.parameters)["properties"]["count"]["maximum"] == 9
    with pytest.raises(msgspec.ValidationError):
        few.decode(b'{"count": 10}')


def no_docstring(x: str):
    return x


def no_type(x):
    """Say."""
    return x


def star(*x: str):
    """Say."""
    return x


def stars(**x: str):
    """Say."""
    return x


def by_place(x: str, /):
    """Say."""
    return x


async def asynchronous(x: str):
    """Say."""
    return x


def generator(x: str):
    """Say."""
    yield x


def unreadable(x: "NoSuchType"):  # noqa: F821
    """Say."""
    return x


def no_json(x: type):
    """Say."""
    return x


def fine(x: str):
    """Say."""
    return x


@pytest.mark.parametrize(
    ("function", "declared", "message"),
    [
        (no_docstring, {}, "docstring"),
        (no_type, {}, "'x' has no type"),
        (star, {}, "x.*name every argument"),
        (stars, {}, "x.*name every argument"),
        (by_place, {}, "name every argument"),
        (asynchronous, {}, "plain function"),
        (generator, {}, "plain function"),
        (unreadable, {}, "NoSuchType"),
        (no_json, {}, "JSON lacks"),
        (fine, {"effect": "reads"}, "'reads' is none of read, write, external"),
        (fine, {"normalise": {"y": "date"}}, "normalise names the argument 'y'"),
        (fine, {"free": ["y"]}, "free names the argument 'y'"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_no_tool_is_refused_with_its_place(function, declared, message):
    """The error names the function, the file and the line, and says what to write."""
    with pytest.raises(SuiteError, match=message) as refused:
        tool(**{"effect": "read", **declared})(function)
    assert refused.value.file == __file__
    assert refused.value.line == function.__code__.co_firstlineno
    assert function.__name__ in str(refused.value)

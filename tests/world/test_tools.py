"""Tools from typed functions: what an agent is told of them, and what is refused with file and line."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import cache, partial
from typing import Annotated, Any, Literal, TypedDict

import msgspec
import pytest

from seatrial import Database, invariant, normaliser, probe, tool
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


def defaulted(x: int = "wrong"):
    """Say."""
    return x


def implicit(x: int = None):  # noqa: RUF013 - what is tested
    """Say."""
    return x


def huge(x: int = 10**30):
    """Say."""
    return x


def huge_within(x: dict = {"a": [10**30]}):  # noqa: B006
    """Say."""
    return x


def not_a_number(x: float = float("nan")):
    """Say."""
    return x


def not_a_number_or_none(x: float | None = float("nan")):
    """Say."""
    return x


def wrong_within(x: list[int] = [1, "2"]):  # noqa: B006
    """Say."""
    return x


def outside_bounds(x: Annotated[int, msgspec.Meta(ge=1)] = 0):
    """Say."""
    return x


def no_choice(x: Literal["a", "b"] = "c"):
    """Say."""
    return x


def foreign_default(x: Any = object()):  # noqa: B008
    """Say."""
    return x


def complex_number(x: complex):
    """Say."""
    return x


def callback(x: Callable[[int], int]):
    """Say."""
    return x


def iterator(x: Iterator[int]):
    """Say."""
    return x


def iterable_within(x: dict[str, list[Iterable[int]]]):
    """Say."""
    return x


def keyed(x: dict[complex, str]):
    """Say."""
    return x


def anything(x: object):
    """Say."""
    return x


def either(x: str | complex):
    """Say."""
    return x


def answers(x: str) -> Iterator[str]:
    """Say."""
    return iter(x)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (defaulted, "default 'wrong' of the argument 'x'.*`int`"),
        (implicit, "default None of the argument 'x'"),
        (huge, "argument 'x'.*64 bits"),
        (huge_within, "argument 'x'.*64 bits"),
        (not_a_number, "default nan of the argument 'x'.*NaN"),
        (not_a_number_or_none, "default nan of the argument 'x'.*NaN"),
        (wrong_within, "argument 'x'.*`int`"),
        (outside_bounds, "default 0 of the argument 'x'.*>= 1"),
        (no_choice, "default 'c' of the argument 'x'"),
        (foreign_default, "argument 'x'.*no JSON data"),
        (complex_number, "argument 'x'.*complex"),
        (callback, "argument 'x'.*Callable"),
        (iterator, "argument 'x'.*Iterator"),
        (iterable_within, "argument 'x'.*Iterable"),
        (keyed, "argument 'x'.*complex"),
        (anything, "argument 'x'.*write `Any`"),
        (either, "argument 'x'.*custom type"),
        (answers, "return type.*Iterator"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_types_and_defaults_that_no_agent_could_send_are_refused(function, message):
    """A default would be filled in unseen, and a type without JSON would refuse every call: the argument is named."""
    with pytest.raises(SuiteError, match=message) as refused:
        tool(effect="read")(function)
    assert (refused.value.file, refused.value.line) == (__file__, function.__code__.co_firstlineno)


def test_defaults_of_every_kind_that_fits_are_kept():
    """Dates, choices, nothing where it is allowed, lists, sets in one order, and integers of 64 bits."""

    @tool(effect="read")
    def many(
        day: date = date(2026, 5, 4),
        kind: Literal["a", "b"] = "a",
        note: str | None = None,
        marks: frozenset[str] = frozenset({"y", "x"}),
        least: int = -(2**63),
        loose: Any = {"a": [1.5, None]},  # noqa: B006
        share: float = 1,
        raw: bytes = b"x",
    ) -> None:
        """Many."""

    assert msgspec.json.decode(many.spec.defaults) == {
        "day": "2026-05-04", "kind": "a", "note": None, "marks": ["x", "y"], "least": -(2**63), "loose": {"a": [1.5, None]}, "share": 1,
        "raw": "eA==",
    }  # fmt: skip
    assert many.decode(b"{}").day == date(2026, 5, 4)


WRONG = [
    ({"effect": "reed"}, "'reed' is none of read, write, external.*Did you mean 'read'"),
    ({"effect": ["read"]}, "none of read"),
    ({"effect": None}, "none of read"),
    ({"normalise": ["x"]}, "expected argument and normaliser"),
    ({"normalise": {"x": 5}}, "expected argument and normaliser"),
    ({"normalise": {"xs": "text"}}, "'xs'.*Did you mean 'x'"),
    ({"free": "x"}, "expected a list of names"),
    ({"free": 5}, "expected a list of names"),
    ({"free": [5]}, "expected a list of names"),
    ({"free": ["xx"]}, "'xx'.*Did you mean 'x'"),
    ({"confusable": "other"}, "expected a list of names"),
    ({"confusable": [None]}, "expected a list of names"),
    ({"transient": ["409"]}, "transient holds '409'"),
    ({"transient": "409"}, "expected a list of statuses"),
    ({"transient": [99999]}, "transient holds 99999"),
    ({"transient": [True]}, "transient holds True"),
    ({"transient": [409.0]}, "transient holds 409.0"),
    ({"transient": 409}, "expected a list of statuses"),
    ({"transient": None}, "expected a list of statuses"),
    ({"escalates": 5}, "escalates=5: expected True or False"),
    ({"escalates": None}, "expected True or False"),
    ({"name": 5}, "name=5"),
    ({"name": "two words"}, "without spaces"),
    ({"name": "x" * 300}, "up to 200 characters"),
    ({"name": "a\x00"}, "is no name"),
]


@pytest.mark.parametrize(("declared", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_declaration_is_refused_where_it_stands(declared, message):
    """Every keyword is checked for its type and its words: a wrong one would only be missed, never met."""
    with pytest.raises(SuiteError, match=message) as refused:
        tool(**{"effect": "read", **declared})(fine)
    assert (refused.value.file, refused.value.line) == (__file__, fine.__code__.co_firstlineno)


DECORATORS = {"tool": tool(effect="read"), "probe": probe, "normaliser": normaliser("n"), "invariant": invariant("i")}


class Callee:
    def __call__(self, x: str):
        """Say."""


@pytest.mark.parametrize(
    "what", [5, None, "x", Callee, Callee(), partial(fine, x="a"), len, policy_lookup], ids=lambda value: type(value).__name__
)
@pytest.mark.parametrize("decorator", DECORATORS.values(), ids=DECORATORS)
def test_only_functions_are_decorated(decorator, what):
    """Anything else under a decorator is an error that says what belongs there."""
    with pytest.raises(SuiteError, match=r"stands above a `def`, not above a"):
        decorator(what)


async def generates(x: str):
    """Say."""
    yield x


@pytest.mark.parametrize("decorator", DECORATORS.values(), ids=DECORATORS)
@pytest.mark.parametrize("function", [asynchronous, generator, generates])
def test_only_plain_functions_are_decorated(decorator, function):
    """Nobody awaits them."""
    with pytest.raises(SuiteError, match="not async, not a generator"):
        decorator(function)


def test_functions_that_are_wrapped_are_functions():
    """A cache or another decorator may stand between, and methods may be bound."""

    @tool(effect="read")
    @cache
    def cached(x: "str") -> str:
        """Say."""
        return x

    assert cached("a") == "a"
    assert msgspec.json.decode(cached.spec.parameters)["properties"] == {"x": {"type": "string"}}


@pytest.mark.parametrize(
    ("decorate", "message"),
    [
        (lambda: normaliser(5)(fine), "@normaliser is given 5"),
        (lambda: normaliser("")(fine), "no name"),
        (lambda: invariant("two words")(fine), "without spaces"),
        (lambda: normaliser("n")(lambda: 1), "called with one value"),
        (lambda: invariant("n")(lambda: 1), "called with one value"),
    ],
)
def test_plug_ins_have_a_name_and_take_a_value(decorate, message):
    """A normaliser that cannot be called would never normalise, without a word."""
    with pytest.raises(SuiteError, match=message):
        decorate()

"""What a suite's `world.py` is written with: `@tool`, `@probe`, `@normaliser`, `@invariant`.

A decorated function stays callable. Nothing is registered anywhere: `world.definition` collects them from the module.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import msgspec
from msgspec import Raw

from seatrial.records.contract import ToolSpec
from seatrial.records.trace import Effect
from seatrial.world import declarations
from seatrial.world.signature import INJECTED, check_function, read_signature, wrong

EFFECTS: tuple[Effect, ...] = get_args(Effect)


class Tool:
    """A function that an agent may call.

    Args:
        function: The function.
        spec: What is known of it.
    """

    def __init__(self, function: Callable[..., object], spec: ToolSpec) -> None:
        signature = read_signature(function)
        self.function, self.spec, self.name = function, spec, spec.name
        self.injected = signature.injected
        self.argument_names = signature.arguments.__struct_fields__
        self._arguments = msgspec.json.Decoder(signature.arguments)
        self._answer = msgspec.json.Decoder(signature.answer) if signature.answer is not None else None
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__

    def __call__(self, *positional: object, **named: object) -> object:
        """Call the plain function, as other functions of the same file may."""
        return self.function(*positional, **named)

    def __repr__(self) -> str:
        return f"<Tool {self.name} ({self.spec.effect})>"

    def decode(self, arguments: bytes | Raw) -> msgspec.Struct:
        """Return the arguments as the struct that the function's signature asks for.

        Args:
            arguments: A JSON object.

        Returns:
            A struct of its own, shared with nobody; defaults are filled.

        Raises:
            msgspec.ValidationError: An argument is missing, unknown or of another type.
        """
        return self._arguments.decode(arguments)

    def fits(self, answer: bytes) -> bool | None:
        """Tell whether an answer fits the declared return type; `None`: no type is declared."""
        if self._answer is None:
            return None
        try:
            self._answer.decode(answer)
        except msgspec.ValidationError:
            return False
        return True


@dataclass(frozen=True)
class Look:
    """A probe: a function that looks at the world when the trial is over."""

    name: str
    function: Callable[..., object]
    injected: tuple[str, ...]

    def __call__(self, *positional: object, **named: object) -> object:
        """Call the plain function."""
        return self.function(*positional, **named)


@dataclass(frozen=True)
class Normaliser:
    """A suite's own normaliser: brings an argument's value to the form that is compared."""

    name: str
    function: Callable[[object], object]

    def __call__(self, value: object) -> object:
        """Return the normal form of a value."""
        return self.function(value)


@dataclass(frozen=True)
class Invariant:
    """A suite's own invariant: a rule over a whole trace."""

    name: str
    function: Callable[..., object]

    def __post_init__(self) -> None:
        """Take the rule's docstring: it is the reason when there are no breaches."""
        object.__setattr__(self, "__doc__", self.function.__doc__)

    def __call__(self, *positional: object, **named: object) -> object:
        """Call the plain function."""
        return self.function(*positional, **named)


def tool(
    *,
    effect: Effect,
    name: str = "",
    normalise: Mapping[str, str] | None = None,
    confusable: Sequence[str] = (),
    free: Sequence[str] = (),
    transient: Sequence[int] = (),
    escalates: bool = False,
) -> Callable[[Callable[..., object]], Tool]:
    """Make a typed function a tool.

    The arguments' JSON Schema comes from the annotations and from the docstring's `Args:`. Parameters named `state`, `user`,
    `clock` and `caller` are filled in by the world and are no arguments.

    Args:
        effect: `read` (looks), `write` (changes the world) or `external` (reaches outside of it: lands in the outbox).
        name: Name that the agent sees; empty: the function's.
        normalise: Argument → normaliser that brings its values to the form that is compared.
        confusable: Tools that are easy to mistake for this one.
        free: Arguments whose value needs no source, for example search text.
        transient: Further statuses of its errors that trying again can help.
        escalates: Whether a success hands the case to a person.

    Returns:
        The decorator.

    Raises:
        SuiteError: The function has no docstring or an argument without a type, or a declaration names what it lacks.
    """

    def decorate(function: Callable[..., object]) -> Tool:
        signature = read_signature(function)
        known = signature.arguments.__struct_fields__
        return Tool(
            function,
            ToolSpec(
                name=declarations.tool_name(function, name),
                effect=declarations.one_of(function, "effect", effect, EFFECTS),
                description=signature.description,
                parameters=signature.parameters,
                returns=signature.returns,
                defaults=signature.defaults,
                normalisers=declarations.normalisers(function, normalise, known),
                confusable=declarations.texts(function, "confusable", confusable),
                transient_statuses=declarations.statuses(function, "transient", transient),
                free=declarations.arguments(function, "free", free, known),
                escalates=declarations.flag(function, "escalates", escalates),
            ),
        )

    return decorate


def probe(function: Callable[..., object]) -> Look:
    """Make a function a probe: a look at the world that is recorded when the trial is over.

    Args:
        function: Takes any of `state`, `clock`, `caller`, and returns JSON data.

    Returns:
        The probe, named as the function.

    Raises:
        SuiteError: It asks for something else.
    """
    check_function(function, "probe")
    injected = tuple(inspect.signature(function).parameters)
    strange = [name for name in injected if name not in INJECTED or name == "user"]
    if strange:
        raise wrong(function, f"a probe takes state, clock and caller, not {strange[0]!r}")
    return Look(function.__name__, function, injected)


def normaliser(name: str) -> Callable[[Callable[[object], object]], Normaliser]:
    """Make a function of one value a normaliser of this name."""
    return lambda function: Normaliser(declarations.plug_in_name(function, "normaliser", name), function)


def invariant(name: str) -> Callable[[Callable[..., object]], Invariant]:
    """Make a function over a whole trace an invariant of this name."""
    return lambda function: Invariant(declarations.plug_in_name(function, "invariant", name), function)

"""State: what the world is made of, as a Protocol. Every kind of state yields the same record: a list of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Raw

from seatrial.base.clock import Clock
from seatrial.records.trace import Change, Effect
from seatrial.suite.fixtures import FixtureData


class State(Protocol):
    """The state of one trial."""

    changes_unknown: str
    """Why the end state is not known; empty: `changes()` is complete."""

    @property
    def handle(self) -> object:
        """What tools are given as `state`."""
        ...

    def begin(self, effect: Effect) -> None:
        """Open a call: what it writes can be kept or undone as a whole."""
        ...

    def keep(self) -> tuple[Change, ...]:
        """Close the call, keep what it wrote, and return the changes it made.

        Raises:
            WorldError: A tool that is declared to read has written; nothing is kept.
        """
        ...

    def undo(self) -> None:
        """Close the call and undo what it wrote."""
        ...

    def release(self, answer: object) -> object:
        """Return an answer of a tool in a form that can be encoded as JSON."""
        ...

    def changes(self) -> tuple[Change, ...]:
        """Return the net changes since the trial began, sorted by path."""
        ...

    def close(self) -> None:
        """Let go of everything the trial holds."""
        ...


class PreparedState(Protocol):
    """The initial state of one task: fixture and task layer, built once."""

    def open(self, *, clock: Clock, seed: int) -> State:
        """Return a fresh state at the cost of what a trial touches, not of what the fixture holds."""
        ...


class StateDefinition(Protocol):
    """A suite's `STATE`: which kind of state, and its schema."""

    warnings: tuple[str, ...]
    """What a suite's author should know of the schema."""

    @property
    def collections(self) -> frozenset[str] | None:
        """Names of the collections; `None`: whatever the fixture holds."""
        ...

    @property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Collection → fields of its key; a collection that is absent has a key that is not known."""
        ...

    @property
    def source(self) -> str:
        """What decides the kind and shape of the state, for the world's hash."""
        ...

    def prepare(self, fixture: FixtureData, rows: Mapping[str, Sequence[Raw]]) -> PreparedState:
        """Return the initial state of a task.

        Args:
            fixture: The fixture's content.
            rows: Collection → records (JSON objects) laid over it; a record replaces the fixture's of the same key.

        Raises:
            SuiteError: A record breaks the schema.
        """
        ...

"""The world of a task, prepared once, and the world of one trial, opened from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from seatrial.base.clock import VirtualClock
from seatrial.base.errors import WorldError
from seatrial.records.task import Task
from seatrial.world.answers import UnfitAnswerError
from seatrial.world.calls import broken
from seatrial.world.history import WatchedState
from seatrial.world.ledger import Ledger
from seatrial.world.state import PreparedState, State
from seatrial.world.tools import Look, Normaliser, Tool


@dataclass(frozen=True)
class TaskWorld:
    """What the trials of one task start from: fixture, task layer, tools.

    Args:
        task: The task.
        state: The initial state.
        tools: Name → tool.
        probes: Name → probe.
        normalisers: Name → the suite's own normaliser.
        hash: Hash of the world: code, schema and fixture.
    """

    task: Task
    state: PreparedState
    tools: Mapping[str, Tool]
    probes: Mapping[str, Look]
    normalisers: Mapping[str, Normaliser]
    hash: str

    def open(self, *, seed: int, trial: int) -> World:
        """Return a fresh world for one trial.

        Args:
            seed: Seed of the trial.
            trial: Index of the trial, from 0.

        Raises:
            WorldError: The state cannot be opened.
        """
        clock = VirtualClock(self.task.now)
        return World(self, clock, _guarded(lambda: self.state.open(clock=clock, seed=seed)), seed, trial)


class World:
    """The world of one trial.

    Args:
        origin: What it was opened from.
        clock: The trial's virtual clock.
        state: The trial's own state.
        seed: Seed of the trial.
        trial: Index of the trial, from 0.
    """

    def __init__(self, origin: TaskWorld, clock: VirtualClock, state: State, seed: int, trial: int) -> None:
        self.origin, self.clock, self.seed, self.trial = origin, clock, seed, trial
        self.state = WatchedState(state)
        self.caller = {collection: list(keys) for collection, keys in origin.task.caller.items()}

    @contextmanager
    def at_start(self) -> Iterator[WatchedState]:
        """Give the state as it was when the trial began; what is written to it is dropped."""
        earlier = WatchedState(_guarded(lambda: self.origin.state.open(clock=self.clock, seed=self.seed)))
        try:
            yield earlier
        finally:
            earlier.close()

    def inject(self, names: tuple[str, ...], state: WatchedState, *, user: object = None) -> dict[str, object]:
        """Return the values of the parameters that the world fills in.

        Args:
            names: Names of the parameters: `state`, `clock`, `caller`, `user`.
            state: The state to hand out.
            user: The channel to the user; `None`: there is none.
        """
        given: dict[str, object] = {}
        for name in names:
            match name:
                case "state":
                    given[name] = state.handle
                case "clock":
                    given[name] = self.clock
                case "caller":
                    given[name] = {collection: list(keys) for collection, keys in self.caller.items()}
                case _:
                    given[name] = user
        return given

    def probe(self, name: str) -> object:
        """Look at the world.

        Args:
            name: Name of a probe of the suite.

        Returns:
            What the probe returned.

        Raises:
            WorldError: There is no such probe, or it raised.
        """
        look = self.origin.probes.get(name)
        if look is None:
            raise WorldError(f"the world has no probe {name!r}; it has {', '.join(self.origin.probes) or 'none'}")
        self.state.begin("read")
        try:
            answer = self.state.release(look.function(**self.inject(look.injected, self.state)))
        except BaseException as error:
            self.state.undo()
            raise broken(error, f"the probe {name!r} raised") from error
        self.state.keep()
        return answer

    def close(self) -> None:
        """Let go of everything the trial holds."""
        self.state.close()


def take_probes(world: World, ledger: Ledger, task: Task) -> None:
    """Take the probes that a task's contract asks for and record them, at the end of a trial.

    Args:
        world: The trial's world.
        ledger: The trial's record.
        task: The task.
    """
    for name in declared_probes(task):
        try:
            ledger.probe(name, world.probe(name))
        except (WorldError, UnfitAnswerError) as error:
            ledger.probe(name, error=str(error))


def declared_probes(task: Task) -> tuple[str, ...]:
    """Return the names of the probes that a task's contract asks for, sorted."""
    return tuple(sorted({name for way in task.contract.ways if way.outcome for name in way.outcome.probes}))


def _guarded(opening: Callable[[], State]) -> State:
    try:
        return opening()
    except BaseException as error:
        raise broken(error, "the world cannot be opened:") from error

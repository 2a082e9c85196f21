"""One run of a tool: in a transaction of its own, on its own copy of the arguments, and whatever it raises is an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Raw

from seatrial.base.errors import InfrastructureError, SeatrialError, SimulatorError, WorldError
from seatrial.world.answers import UnfitAnswerError, encoded
from seatrial.world.calls import Answer, ToolError, TrialStopped, described, failure, failure_of
from seatrial.world.history import WatchedState
from seatrial.world.prepared import World
from seatrial.world.talk import UserChannel
from seatrial.world.tools import Tool


class ToolRun:
    """One call about to run.

    Args:
        world: The trial's world.
        tool: The tool.
        arguments: The call's own copy of its arguments, defaults filled.
        executed: The same as canonical JSON.
        channel: The user as the tool sees it.
        own_draw: The call's own draw in [0, 1).
    """

    def __init__(
        self, world: World, tool: Tool, arguments: msgspec.Struct, executed: Raw, *, channel: UserChannel, own_draw: float = 0.0
    ) -> None:
        self._world, self._tool, self._arguments, self._executed = world, tool, arguments, executed
        self._channel, self._own_draw = channel, own_draw
        self.transient_statuses: Sequence[int] = tool.spec.transient_statuses

    def run(self) -> Answer:
        """Run the tool on the world and keep what it writes; when it raises, what it wrote is undone."""
        return self._run_on(self._world.state)

    def run_at_start(self) -> Answer:
        """Run the tool on the world as it was when the trial began; what it writes is dropped."""
        with self._world.at_start() as earlier:
            return self._run_on(earlier)

    def draw(self) -> float:
        """Return the call's own draw in [0, 1): the same for every candidate."""
        return self._own_draw

    def _run_on(self, state: WatchedState) -> Answer:
        tool = self._tool
        state.begin(tool.spec.effect)
        try:
            answer = encoded(state.release(tool.function(**self._parameters(state))))
            sent = ((tool.name, self._executed),) if tool.spec.effect == "external" else ()
            changes = state.keep(*sent)
        except BaseException as error:  # noqa: BLE001 - whatever was raised, nothing of it may stay written
            state.undo()
            return self._failed(error)
        return Answer(Raw(answer), ran=True, result=self._result(answer), changes=changes)

    def _parameters(self, state: WatchedState) -> dict[str, object]:
        arguments = self._arguments
        given = {name: getattr(arguments, name) for name in self._tool.argument_names}
        given.update(self._world.inject(self._tool.injected, state, user=self._channel))
        return given

    def _result(self, answer: bytes) -> Literal["valid", "invalid", "no_schema"]:
        fits = self._tool.fits(answer)
        return "no_schema" if fits is None else "valid" if fits else "invalid"

    def _failed(self, error: BaseException) -> Answer:
        """Return the answer of a tool that raised; what ends the trial goes on its way, under the tool's name."""
        match error:
            case ToolError():
                return Answer(failure=failure_of(error, declared=self._tool.spec.transient_statuses), ran=True)
            case UnfitAnswerError():
                return Answer(failure=failure("result_invalid", f"the tool's answer is unusable: {error}"), ran=True, result="invalid")
            case WorldError():
                raise WorldError(f"{self._tool.name}: {error}") from error
            case SimulatorError() | InfrastructureError() | TrialStopped():
                raise error
            case Exception() if not isinstance(error, SeatrialError):
                return Answer(failure=failure("tool_error", described(error)), ran=True)
            case _:  # nothing that an agent could answer for: neither an end of the program nor an error of the harness is a tool's
                raise WorldError(f"the tool {self._tool.name!r} raised {described(error)}") from error

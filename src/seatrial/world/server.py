"""The tool server of one trial: it takes proposed calls, executes them, and is the witness of both.

A call goes through three doors: `propose` (it gets its numbers), `execute` (permission, arguments, budget, fault, tool), and
`deliver` (the agent has the answer). `call` walks a whole message through all three.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, Raw

from seatrial.base.canonical import canonical
from seatrial.base.errors import BudgetExceeded, InfrastructureError, SimulatorError, UsageError, WorldError
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import AGENT, FiredFault, TokenUsage, Usage
from seatrial.world import arguments as reading
from seatrial.world.budget import Allowance
from seatrial.world.calls import Answer, Observation, ProposedCall, TrialStopped, broken, failure, text_of
from seatrial.world.execution import ToolRun
from seatrial.world.ledger import Ledger, OpenCall
from seatrial.world.naming import Names
from seatrial.world.normal import NormalForms
from seatrial.world.prepared import World
from seatrial.world.schedule import Due, Schedule
from seatrial.world.talk import User, UserChannel
from seatrial.world.tools import Tool

_OF_HARNESS = (WorldError, SimulatorError, InfrastructureError)


class ToolServer:
    """The tools of one trial.

    Args:
        world: The trial's world.
        task: The task: permitted tools, budget, faults.
        tools: Specifications of the tools that it offers; each must be one of the world's.
        ledger: The trial's record.
        seed: Seed of the trial: the same for every candidate.
        trial: Index of the trial, from 0.
        user: The simulated user; `None`: there is none.
    """

    def __init__(
        self, world: World, task: Task, tools: Sequence[ToolSpec], ledger: Ledger, *, seed: int, trial: int, user: User | None = None
    ) -> None:
        self._world, self._task, self._ledger, self._user = world, task, ledger, user
        self._tools = _offered(world, tools)
        self._names = Names.of(task, self._tools)
        self._normal = NormalForms.of(task, world.origin.normalisers)
        self._schedule = Schedule(task.faults, seed=seed, task=task.id, trial=trial)
        self.allowance = Allowance(task.contract.budget, world.clock)
        self._proposed: dict[int, OpenCall] = {}
        self._failed: dict[bytes, int] = {}

    def call(
        self, calls: Sequence[ProposedCall], *, actor: str = AGENT, context: str = AGENT, observed_message: bool = True
    ) -> list[Observation]:
        """Take the calls of one message: propose all, execute each in order, deliver all answers together.

        Args:
            calls: The calls of the message.
            actor: Path of the calling agent.
            context: The conversation that issues them.
            observed_message: Whether the harness saw the message that proposed them.

        Returns:
            One observation a call.

        Raises:
            BudgetExceeded: The next call would cross a ceiling; those before it are recorded as not delivered.
        """
        handles = self.propose(calls, actor=actor, context=context, observed_message=observed_message)
        observations = [self.execute(handle) for handle in handles]
        self.deliver(handles)
        return observations

    def propose(
        self,
        calls: Sequence[ProposedCall],
        *,
        actor: str = AGENT,
        context: str = AGENT,
        observed_message: bool = True,
        parent: int | None = None,
    ) -> list[int]:
        """Give the calls of one message their sequence numbers; they are concurrent.

        Args:
            calls: The calls of the message.
            actor: Path of the calling agent.
            context: The conversation that issues them.
            observed_message: Whether the harness saw the message; else each call counts as issued when it arrived.
            parent: Sequence number of the step that caused them; `None`: none did.

        Returns:
            One handle a call: its sequence number.
        """
        message = self._ledger.number() if observed_message else None
        handles: list[int] = []
        for position, call in enumerate(calls):
            number = self._ledger.number()
            self._proposed[number] = OpenCall(
                sequence=number,
                tool=reading.name_of(call.tool),
                arguments=call.arguments,
                issued_at=number if message is None else message,
                message=message,
                position=position,
                actor=actor,
                context=context,
                foreign_id=reading.name_of(call.foreign_id),
                parent=parent,
            )
            handles.append(number)
        return handles

    def execute(self, handle: int) -> Observation:
        """Execute a proposed call and return its observation, which is not delivered yet.

        Args:
            handle: What `propose` returned.

        Raises:
            BudgetExceeded: The call would cross a ceiling; it is not made.
            WorldError: The world broke: what the suite says of a tool is wrong.
            UsageError: There is no such call waiting.
        """
        call = self._proposed.pop(handle, None)
        if call is None:
            raise UsageError(f"no call {handle} waits to be executed")
        found = reading.read(call.arguments)
        call.proposed, call.raw = found.proposed, found.raw
        name = self._names.resolve(call.tool)
        tool = self._tools.get(name)
        decoded = self._decode(call, tool, found)
        identity = b"%b %b" % (name.encode(), bytes(found.proposed) if decoded is None else canonical(decoded))
        self.allowance.attempt(identity)
        self._note_retry(call, identity)
        answer = self._answer(call, tool, decoded, identity)
        return self._close(call, name, identity, answer)

    def deliver(self, handles: Sequence[int]) -> int:
        """Record that the answers of some calls reached the agent together; return the sequence number of that moment."""
        return self._ledger.deliver(list(handles))

    def model_call(
        self, model: str, *, usage: TokenUsage, usd: float | None = None, requested: str = "", actor: str = AGENT, context: str = AGENT
    ) -> int:
        """Record an exchange with a model and charge it; return its sequence number.

        Args:
            model: The model id that the provider returned.
            usage: Tokens by class.
            usd: Price in US dollars; `None`: unknown.
            requested: The model id that was asked for; empty: not known.
            actor: Path of the agent that asked.
            context: The conversation it belongs to.

        Raises:
            BudgetExceeded: It crossed a ceiling.
        """
        number = self._ledger.model_call(model, requested=requested, usage=usage, usd=usd, actor=actor, context=context)
        self.allowance.model_call(usage, usd)
        return number

    def usage(self) -> Usage:
        """Return what the trial has used so far."""
        return self.allowance.usage()

    def _decode(self, call: OpenCall, tool: Tool | None, found: reading.Arguments) -> msgspec.Struct | None:
        """Return the call's arguments as the tool's own struct; `None`, with the reason noted, when they do not fit."""
        if tool is None:
            call.validity = "unknown_tool"
            call.failure = failure("unknown_tool", f"there is no tool named {call.tool!r}")
            return None
        call.effect = tool.spec.effect
        if found.problem:
            call.validity = "invalid" if found.parsed else "unparseable"
            call.failure = failure("invalid_arguments" if found.parsed else "unparseable", found.problem)
            return None
        try:
            return tool.decode(found.proposed)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            call.validity = "invalid"
            call.failure = failure("invalid_arguments", f"the arguments of {tool.name} do not fit: {error}")
            return None

    def _answer(self, call: OpenCall, tool: Tool | None, decoded: msgspec.Struct | None, identity: bytes) -> Answer:
        if tool is None:
            return Answer(failure=call.failure)
        if self._task.tools is not None and tool.name not in self._task.tools:
            reason = f"the tool {tool.name!r} is not permitted in this task"
            self._ledger.permission(call.sequence, allowed=False, reason=reason, context=call.context)
            return Answer(failure=failure("refused", reason))
        if decoded is None:
            return Answer(failure=call.failure)
        return self._run(call, tool, decoded, identity)

    def _run(self, call: OpenCall, tool: Tool, decoded: msgspec.Struct, identity: bytes) -> Answer:
        executed = Raw(canonical(decoded))
        due = self._schedule.next(tool.name, tool.spec.effect, executed)
        channel = UserChannel(self._user, actor=call.actor, context=call.context, call=call.sequence)
        run = ToolRun(self._world, tool, decoded, executed, channel=channel, own_draw=due.draw if due else 0.0)
        try:
            answer = self._with_fault(call, due, run, identity) if due else run.run()
            if answer.ran:
                call.executed = executed
                call.normalised = self._normal.apply(tool, executed)
        except (BudgetExceeded, TrialStopped):
            raise
        except BaseException as error:
            # The trial is over; its record shows in which call, and nobody takes the world's mistake for the agent's.
            call.failure = failure("tool_error", text_of(error))
            self._ledger.executed(call, tool.name)
            raise error if isinstance(error, _OF_HARNESS) else broken(error, f"{tool.name}:") from error
        return answer

    def _with_fault(self, call: OpenCall, due: Due, run: ToolRun, identity: bytes) -> Answer:
        seconds = due.fault.seconds(due.spec)
        self.allowance.wait(seconds)
        self._world.clock.advance(seconds)
        call.seconds = seconds
        call.fault = FiredFault(due.spec.kind, due.fault.status(due.spec), seconds)
        answer = due.fault.apply(due.spec, run)
        if answer.failure is not None:
            self.allowance.excuse(identity)
        return answer

    def _note_retry(self, call: OpenCall, identity: bytes) -> None:
        """Note which failed identical call this one repeats: it must have been proposed after that one's answer was there."""
        failed = self._failed.get(identity)
        if failed is not None and failed < call.issued_at:
            call.retry_of = failed

    def _close(self, call: OpenCall, tool: str, identity: bytes, answer: Answer) -> Observation:
        call.failure, call.observation, call.result, call.changes = answer.failure, answer.value, answer.result, answer.changes
        if answer.failure is None:
            self._failed.pop(identity, None)
        else:
            self._failed[identity] = call.sequence
        self._ledger.executed(call, tool)
        return _observation(answer)


def _observation(answer: Answer) -> Observation:
    if answer.failure is not None:
        text = f"Error: {answer.failure.message}" if answer.value is UNSET else str(answer.plain)
        return Observation(ok=False, failure=answer.failure, text=text)
    return Observation(ok=True, value=answer.plain, text=answer.text)


def _offered(world: World, tools: Sequence[ToolSpec]) -> dict[str, Tool]:
    missing = [spec.name for spec in tools if spec.name not in world.origin.tools]
    if missing:
        raise UsageError(f"the world has no tool {missing[0]!r}")
    return {spec.name: world.origin.tools[spec.name] for spec in tools}

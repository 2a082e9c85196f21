"""One τ-bench row as a trace.

Calls are paired with the tool messages that follow their message, by position: the provider's ids repeat within a trial.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec import UNSET, Raw

from seatrial.base.canonical import MAX_DEPTH, canonical
from seatrial.importers.tau_bench.rows import Call, Message, Row
from seatrial.importers.tau_bench.tools import TRANSFER, effect_of
from seatrial.records.trace import (
    MAX_RAW,
    AgentMessage,
    Identity,
    Reported,
    Status,
    Step,
    ToolCall,
    ToolFailure,
    Trace,
    Usage,
    UserTurn,
    Validity,
)

SOURCE = "tau_bench"
"""Name of this importer in traces and manifests."""
STOP = "###STOP###"
"""What the simulated user writes to end the conversation."""
STEP_LIMIT = 30
"""Agent messages after which the benchmark's loop ends, `max_num_steps` of its agents."""
_BAD_ARGUMENTS = re.compile(r"unexpected keyword argument|missing \d+ required|multiple values for argument")
_UNKNOWN_TOOL = "Unknown action"


class Conversation:
    """The steps of one trial, numbered as they are added.

    Args:
        messages: The recorded messages; system messages are no steps.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self.steps: list[Step] = []
        self.agent_messages = 0
        self._clock = 0
        self._failed: dict[tuple[str, bytes], int] = {}
        for index, message in enumerate(messages):
            if message.role == "user":
                self._user(message.content or "")
            elif message.role == "assistant":
                self._agent(message, _answers(messages, index + 1))

    def _tick(self) -> int:
        self._clock += 1
        return self._clock

    def _user(self, text: str) -> None:
        said = text.replace(STOP, "").strip()
        if said:
            self.steps.append(UserTurn(sequence=self._tick(), text=said))

    def _agent(self, message: Message, answers: Sequence[Message]) -> None:
        number, self.agent_messages = self.agent_messages, self.agent_messages + 1
        calls = message.tool_calls or ()
        issued = self._tick()
        if message.content:
            self.steps.append(AgentMessage(sequence=issued, text=message.content, delivered=not calls))
        for position, call in enumerate(calls):
            answer = answers[position] if position < len(answers) else None
            self._call(call, answer, number, position, issued)

    def _call(self, call: Call, answer: Message | None, number: int, position: int, issued: int) -> None:
        sequence = self._tick()
        proposed, readable = arguments_of(call.function.arguments)
        failure = _failure(answer, readable=readable)
        validity: Validity = _INVALID.get(failure.kind, "valid") if failure else "valid"
        key = (call.function.name, canonical(proposed))
        self.steps.append(
            ToolCall(
                sequence=sequence,
                tool=call.function.name,
                issued_at=issued,
                proposed=proposed,
                executed=proposed if validity == "valid" and answer is not None else UNSET,
                observation=UNSET if answer is None or failure else observation_of(answer.content or ""),
                delivered_at=None if answer is None else self._tick(),
                message=number,
                position=position,
                effect=effect_of(call.function.name),
                failure=failure,
                validity=validity,
                retry_of=self._failed.get(key),
                raw="" if readable else (call.function.arguments or "")[:MAX_RAW],
                foreign_id=call.id or "",
            )
        )
        if failure:
            self._failed[key] = sequence
        else:
            self._failed.pop(key, None)


def trace_of(row: Row, messages: Sequence[Message], identity: Identity) -> Trace:
    """Return a row as a trace.

    Args:
        row: The row.
        messages: Its decoded messages.
        identity: Which trial it is.

    Returns:
        The trace; its end state is unknown, because the recording holds none.
    """
    conversation = Conversation(messages)
    ending = ending_of(row, messages)
    return Trace(
        identity=identity,
        status=_STATUS[ending],
        status_reason=_reason(row, ending, conversation.agent_messages),
        steps=tuple(conversation.steps),
        changes_unknown="imported: the recording does not hold the end state",
        usage=Usage(calls=sum(type(step) is ToolCall for step in conversation.steps)),
        reported=_reported(row, ending),
        source=SOURCE,
    )


def ending_of(row: Row, messages: Sequence[Message]) -> str:
    """Return how a trial ended, which the recording does not say.

    Args:
        row: The row.
        messages: Its decoded messages.

    Returns:
        `harness_error`, `user_stop`, `transferred`, `step_limit`, `graded` (the benchmark graded it, so it ended, but no message
        shows how), or `unknown`.
    """
    if row.info.error is not None or not messages:
        return "harness_error"
    last = messages[-1]
    if last.role == "user" and STOP in (last.content or ""):
        return "user_stop"
    if last.role == "tool" and last.name == TRANSFER:
        return "transferred"
    if not row.graded and sum(message.role == "assistant" for message in messages) >= STEP_LIMIT:
        return "step_limit"
    return "graded" if row.graded else "unknown"


_STATUS = {
    "harness_error": Status.INFRA_ERROR,
    "user_stop": Status.COMPLETED,
    "transferred": Status.COMPLETED,
    "graded": Status.COMPLETED,
    "step_limit": Status.BUDGET_EXCEEDED,
    "unknown": Status.INFRA_ERROR,
}


def _reason(row: Row, ending: str, agent_messages: int) -> str:
    texts = {
        "harness_error": f"the benchmark's harness failed: {row.info.error or 'no message is recorded'}",
        "user_stop": "the simulated user ended the conversation",
        "transferred": "the agent transferred the user to a person",
        "graded": "the benchmark graded it; the recording does not show how it ended",
        "step_limit": f"ceiling steps, limit {STEP_LIMIT}, used {agent_messages}; the benchmark did not grade the end state",
        "unknown": "the recording does not say how the trial ended",
    }
    return texts[ending]


def _reported(row: Row, ending: str) -> tuple[Reported, ...]:
    """Return the recorded reward, unless the harness wrote 0 for a trial that it failed to run."""
    graded = Reported(name="graded", value=Raw(b"true" if row.graded else b"false"), source="tau-bench")
    if ending == "harness_error" or bytes(row.reward) == b"null":
        return (graded,)
    return (Reported(name="reward", value=row.reward.copy(), source="tau-bench"), graded)


def _answers(messages: Sequence[Message], start: int) -> Sequence[Message]:
    """Return the tool messages that stand at a position, one after the other."""
    end = start
    while end < len(messages) and messages[end].role == "tool":
        end += 1
    return messages[start:end]


def arguments_of(text: str | None) -> tuple[Raw, bool]:
    """Return proposed arguments as JSON and whether their text was a JSON object; an empty text is `{}`, another a JSON string."""
    if text is None or text.strip() in {"", "null", '""'}:
        return Raw(b"{}"), True
    compact = _compact(text)
    if compact is not None and bytes(compact[:1]) == b"{":
        return Raw(compact), True
    return Raw(canonical(text[:MAX_RAW])), False


def observation_of(text: str) -> Raw:
    """Return an answer as JSON: its own when the text is JSON, else the text as a JSON string."""
    compact = _compact(text)
    return Raw(canonical(text) if compact is None else compact)


def _compact(text: str) -> bytes | None:
    """Return JSON text without white space and with its numbers as spelled; `None`: it is no JSON that can be read back, or too deep."""
    data = text.encode()
    try:
        value = msgspec.json.decode(data)
        return None if _deeper(value, MAX_DEPTH) else msgspec.json.format(data, indent=-1)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _deeper(value: object, levels: int) -> bool:
    """Tell whether a decoded value is nested deeper than a number of levels."""
    if not isinstance(value, dict | list):
        return False
    return levels == 0 or any(_deeper(child, levels - 1) for child in (value.values() if isinstance(value, dict) else value))


def _failure(answer: Message | None, *, readable: bool) -> ToolFailure | None:
    """Return why a call has no good observation; errors are texts, and whether one is transient is not recorded."""
    if answer is None:
        return ToolFailure(kind="not_executed", message="the recording holds no answer to this call")
    text = answer.content or ""
    if not readable:
        return ToolFailure(kind="unparseable", message=text)
    if text.startswith(_UNKNOWN_TOOL):
        return ToolFailure(kind="unknown_tool", message=text, transient=False)
    if not text.startswith("Error"):
        return None
    return ToolFailure(kind="invalid_arguments" if _BAD_ARGUMENTS.search(text) else "tool_error", message=text)


_INVALID: dict[str, Validity] = {
    "unparseable": "unparseable",
    "unknown_tool": "unknown_tool",
    "invalid_arguments": "invalid",
}

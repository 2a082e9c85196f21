"""OpenAI chat messages: one conversation, or a list of conversations, as `chat.completions` takes them.

Source: OpenAI API reference, Chat Completions, `messages`: roles `system`, `developer`, `user`, `assistant` (with `tool_calls`), `tool`
(with `tool_call_id`). Also read are what other programs write in their place: arguments as an object, a bare call
`{"name": …, "args": …}`, no id. Each tool message answers the first open call of its id, so ids may repeat over a conversation.
What the messages do not say is unknown: effects, end state, tokens, and whether an answer was an error (an answer may say so with
`"is_error": true`). Where no tool message is in the whole conversation, every call counts as answered before the next message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import UNSET, Raw

from seatrial.base.canonical import MAX_DEPTH, content_hash
from seatrial.base.errors import ForeignFormatError
from seatrial.base.names import is_identifier
from seatrial.importers import Imported
from seatrial.records.manifest import Candidate, Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.records.trace import AgentMessage, Identity, Status, Step, ToolCall, ToolFailure, Trace, UserTurn

SOURCE = "openai_messages"
"""Name of this importer in traces and manifests."""
MAX_BYTES = 1 << 28
"""Largest file that is read, in bytes."""
_MAX_RAW = 65_536
_NOBODY = Identity("messages", "messages", "", "recorded", "", 0, 0)
_EMPTY = Raw(b"{}")
_as_raw = msgspec.json.Decoder(Raw).decode
_encode = msgspec.json.Encoder().encode


def convert(messages: Sequence[Mapping], *, identity: Identity = _NOBODY) -> Trace:
    """Return chat messages as a trace; the messages are not changed.

    Args:
        messages: The messages of one conversation, in order.
        identity: Which trial it is.

    Returns:
        The trace. Calls of one message are concurrent, and an answer is delivered where its tool message stands.

    Raises:
        ForeignFormatError: A message is no object, has no role, or a call has no name.
    """
    try:
        steps = _Conversation(messages).steps
    except (TypeError, KeyError, AttributeError) as error:
        raise ForeignFormatError(
            f"expected chat messages with a role and, where they call tools, a name for each call: {error!r}"
        ) from error
    return Trace(identity, Status.COMPLETED, tuple(steps), changes_unknown=_NO_END, source=SOURCE)


_NO_END = "imported: messages do not hold the end state"


class _Conversation:
    """The steps of one conversation.

    Args:
        messages: The messages, in order.
    """

    __slots__ = ("last", "messages", "steps")

    def __init__(self, messages: Sequence[Mapping]) -> None:
        self.steps: list[Step] = []
        self.last, self.messages = 0, messages
        asking: Mapping | None = None
        answers: list[Mapping] = []
        for message in messages:
            role = message["role"]
            if role == "tool":
                answers.append(message)
                continue
            if asking is not None:
                self._agent(asking, answers)
                answers = []
            if role == "assistant":
                asking = message
                continue
            asking = None
            if role == "user":
                self.last += 1
                self.steps.append(UserTurn(self.last, _text(message.get("content"))))
            elif role not in ("system", "developer"):
                raise ForeignFormatError(f"{role!r} is no role of a message: expected system, developer, user, assistant or tool")
        if asking is not None:
            self._agent(asking, answers)

    def _agent(self, message: Mapping, answers: Sequence[Mapping]) -> None:
        issued = self.last + 1
        calls, text = message.get("tool_calls"), message.get("content")
        if text:
            self.steps.append(AgentMessage(issued, _text(text), delivered=not calls))
        if calls and len(calls) == len(answers) == 1:
            self.last = issued + 2
            self.steps.append(_call(calls[0], answers[0], issued, 0, self.last))
            return
        self.last = issued
        if calls:
            paired = self._pair(calls, answers)
            for position, (call, (answer, delivered)) in enumerate(zip(calls, paired, strict=True)):
                self.steps.append(_call(call, answer, issued, position, delivered))
            self.last += len(calls) + (len(answers) or len(calls))

    def _pair(self, calls: Sequence[Mapping], answers: Sequence[Mapping]) -> list[tuple[Mapping | None, int | None]]:
        """Return for each call its answer and when that was delivered; in a conversation without answers all are delivered, unseen."""
        first = self.last + len(calls) + 1
        if not answers:
            unseen = all(other["role"] != "tool" for other in self.messages)
            return [(None, first + number if unseen else None) for number in range(len(calls))]
        free = list(enumerate(answers, first))
        result: list[tuple[Mapping | None, int | None]] = []
        for call in calls:
            name = call.get("id")
            at = next((at for at, (_, one) in enumerate(free) if not name or one.get("tool_call_id") in (None, "", name)), -1)
            delivered, answer = free.pop(at) if at >= 0 else (None, None)
            result.append((answer, delivered))
        return result


_FLAT = 2 * MAX_DEPTH
"""Characters that a JSON text nested too deeply must have at the least."""


def _call(call: Mapping, answer: Mapping | None, issued: int, position: int, delivered: int | None) -> ToolCall:
    function, foreign = call.get("function") or call, call.get("id") or ""
    name = function["name"]
    if type(name) is not str or type(foreign) is not str:
        raise ForeignFormatError(f"a call takes a name and an id that are texts, got {name!r} and {foreign!r}")
    arguments = function["arguments"] if "arguments" in function else function.get("args")
    sequence = issued + 1 + position
    if type(arguments) is str and arguments[:1] == "{" and len(arguments) <= _FLAT and answer is not None and "is_error" not in answer:
        content = answer.get("content")
        short = type(content) is str and content[:1] in _JSON_STARTS and len(content) <= _FLAT
        try:
            proposed, observation = _as_raw(arguments), _as_raw(content) if short else observation_of(content)  # type: ignore[arg-type]
            return ToolCall(sequence, name, issued, proposed, proposed, observation, delivered, issued, position, foreign_id=foreign)
        except (msgspec.DecodeError, UnicodeEncodeError):
            pass
    return _closed((foreign, sequence, name, issued, position, *arguments_of(arguments)), answer, delivered)


def _closed(call: tuple[str, int, str, int, int, Raw, str], answer: Mapping | None, delivered: int | None) -> ToolCall:
    """Return a call of any kind: perhaps without an answer, with an error, or with unreadable arguments."""
    foreign, sequence, tool, issued, position, proposed, broken = call
    failure = None
    if broken:
        failure = ToolFailure("unparseable", "the arguments are no JSON object", transient=False)
    elif answer is not None and answer.get("is_error"):
        failure = ToolFailure("tool_error", _text(answer.get("content")))
    return ToolCall(
        sequence=sequence,
        tool=tool,
        issued_at=issued,
        proposed=proposed,
        executed=UNSET if broken else proposed,
        observation=UNSET if failure is not None or answer is None else observation_of(answer.get("content")),
        delivered_at=delivered,
        message=issued,
        position=position,
        failure=failure,
        validity="unparseable" if broken else "valid",
        raw=broken,
        foreign_id=foreign,
    )


def arguments_of(arguments: object) -> tuple[Raw, str]:
    """Return proposed arguments as JSON, and their text when it is no JSON object that can be kept; nothing is `{}`."""
    if arguments is None or (isinstance(arguments, str) and arguments.strip() in ("", "null")):
        return _EMPTY, ""
    if not isinstance(arguments, str):
        data = _encode(arguments)
        return Raw(data), "" if isinstance(arguments, dict) else data.decode()[:_MAX_RAW]
    try:
        data = _as_raw(arguments)
        if arguments.lstrip().startswith("{") and not _too_deep(arguments):
            return data, ""
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        pass
    text = _clean(arguments[:_MAX_RAW])
    return Raw(_encode(text)), text


def observation_of(content: object) -> Raw:
    """Return an answer as JSON: its own when it is JSON text, else the text as a JSON string."""
    text = content if type(content) is str else _text(content)
    if text[:1] in _JSON_STARTS:
        try:
            data = _as_raw(text)
            if len(text) <= _FLAT or not _too_deep(text):
                return data
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            pass
    return Raw(_encode(_clean(text)))


_JSON_STARTS = frozenset('{["-0123456789tfn')


def _too_deep(text: str) -> bool:
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return False
    depth = deepest = 0
    quoted = escaped = False
    for character in text:
        if quoted:
            quoted, escaped = character != '"' or escaped, character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}]":
            depth -= 1
    return deepest > MAX_DEPTH


def _text(content: object) -> str:
    """Return the text of a message: its content, or the text parts of it."""
    if isinstance(content, str):
        return _clean(content)
    if isinstance(content, list):
        return "\n".join(_clean(part["text"]) for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return "" if content is None else _encode(content).decode()


def _clean(text: str) -> str:
    """Return a text without halves of surrogate pairs, which no record can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def read(path: Path, fixture_folder: Path | None = None) -> Imported:  # noqa: ARG001 - messages have no fixture
    """Read a file of conversations as a run without contracts.

    Args:
        path: A JSON file: a list of messages, `{"messages": […]}`, or a list of either.
        fixture_folder: Not used.

    Returns:
        The run: one task and one trace a conversation.

    Raises:
        ForeignFormatError: The file is no such list; the text names the conversation.
    """
    conversations = _conversations(path, _load(path))
    tasks = tuple(Task(name, input=_first_words(messages)) for name, messages in conversations)
    candidate = Candidate(path.stem if is_identifier(path.stem) else "recorded", agent=SOURCE)
    hashes = [task.contract_hash for task in tasks]
    manifest = Manifest(
        suite=SOURCE,
        suite_version="recorded",
        suite_hash=content_hash(hashes),
        candidate=candidate,
        seed=0,
        plan=tuple(PlannedTask(task.id, contract, 1) for task, contract in zip(tasks, hashes, strict=True)),
        headline_k=1,
        source=SOURCE,
        notes=("messages hold no effects, no end state and no cost; tasks have no contract until one is given",),
    )
    identities = [Identity(SOURCE, task.id, task.contract_hash, candidate.name, candidate.hash, 0, 0) for task in tasks]
    traces = [convert(messages, identity=who) for (_, messages), who in zip(conversations, identities, strict=True)]
    return Imported(manifest, tasks, iter(traces))


def _load(path: Path) -> object:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ForeignFormatError(f"{path}: the file is larger than the {MAX_BYTES:,} bytes that are read")
        return msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise ForeignFormatError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise ForeignFormatError(f"{path}: is no JSON file of chat messages: {error}") from error


def _conversations(path: Path, data: object) -> list[tuple[str, Sequence[Mapping]]]:
    found = [data] if isinstance(data, dict) or _is_conversation(data) else data
    if not isinstance(found, list) or not found:
        raise ForeignFormatError(f"{path}: expected a list of chat messages, or a list of such lists, got {str(data)[:60]}")
    return [_conversation(path, number, one) for number, one in enumerate(found)]


def _conversation(path: Path, number: int, one: object) -> tuple[str, Sequence[Mapping]]:
    messages = one.get("messages") if isinstance(one, dict) else one
    if not _is_conversation(messages):
        raise ForeignFormatError(f"{path}: conversation {number} is no list of chat messages: {str(one)[:60]}")
    try:
        convert(messages)  # type: ignore[arg-type]
    except ForeignFormatError as error:
        raise ForeignFormatError(f"{path}: conversation {number}: {error}") from error
    return f"conversation-{number}", messages  # type: ignore[return-value]


def _is_conversation(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(message, dict) and "role" in message for message in value)


def _first_words(messages: Sequence[Mapping]) -> str:
    return next((_text(message.get("content")) for message in messages if message.get("role") == "user"), "")

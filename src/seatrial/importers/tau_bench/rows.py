"""The rows of a τ-bench result file as checked records.

Format: sierra-research/tau-bench, `run.py` writes a JSON list of `EnvRunResult`; messages have the shape of OpenAI chat messages.
Every fault is named with the row, the task and trial when they are known, and the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NoReturn

import msgspec
from msgspec import Raw, Struct

from seatrial.base.canonical import canonical
from seatrial.base.errors import ForeignFormatError
from seatrial.base.names import is_identifier
from seatrial.importers.tau_bench.json_rows import explain_row, shown

MAX_MESSAGES = 100_000
"""Longest conversation that is read, in messages of one trial."""


class Function(Struct, frozen=True):
    """The called function of a message."""

    name: str
    arguments: str | None = None
    """JSON text as the model wrote it; `None`: none was written."""


class Call(Struct, frozen=True):
    """One tool call of a message."""

    function: Function
    id: str | None = None
    """The provider's id; it repeats within a trial, so it is never a key."""


class Message(Struct, frozen=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    """`None`: an assistant message without text."""
    tool_calls: tuple[Call, ...] | None = None
    name: str | None = None
    """Tool that answered, in tool messages."""


class Action(Struct, frozen=True):
    """One call of the benchmark's own solution."""

    name: str
    kwargs: dict[str, Raw] = {}


class TaskInfo(Struct, frozen=True):
    """The task as it is embedded in every row."""

    actions: tuple[Action, ...] = ()
    instruction: str = ""
    """What the simulated user was told; reworded between versions of the benchmark."""
    outputs: tuple[str, ...] = ()
    """Texts that the benchmark looks for in the agent's messages."""
    user_id: str = ""


class Info(Struct, frozen=True):
    """What the benchmark wrote beside the reward."""

    task: TaskInfo | None = None
    """`None`: the harness failed before it was written."""
    reward_info: Raw = Raw(b"null")
    """`null`: the trial was not graded."""
    error: str | None = None
    """Why the harness failed; `None`: it did not."""


class Row(Struct, frozen=True):
    """One recorded trial."""

    task_id: int | str
    trial: int
    info: Info = Info()
    traj: tuple[Raw, ...] = ()
    """Messages, undecoded."""
    reward: Raw = Raw(b"null")
    """As spelled in the file."""

    @property
    def task(self) -> str:
        """The task's id as text."""
        return str(self.task_id)

    @property
    def graded(self) -> bool:
        """Whether the benchmark graded the trial, rather than writing the reward 0 for want of an end."""
        return bytes(self.info.reward_info) != b"null"


_HEAD, _TAIL = 240, 160
_LONGEST_PROBLEM = _HEAD + _TAIL
"""Characters of a message beyond which its middle is left out."""
_ROW = msgspec.json.Decoder(Row)
_MESSAGE = msgspec.json.Decoder(Message)
_NUMBER = msgspec.json.Decoder(float | None)


class Rows:
    """All rows of one file.

    Args:
        path: The file, for messages only.
        raw: One piece of JSON text a row.

    Raises:
        ForeignFormatError: There is no row, a row is no recorded trial, or two rows are of the same trial.
    """

    def __init__(self, path: Path, raw: Sequence[Raw]) -> None:
        self.path, self._raw = path, raw
        if not raw:
            raise ForeignFormatError(f"{path}: the list is empty; expected one row a trial")
        seen: dict[tuple[str, int], int] = {}
        labels: set[int] = set()
        for index, row in enumerate(self):
            first = seen.setdefault((row.task, row.trial), index)
            if first != index:
                self.refuse(index, f"task {row.task_id!r}, trial {row.trial} is already recorded in row {first}; a trial has one row")
            labels.add(row.trial)
        self.labels = tuple(sorted(labels))

    def __iter__(self) -> Iterator[Row]:
        """Decode the rows in file order, one at a time."""
        for index, raw in enumerate(self._raw):
            yield self._decode(index, raw)

    def refuse(self, index: int, problem: str) -> NoReturn:
        """Raise the error that names file, row and problem; a value that is quoted in it may be as long as the file."""
        words = problem if len(problem) <= _LONGEST_PROBLEM else f"{problem[:_HEAD]} … {problem[-_TAIL:]}"
        raise ForeignFormatError(f"{self.path}: row {index}: {words}")

    def _decode(self, index: int, raw: Raw) -> Row:
        try:
            row = _ROW.decode(raw)
        except msgspec.ValidationError as error:
            self.refuse(index, f"{error}; expected an object with task_id, trial, reward, info and traj{_hint(raw)}")
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self.refuse(index, explain_row(raw, error))
        self._check(index, row)
        return row

    def _check(self, index: int, row: Row) -> None:
        if not (is_identifier(row.task) and (isinstance(row.task_id, str) or row.task_id >= 0)):
            self.refuse(index, f"task_id {row.task_id!a} is no task id; expected a number from 0, or letters, digits and ._:@+=-")
        if row.trial < 0:
            self.refuse(index, f"trial {row.trial} is no trial number; expected 0 or more")
        if len(row.traj) > MAX_MESSAGES:
            self.refuse(index, f"traj holds {len(row.traj):,} messages; at most {MAX_MESSAGES:,} are read")
        try:
            _NUMBER.decode(row.reward)
        except msgspec.MsgspecError:
            self.refuse(index, f"reward {_shown(row.reward)} is no number; expected a finite number or null")

    def messages(self, index: int, row: Row) -> tuple[Message, ...]:
        """Decode the conversation of a row and check that every answer stands at the place of the call it answers.

        Args:
            index: The row's number in the file, from 0.
            row: The row.

        Returns:
            Its messages in order.
        """
        found = tuple(self._message(index, position, raw) for position, raw in enumerate(row.traj))
        waiting: list[Call] = []
        for position, message in enumerate(found):
            if message.role != "tool":
                waiting = list(message.tool_calls or ())
            elif not waiting:
                self.refuse(index, f"traj[{position}] is an answer of the tool {message.name!r} that no call precedes")
            elif (called := waiting.pop(0).function.name) != message.name:
                self.refuse(index, f"traj[{position}] is an answer of the tool {message.name!r}, but the call at its place is {called!r}")
        return found

    def _message(self, index: int, position: int, raw: Raw) -> Message:
        try:
            return _MESSAGE.decode(raw)
        except msgspec.ValidationError as error:
            self.refuse(index, f"traj[{position}]: {error}")
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self.refuse(index, f"traj[{position}]: {explain_row(raw, error)}")


def same_work(one: TaskInfo, other: TaskInfo) -> bool:
    """Tell whether two rows of a task ask for the same work; the wording of the simulated user's instruction may drift."""
    return canonical((one.actions, one.outputs)) == canonical((other.actions, other.outputs))


def _hint(raw: Raw) -> str:
    if b'"termination_reason"' in bytes(raw):
        return "; this looks like a τ² simulation, which is another format"
    return f", got {_shown(raw)}"


def _shown(raw: Raw) -> str:
    return shown(bytes(raw).decode("utf-8", "replace"))

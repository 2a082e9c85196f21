"""Check seatrial's trajectory matching against a file of cases with right verdicts.

    python -m tests.cases.trajectory FILE

prints one line a case (id, verdict, right verdict), then `N right, N wrong`, and exits 0 when all are right. Contracts are loaded by
the suite loader and traces are graded through the public API; here a trace is only put together from what the file tells.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET, Raw

from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.grade import compile_task, grade
from seatrial.records.contract import ToolSpec
from seatrial.records.grade import Grade
from seatrial.records.task import Task
from seatrial.records.trace import Identity, Status, Step, ToolCall, ToolFailure, Trace, UserTurn
from seatrial.suite import load_contract
from seatrial.suite.definition import SuiteDefinition

LOAD_ERROR = "load_error"


class Judged(NamedTuple):
    """What one case came to."""

    case: str
    verdict: str
    right: str
    grade: Grade | None


class Recorder:
    """Puts a trace together: numbers its steps as a tool server does.

    Args:
        effects: Tool → its effect.
    """

    def __init__(self, effects: Mapping[str, str]) -> None:
        self.effects = effects
        self.steps: list[Step] = []
        self.turns = 0
        self.last = 0

    def number(self) -> int:
        """Return the next sequence number."""
        self.last += 1
        return self.last

    def users_up_to(self, turn: int) -> None:
        """Let the user speak until the messages of a turn may come: turn N comes after user turn N + 1."""
        while self.turns <= turn:
            self.turns += 1
            self.steps.append(UserTurn(self.number(), f"turn {self.turns}"))

    def message(self, calls: Iterable[Mapping], observed: object) -> None:
        """Record the calls of one message: concurrent, and answered before anything else happens."""
        issued = self.number()
        proposed = [(position, self.number(), call) for position, call in enumerate(calls)]
        for position, sequence, call in proposed:
            self.steps.append(self.call(call, sequence, issued, position, observed))

    def call(self, call: Mapping, sequence: int, issued: int, position: int, observed: object) -> ToolCall:
        """Return one call with its answer."""
        arguments, broken = read_arguments(call)
        failure = ToolFailure("unparseable", "the arguments are no JSON object", transient=False) if broken else None
        if call.get("error"):
            failure = ToolFailure("tool_error", str(call["error"]))
        return ToolCall(
            sequence=sequence,
            tool=call["tool"],
            issued_at=issued,
            proposed=arguments,
            executed=UNSET if failure else arguments,
            observation=UNSET if failure else Raw(canonical(observed)),
            delivered_at=self.number(),
            message=issued,
            position=position,
            effect=self.effects.get(call["tool"], "read"),
            failure=failure,
            validity="unparseable" if broken else "valid",
            raw=call.get("raw") or "",
        )


def read_arguments(call: Mapping) -> tuple[Raw, bool]:
    """Return the arguments of a call as the records keep them, and whether their text could not be read."""
    value = call.get("arguments")
    if "raw" in call:
        text = call["raw"]
        try:
            value = json.loads(text) if isinstance(text, str) and text.strip() else text
        except ValueError:
            return Raw(canonical(text)), True
    if value is None or value == "":
        value = {}
    return Raw(canonical(value)), not isinstance(value, dict)


def trace_of(case: Mapping, effects: Mapping[str, str]) -> Trace:
    """Return the trace of a case."""
    recorder = Recorder(effects)
    recorder.users_up_to(0)
    observed = case["trace"].get("observed", [])
    for index, message in enumerate(case["trace"]["messages"]):
        recorder.users_up_to(message.get("turn", 0))
        recorder.message(message["calls"], observed[index] if index < len(observed) else None)
    identity = Identity("trajectory", case["id"], "", "recorded", "", 0, 0)
    return Trace(identity, Status.COMPLETED, tuple(recorder.steps))


def judge(case: Mapping) -> Judged:
    """Load the contract of a case and grade its trace."""
    tools = tuple(ToolSpec(name, known["effect"]) for name, known in case["tools"].items())
    try:
        contract = load_contract(case["contract"], definition=SuiteDefinition(tools=tools))
        compiled = compile_task(Task(case["id"], contract=contract), tools)
    except SuiteError:
        return Judged(case["id"], LOAD_ERROR, case["right"], None)
    graded = grade(compiled, trace_of(case, {tool.name: tool.effect for tool in tools}))
    return Judged(case["id"], str(graded.strict), case["right"], graded)


def judge_file(path: Path) -> Iterator[Judged]:
    """Judge every case of a file."""
    yield from map(judge, json.loads(path.read_text(encoding="utf-8"))["cases"])


def main(arguments: list[str]) -> int:
    """Print one line a case and the totals; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m tests.cases.trajectory FILE", file=sys.stderr)
        return 2
    right = wrong = 0
    for judged in judge_file(Path(arguments[0])):
        good = judged.verdict == judged.right
        right, wrong = right + good, wrong + (not good)
        print(f"{judged.case} {judged.verdict} {judged.right}{'' if good else '  <- wrong'}")
    print(f"{right} right, {wrong} wrong")
    return 0 if right and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

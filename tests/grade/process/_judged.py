"""Short ways to write a process and to judge a story by it."""

from __future__ import annotations

from msgspec import UNSET

from seatrial.grade.process import ProcessResult, compile_process, judge_process
from seatrial.grade.view import TraceView
from seatrial.records.contract import Extras, Order, Process, Required, ToolSpec
from tests.grade._builders import TOOLS, Story, raw

LOOK = {"policy_id": "HL-00418-C"}
COVER = {"policy_id": "HL-00418-C", "loss_type": "water"}
ROUTE = {"claim_id": "C-1017", "queue": "water_high"}


def need(name: str, tool: str | tuple[str, ...], expected: object = UNSET, **options: object) -> Required:
    """Return a required call; without `expected`, with any arguments."""
    call = (tool,) if isinstance(tool, str) else tool
    return Required(name, call, expected if expected is UNSET else raw(expected), **options)


def process(*required: Required, order: str = "", extras: object = "reads", at_most: int | None = None, **options: object) -> Process:
    """Return a process; `order` holds pairs separated by commas."""
    allow = tuple(extras) if isinstance(extras, list) else extras
    return Process(required, tuple(map(pair, order.split(","))) if order else (), Extras(allow, at_most), **options)


def pair(text: str) -> Order:
    """Return one order pair."""
    left, relation, right = text.split()
    return Order(left, relation, right)


def judged(contract: Process, story: Story, *, tools: tuple[ToolSpec, ...] = TOOLS, **options: object) -> ProcessResult:
    """Judge a story."""
    return judge_process(compile_process(contract, tools, **options), TraceView(story.trace()))


def verdict(contract: Process, story: Story, **options: object) -> str:
    """Return the verdict on a story."""
    return str(judged(contract, story, **options).answer.verdict)


def kinds(result: ProcessResult) -> list[str]:
    """Return the class of every attempt."""
    return [row.kind for row in result.calls]

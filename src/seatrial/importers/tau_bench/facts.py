"""What is true of a τ-bench recording, counted while it is checked: the figures behind the manifest's notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.json import decode

from seatrial.base.canonical import canonical
from seatrial.base.wording import listed
from seatrial.importers.tau_bench.rows import Action, TaskInfo
from seatrial.importers.tau_bench.tasks import gold_calls, gold_writes, must_act
from seatrial.records.trace import AgentMessage, ToolCall, Trace

Key = tuple[str, bytes]
"""Tool and canonical arguments: equal for identical calls."""
_LOOKS = ("get_", "search_", "list_", "find_")


class Facts(Struct):
    """Counts over a recording."""

    rows: int = 0
    tasks: int = 0
    trials: int = 0
    """Distinct trial labels of the file: what is planned for every task."""
    missing: list[str] = field(default_factory=list)
    """Planned trials that the file does not hold, `task.trial`."""
    passes: int = 0
    """Rows of reward 1."""
    tool_calls: int = 0
    writes_ok: int = 0
    writes_failed: int = 0
    failed_calls: int = 0
    repeated_calls: int = 0
    """Calls identical to an earlier one of the same trial."""
    undelivered_messages: int = 0
    """Texts beside a tool call: they never reached the user."""
    ended: Counter[str] = field(default_factory=Counter)
    """How trials ended → trials."""
    step_limit_rows: list[str] = field(default_factory=list)
    """Trials that the step limit ended, `task.trial`."""
    may_have_passed: list[str] = field(default_factory=list)
    """Those of them whose successful writes are exactly the gold writes and that said every required text: graded, they might
    have passed."""
    trials_with_repeated_ids: int = 0
    """Trials in which one provider's call id stands for several calls."""
    tasks_without_gold_writes: list[str] = field(default_factory=list)
    do_nothing_tasks: list[str] = field(default_factory=list)
    """Tasks that an agent passes which does nothing: no gold write and nothing to be said."""
    passes_with_missed_read: int = 0
    passes_with_extra_attempted_write: int = 0
    passes_with_extra_successful_write: int = 0

    def add_task(self, task: str, info: TaskInfo) -> None:
        """Count one task."""
        self.tasks += 1
        if not gold_writes(info):
            self.tasks_without_gold_writes.append(task)
        if not must_act(info):
            self.do_nothing_tasks.append(task)

    def add_trace(self, trace: Trace, ending: str, info: TaskInfo) -> None:
        """Count one trial.

        Args:
            trace: The trial.
            ending: How it ended, one of the words of `trace.ending_of`.
            info: What its task asks for.
        """
        calls, label = trace.calls, f"{trace.identity.task}.{trace.identity.trial}"
        self.rows += 1
        self.ended[ending] += 1
        self._count_calls(calls)
        self.undelivered_messages += sum(type(step) is AgentMessage and not step.delivered for step in trace.steps)
        if ending == "step_limit":
            self.step_limit_rows.append(label)
            if _right_writes(calls, info) and _said(trace, info.outputs):
                self.may_have_passed.append(label)
        if any(item.name == "reward" and float(bytes(item.value)) == 1 for item in trace.reported):
            self.passes += 1
            self._count_pass(calls, info)

    def _count_calls(self, calls: tuple[ToolCall, ...]) -> None:
        self.tool_calls += len(calls)
        self.writes_ok += len(_writes(calls, succeeded=True))
        self.writes_failed += len(_writes(calls)) - len(_writes(calls, succeeded=True))
        self.failed_calls += sum(call.failure is not None for call in calls)
        self.repeated_calls += len(calls) - len(set(_keys(calls)))
        ids = [call.foreign_id for call in calls if call.foreign_id]
        self.trials_with_repeated_ids += len(ids) > len(set(ids))

    def _count_pass(self, calls: tuple[ToolCall, ...], info: TaskInfo) -> None:
        gold = Counter(map(_gold_key, gold_calls(info)))
        made = set(_keys(calls))
        self.passes_with_missed_read += any(name.startswith(_LOOKS) and (name, arguments) not in made for name, arguments in gold)
        self.passes_with_extra_attempted_write += bool(Counter(_keys(_writes(calls))) - gold)
        self.passes_with_extra_successful_write += bool(Counter(_keys(_writes(calls, succeeded=True))) - gold)


def notes_of(facts: Facts) -> tuple[str, ...]:
    """Return what a reader must know of a recording, one sentence a note."""
    ended = ", ".join(f"{name} {count:,}" for name, count in facts.ended.most_common())
    idle, writeless = len(facts.do_nothing_tasks), len(facts.tasks_without_gold_writes)
    return (
        f"{facts.rows:,} recorded trials of {facts.tasks:,} tasks",
        f"{facts.tool_calls:,} tool calls, {facts.failed_calls:,} of them failed; {facts.repeated_calls:,} repeat an earlier one",
        f"writes: {facts.writes_ok:,} succeeded, {facts.writes_failed:,} failed",
        "the outcome is the reward that the benchmark recorded (kind reported); nobody observed the end state again",
        f"how trials ended is derived from their last message: {ended}",
        "tokens, money, seeds, the model's name and times are not recorded: unknown, not 0",
        f"{facts.trials_with_repeated_ids:,} trials repeat a call id; calls are paired with answers by position",
        f"an agent that does nothing passes {idle:,} of {facts.tasks:,} tasks (slice must_act=no); {writeless:,} have no gold write",
        *_findings(facts),
    )


def _findings(facts: Facts) -> Iterable[str]:
    if facts.step_limit_rows:
        maybe = ", ".join(facts.may_have_passed) or "none"
        yield f"the step limit ended {', '.join(facts.step_limit_rows)} (task.trial): recorded with reward 0, never graded"
        yield f"of these, with exactly the gold writes and every text said: {maybe}; only a replay of the benchmark's tools could grade it"
    if facts.undelivered_messages:
        yield f"{facts.undelivered_messages:,} texts stand beside a tool call and never reached the user"
    if facts.passes:
        yield (
            f"of {facts.passes:,} trials of reward 1: {facts.passes_with_missed_read:,} miss a gold read, "
            f"{facts.passes_with_extra_attempted_write:,} attempt a write beyond the gold ones, "
            f"{facts.passes_with_extra_successful_write:,} succeed with one"
        )
    if facts.missing:
        missing = f"{len(facts.missing):,} planned trials are not in the file ({listed(facts.missing, 10)})"
        yield f"{missing}: their success is unknown, not failed"


def _right_writes(calls: tuple[ToolCall, ...], info: TaskInfo) -> bool:
    return Counter(_keys(_writes(calls, succeeded=True))) == Counter(map(_gold_key, gold_writes(info)))


def _said(trace: Trace, texts: tuple[str, ...]) -> bool:
    """Tell whether every text was said by the benchmark's own rule: as a substring, commas dropped from the message only."""
    messages = [step.text.lower().replace(",", "") for step in trace.steps if type(step) is AgentMessage and step.delivered]
    return all(any(text.lower() in message for message in messages) for text in texts)


def _writes(calls: tuple[ToolCall, ...], *, succeeded: bool = False) -> list[ToolCall]:
    return [call for call in calls if call.effect == "write" and (call.succeeded or not succeeded)]


def _keys(calls: Iterable[ToolCall]) -> list[Key]:
    return [(call.tool, _arguments_key(call)) for call in calls]


def _arguments_key(call: ToolCall) -> bytes:
    return canonical(decode(call.proposed))


def _gold_key(action: Action) -> Key:
    return action.name, canonical({name: decode(value) for name, value in action.kwargs.items()})

"""Small random processes and traces, from a seed."""

from __future__ import annotations

import random

import msgspec
from msgspec import UNSET, Raw, structs

from seatrial.base.canonical import canonical
from seatrial.records.contract import Extras, Order, Process, Required, ToolSpec
from seatrial.records.trace import Approval, Change, Handoff, Identity, Status, ToolCall, ToolFailure, Trace, UserTurn

TOOLS = {
    "look": ToolSpec("look", "read"),
    "find": ToolSpec("find", "read"),
    "pay": ToolSpec("pay", "write"),
    "tell": ToolSpec("tell", "external"),
}
FAILURES = (
    ToolFailure("status", "503", 503, transient=True),
    ToolFailure("status", "422", 422, transient=False),
    ToolFailure("tool_error", "no class"),
    ToolFailure("lost_response", "lost", transient=True),
    ToolFailure("invalid_arguments", "bad", transient=False),
    ToolFailure("refused", "not permitted", transient=False),
)


def raw(value):
    return Raw(canonical(value))


class Draw:
    """Draws one instance.

    Args:
        seed: The seed.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = self.random.sample(sorted(TOOLS), self.random.choice((1, 2, 2, 3)))
        self.values = self.random.choice(((1,), (1, 2), (1, 2, 3)))
        self.number = 0

    def chance(self, share):
        return self.random.random() < share

    def arguments(self):
        return {"a": self.random.choice(self.values)} | ({"b": 9} if self.chance(0.15) else {})

    def required(self, index):
        expected = UNSET if self.chance(0.2) else self.arguments()
        if index and expected is not UNSET and self.chance(0.25):
            expected["a"] = {"$from": f"r{self.random.randrange(index)}"}
        return Required(
            f"r{index}",
            tuple(self.random.sample(self.names, min(len(self.names), self.random.choice((1, 1, 1, 2))))),
            UNSET if expected is UNSET else raw(expected),
            count=self.random.choice((1, 1, 1, 1, 2)),
            status=self.random.choice(("ok",) * 9 + ("error", 422)),
            optional=self.chance(0.25),
            match="subset" if self.chance(0.2) else "exact",
        )

    def orders(self, size):
        found = []
        for right in range(size):
            found += [Order(f"r{left}", self.random.choice(("<", "<", "then")), f"r{right}") for left in range(right) if self.chance(0.4)]
            if self.chance(0.12):
                found.append(Order(f"user.{self.random.choice((1, 2, 2, 3))}", "<", f"r{right}"))
        return tuple(found) if self.chance(0.75) else ()

    def process(self):
        self.wanted = []
        made = self._process()
        if self.chance(0.5):
            made = structs.replace(made, extras=Extras(self.random.choice(("reads", "any", "any"))), retries=2, repeats_writes=3)
        self.wanted = list(made.required)
        return made

    def _process(self):
        size = self.random.choice((0, 1, 2, 2, 3, 3, 4))
        allow = self.random.choice(("none", "reads", "reads", "any", tuple(self.random.sample(sorted(TOOLS), 2))))
        return Process(
            required=tuple(self.required(index) for index in range(size)),
            order=self.orders(size),
            extras=Extras(allow, self.random.choice((None, None, None, 0, 1, 2))),
            retries=self.random.choice((0, 1, 2)),
            repeats_reads=self.random.choice((None, None, None, 0, 1)),
            repeats_writes=self.random.choice((0, 0, 0, 1, 2)),
            order_by="arrival" if self.chance(0.1) else "message",
        )

    def next(self):
        self.number += 1
        return self.number

    def call(self, waiting, issued, position, context, inferred):
        name, arguments = self.aimed()
        failure = self.random.choice(FAILURES) if self.chance(self.trouble) else None
        never = failure is not None and failure.kind != "lost_response"
        sequence = self.next()
        effect = TOOLS[name].effect
        call = {
            "sequence": sequence,
            "tool": name,
            "issued_at": sequence if inferred else issued,
            "position": 0 if inferred else position,
            "message": None if inferred else issued,
            "inferred": inferred,
            "proposed": arguments,
            "executed": UNSET if never else arguments,
            "observation": UNSET if failure else raw(self.random.choice(self.values)),
            "failure": failure,
            "effect": effect,
            "validity": "invalid" if failure is not None and failure.kind == "invalid_arguments" else "valid",
            "changes": (Change("c/1", "updated"),) if effect == "write" and not never and self.chance(0.8) else (),
            "context": context,
        }
        waiting.append(call)

    def aimed(self):
        """A tool with arguments: mostly those of the next required call, so that many traces are right."""
        if not self.wanted or self.chance(0.25):
            return self.random.choice(self.names), raw(self.arguments())
        each = self.wanted.pop(0)
        expected = self.arguments() if each.with_ is UNSET else msgspec.json.decode(each.with_)
        if each.count > 1 or self.chance(0.15):
            self.wanted.insert(0, structs.replace(each, count=1))
        if self.chance(0.1):
            self.random.shuffle(self.wanted)
        if isinstance(expected["a"], dict):
            expected["a"] = self.random.choice(self.values)
        return self.random.choice(each.call), raw(expected)

    def deliver(self, waiting, done, share):
        self.random.shuffle(waiting)
        for call in list(waiting):
            if self.chance(share):
                waiting.remove(call)
                done.append(ToolCall(**call, delivered_at=None if self.chance(0.04) else self.next()))

    def trace(self):
        self.trouble = self.random.choice((0.0, 0.15, 0.35))
        overlap, several, doubtful = self.chance(0.3), self.chance(0.15), self.chance(0.15)
        waiting, calls, others = [], [], [UserTurn(self.next(), "hello")]
        for _ in range(self.random.choice((0, 1, 2, 3, 4, 5))):
            if self.chance(0.25):
                others.append(UserTurn(self.next(), "go on"))
            context = self.random.choice(("agent", "other")) if several else "agent"
            issued = self.next()
            for position in range(self.random.choice((1, 1, 1, 2, 3))):
                if len(calls) + len(waiting) < 6:
                    self.call(waiting, issued, position, context, doubtful and self.chance(0.5))
            self.deliver(waiting, calls, 0.5 if overlap else 1.0)
            if several and self.chance(0.5):
                others.append(Handoff(self.next(), *self.random.choice((("agent", "other"), ("other", "agent")))))
        self.deliver(waiting, calls, 1.0)
        others += [
            Approval(self.next(), call.sequence, approved=False) for call in calls if call.failure == FAILURES[5] and self.chance(0.5)
        ]
        steps = sorted((*calls, *others), key=lambda step: step.sequence)
        return Trace(Identity("s", "t", "", "c", "", 0, 0), Status.COMPLETED, tuple(steps))

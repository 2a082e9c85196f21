"""The simulated user of a task."""

from __future__ import annotations

from seatrial.records.task import UserRule, UserSpec
from seatrial.suite.part import Part
from seatrial.suite.scope import Scope, plug_ins

KEYS = {"kind": "script.", "script": "Rules in order; the first that fits is used."}
"""Keys of a user and what they mean."""
RULE_KEYS = {
    "say": "What the user says.",
    "said": "Regular expression over the agent's message, case ignored.",
    "called": "Tool that the agent must have called successfully before.",
    "turn": "Only as the nth answer of the user, from 1.",
    "once": "Whether the rule is used up by its first use (true).",
    "ends": "Whether the user leaves after it.",
}
"""Keys of a rule of a scripted user and what they mean."""


def read_user(part: Part, scope: Scope) -> UserSpec:
    """Read the simulated user of a task.

    Args:
        part: The mapping.
        scope: The names that may be used.

    Raises:
        SuiteError: A key, pattern or tool is wrong, or a rule says nothing.
    """
    part.mapping(KEYS)
    return UserSpec(
        kind=part.read("kind", lambda each: each.choice(plug_ins("user"), "kind of user"), "script"),
        script=part.read("script", lambda each: tuple(_rule(item, scope) for item in each.items()), ()),
    )


def _rule(part: Part, scope: Scope) -> UserRule:
    part.mapping(RULE_KEYS)
    rule = UserRule(
        say=part.read("say", Part.text, ""),
        said=part.read("said", Part.pattern, ""),
        called=part.read("called", lambda each: scope.tool(each, scope.process.aliases), ""),
        turn=part.read("turn", lambda each: each.integer(1), None),
        once=part.read("once", Part.flag, True),
        ends=part.read("ends", Part.flag, False),
    )
    if not rule.say and not rule.ends:
        part.fail("a rule needs `say`, what the user says; only one that `ends` may do without")
    return rule

"""`script`: a user with written lines and the conditions on which each is said."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seatrial.base.errors import SimulatorError
from seatrial.records.task import Task, UserRule
from seatrial.records.trace import AGENT
from seatrial.world.ledger import Ledger

MAX_TEXT = 10_000
"""How much of an agent's message the conditions look at, characters."""


class ScriptedUser:
    """A user who answers by the first rule that fits.

    Args:
        rules: The rules in order.
        ledger: The trial's record.
    """

    def __init__(self, rules: Sequence[UserRule], ledger: Ledger) -> None:
        self._open = [(rule, _compiled(rule.said)) for rule in rules]
        self._ledger = ledger
        self._answers = 0
        self.left = False

    def say(self, text: str, *, actor: str = AGENT, context: str = AGENT, parent: int | None = None) -> str | None:
        """Hear what the agent says and answer.

        Args:
            text: What the agent says.
            actor: Path of the agent that says it.
            context: The conversation it is said in.
            parent: Sequence number of the call in which it is said; `None`: in none.

        Returns:
            The answer; `None`: the user has nothing to say and has left.
        """
        self._ledger.agent_message(text, actor=actor, context=context, parent=parent)
        rule = None if self.left else self._fitting(text[:MAX_TEXT])
        if rule is None:
            self.left = True
            return None
        self._answers += 1
        self.left = rule.ends
        if not rule.say:
            return None
        self._ledger.user_turn(rule.say, context=context, parent=parent)
        return rule.say

    def _fitting(self, text: str) -> UserRule | None:
        for index, (rule, said) in enumerate(self._open):
            if self._fits(rule, said, text):
                if rule.once:
                    del self._open[index]
                return rule
        return None

    def _fits(self, rule: UserRule, said: re.Pattern[str] | None, text: str) -> bool:
        if rule.turn is not None and rule.turn != self._answers + 1:
            return False
        if rule.called and not self._ledger.has_called(rule.called):
            return False
        return said is None or said.search(text) is not None


def open_user(task: Task, ledger: Ledger) -> ScriptedUser:
    """Return the user of one trial.

    Args:
        task: The task with the user's script.
        ledger: The trial's record.

    Raises:
        SimulatorError: A condition is no regular expression.
    """
    return ScriptedUser(task.user.script, ledger)


def _compiled(pattern: str) -> re.Pattern[str] | None:
    if not pattern:
        return None
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise SimulatorError(f"the user's condition {pattern!r} is no regular expression: {error}") from error

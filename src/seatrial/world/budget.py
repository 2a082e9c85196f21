"""The allowance of a trial: it says no before the call that would cross a ceiling."""

from __future__ import annotations

from collections import Counter

from seatrial.base.clock import Clock
from seatrial.base.errors import BudgetExceeded
from seatrial.records.contract import Budget
from seatrial.records.trace import TokenUsage, Usage

MAX_FREE_RETRIES = 10
"""Retries of one identical call after injected faults that are not counted; further ones are, so that no loop is endless."""


class Allowance:
    """What a trial has used and what is left of its budget.

    Args:
        budget: The ceilings.
        clock: The trial's virtual clock.
    """

    def __init__(self, budget: Budget, clock: Clock) -> None:
        self.budget, self._clock = budget, clock
        self._calls = 0
        self._owed: Counter[bytes] = Counter()
        self._freed: Counter[bytes] = Counter()
        self._model_calls = 0
        self._tokens: int | None = 0
        self._known_tokens = 0
        self._usd: float | None = 0.0
        self._known_usd = 0.0

    def attempt(self, identity: bytes) -> None:
        """Charge one attempted call, before it is made.

        Args:
            identity: Tool and arguments: a call repeated after an injected fault is not charged.

        Raises:
            BudgetExceeded: The call would cross a ceiling; it is not charged and must not be made.
        """
        self._check("tokens", self.budget.tokens, self._known_tokens)
        self._check("usd", self.budget.usd, self._known_usd)
        self._check("seconds", self.budget.seconds, self._clock.seconds())
        if self._owed[identity] > 0 and self._freed[identity] < MAX_FREE_RETRIES:
            self._owed[identity] -= 1
            self._freed[identity] += 1
            return
        limit = self.budget.calls
        if limit is not None and self._calls >= limit:
            raise BudgetExceeded("calls", limit, self._calls)
        self._calls += 1

    def wait(self, seconds: float) -> None:
        """Refuse virtual seconds that would cross the ceiling.

        Raises:
            BudgetExceeded: They would.
        """
        limit, used = self.budget.seconds, self._clock.seconds()
        if limit is not None and used + seconds > limit:
            raise BudgetExceeded("seconds", limit, used)

    def excuse(self, identity: bytes) -> None:
        """Note that an injected fault failed a call: the identical call that follows is not charged."""
        self._owed[identity] += 1

    def model_call(self, usage: TokenUsage, usd: float | None) -> None:
        """Charge one exchange with a model that has been made.

        Args:
            usage: Its tokens; a class that is `None` is unknown.
            usd: Its price; `None`: unknown.

        Raises:
            BudgetExceeded: It crossed a ceiling.
        """
        self._model_calls += 1
        known = [tokens for tokens in (usage.input, usage.cache_read, usage.cache_write, usage.output) if tokens is not None]
        self._known_tokens += sum(known)
        self._tokens = None if self._tokens is None or usage.input is None or usage.output is None else self._known_tokens
        self._known_usd += usd or 0.0
        self._usd = None if self._usd is None or usd is None else self._known_usd
        self._check("tokens", self.budget.tokens, self._known_tokens)
        self._check("usd", self.budget.usd, self._known_usd)

    def usage(self) -> Usage:
        """Return what has been used so far; tokens and money are `None` where they are not known."""
        seen = self._model_calls > 0
        return Usage(self._calls, self._model_calls, self._tokens if seen else None, self._usd if seen else None, self._clock.seconds())

    def _check(self, ceiling: str, limit: float | None, used: float) -> None:
        if limit is not None and used > limit:
            raise BudgetExceeded(ceiling, limit, used)

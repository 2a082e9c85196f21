"""The gate policy: which rules are asked, with which arguments."""

from __future__ import annotations

from msgspec import Raw, Struct


class RuleUse(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule of a policy."""

    rule: str
    """Name of the gate rule plug-in."""
    arguments: Raw = Raw(b"{}")
    """JSON object of its arguments."""


class Policy(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rules that a run must pass, every one of them."""

    rules: tuple[RuleUse, ...] = ()


PLAIN = Policy(rules=(RuleUse("regression_strict"), RuleUse("no_violation")))
"""The plain policy: every regression task strict on every trial, and no violation."""

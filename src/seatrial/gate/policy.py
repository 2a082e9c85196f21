"""The gate policy: which rules are asked, with which arguments."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct, structs

from seatrial.base.catalogue import load
from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean

MOST_USES = 200
"""Uses of rules beyond which a policy is refused."""


class RuleUse(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule of a policy."""

    rule: str
    """Name of the gate rule plug-in."""
    arguments: Raw = Raw(b"{}")
    """JSON object of its arguments."""


class Policy(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rules that a run must pass, every one of them."""

    rules: tuple[RuleUse, ...] = ()


SAFETY = RuleUse("no_violation")
"""The rule that no policy is without."""
PLAIN = Policy(rules=(RuleUse("regression_strict"), SAFETY))
"""The plain policy: every regression task strict on every trial, and no violation."""
Given = dict[str, object] | list[dict[str, object]] | None
"""What stands behind a rule's name: its arguments, a list of them when it is asked several times, or nothing."""


def read_policy(gate: Raw) -> Policy:
    """Return the policy that a suite's `gate:` or a manifest holds.

    Args:
        gate: JSON object: name of a rule → JSON object of its arguments, a list of such objects to ask it several times, `null` for none;
            an empty one is the plain policy.

    Raises:
        UsageError: A rule is not known, or does not take such arguments.
    """
    try:
        named = msgspec.json.decode(gate, type=dict[str, Given])
    except msgspec.MsgspecError as error:
        raise UsageError(f"a gate policy is a mapping of rules to their arguments: {error}") from error
    uses = tuple(RuleUse(name, Raw(msgspec.json.encode(one or {}))) for name, given in named.items() for one in _each(name, given))
    if len(uses) > MOST_USES:
        raise UsageError(f"a gate policy of {len(uses)} rules is too long; the limit is {MOST_USES}")
    for use in uses:
        read_arguments(use)
    return with_safety(Policy(uses)) if uses else PLAIN


def with_safety(policy: Policy) -> Policy:
    """Return a policy that asks about violations whatever it names: no choice of rules can buy one back.

    Args:
        policy: The rules that were chosen.
    """
    asked = any(use.rule == SAFETY.rule for use in policy.rules)
    return policy if asked else Policy((*policy.rules, SAFETY))


def read_arguments(use: RuleUse) -> Struct:
    """Return the arguments of one use of a rule as the rule's own `Arguments`.

    Args:
        use: The rule's name and its arguments.

    Raises:
        UsageError: The rule is not known, or takes no such argument.
    """
    wanted = load("gate_rule", use.rule).Arguments
    known = [field.encode_name for field in structs.fields(wanted)]
    given = msgspec.json.decode(use.arguments)
    for name in given if isinstance(given, dict) else ():
        if name not in known:
            takes = f"known: {', '.join(known)}." if known else "it takes none."
            raise UsageError(f"the gate rule {use.rule!r} has no argument {name!r}; {takes}{did_you_mean(name, known)}")
    try:
        return msgspec.json.decode(use.arguments, type=wanted)
    except msgspec.MsgspecError as error:
        raise UsageError(f"the arguments of the gate rule {use.rule!r} are wrong: {error}") from error


def _each(name: str, given: Given) -> list[dict[str, object] | None]:
    """Return the arguments of each use of a rule; a list without any is a slip, and would ask nothing."""
    if not isinstance(given, list):
        return [given]
    if not given:
        raise UsageError(f"the gate rule {name!r} has an empty list of arguments, so that it would not be asked; leave it out, or fill it")
    return list(given)

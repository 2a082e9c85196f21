"""From a summary and a policy to a decision: fail if a rule fails, else inconclusive if one is, else pass."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.base.catalogue import load
from seatrial.gate.evidence import Evidence
from seatrial.gate.policy import PLAIN, Policy, read_arguments, with_safety
from seatrial.records.decision import Decision, DecisionValue, RuleResult
from seatrial.records.summary import RunSummary

WHOLE_RUN = "whole_run"
"""Name under which a partial run is reported: it is not a rule that a policy could leave out."""


def decide(evidence: Evidence, policy: Policy | None = None) -> Decision:
    """Return the decision on a run.

    Args:
        evidence: The run's summary, and what else rules may read.
        policy: The rules to ask; `None`: the plain policy.

    Returns:
        The decision: a violation fails whatever the policy names; a partial run is at best inconclusive, and so is one that no rule of
        the policy looked at.

    Raises:
        UsageError: A rule of the policy is not known, or does not take such arguments.
    """
    policy, summary = PLAIN if policy is None else policy, evidence.summary
    results = [load("gate_rule", use.rule).evaluate(evidence, read_arguments(use)) for use in with_safety(policy).rules]
    results += _whole(summary)
    value = _worst(results) if policy.rules or any(result.value == "fail" for result in results) else "inconclusive"
    return Decision(
        value=value,
        sentence=_sentence(summary, value, results),
        rules=tuple(results),
        warnings=summary.warnings,
        next=summary.next if value != "inconclusive" else _more_evidence(summary),
    )


def _whole(summary: RunSummary) -> list[RuleResult]:
    """Return an inconclusive result when the run is only a part of its suite."""
    reason = f"only a part of the suite was run: {summary.partial}"
    return [RuleResult(WHOLE_RUN, "inconclusive", reason)] if summary.partial else []


def _worst(results: Sequence[RuleResult]) -> DecisionValue:
    """Return fail before inconclusive before pass; nothing asked is inconclusive."""
    found = {result.value for result in results}
    return "fail" if "fail" in found else "pass" if found == {"pass"} else "inconclusive"


def _sentence(summary: RunSummary, value: DecisionValue, results: Sequence[RuleResult]) -> str:
    """Return the decision in one sentence."""
    name = summary.candidate.name
    reasons = "; ".join(result.reason for result in results if result.value == value) or "no rule was asked"
    if value == "pass":
        return f"PASS: {name} may ship: {reasons}."
    if value == "fail":
        return f"FAIL: {name} must not ship: {reasons}."
    return f"INCONCLUSIVE: nothing says yet whether {name} may ship: {reasons}."


def _more_evidence(summary: RunSummary) -> str:
    """Return what would make an inconclusive run decidable."""
    if summary.partial:
        return "Run the whole suite: seatrial run SUITE --agent AGENT -o RUN"
    if any(row.unknown for row in summary.statuses):
        return "Run again with the same file to get the missing trials: seatrial run SUITE --agent AGENT -o RUN"
    if summary.review.waiting:
        return "Let two reviewers read what the rules cannot decide: seatrial label RUN"
    if summary.review.unjudged:
        return "Judge again with the suite, for a rule could not be asked: seatrial regrade RUN --suite SUITE"
    if not any(kind.kind == "regression" for kind in summary.kinds):
        return "Mark the tasks that must never break again as `kind: regression`, and run again"
    return summary.next

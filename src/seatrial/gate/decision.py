"""From evidence and a policy to a decision: fail if a rule fails, else inconclusive if one is, else pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from seatrial.base.catalogue import load
from seatrial.base.wording import count
from seatrial.gate._lost import lost_unevenly
from seatrial.gate._naming import HOW_TO_NAME_ONE
from seatrial.gate._reading import read_words
from seatrial.gate.evidence import Evidence
from seatrial.gate.policy import PLAIN, Policy, RuleUse, read_arguments, with_safety
from seatrial.records.decision import Decision, DecisionValue, RuleResult, Subject
from seatrial.records.kind_summary import Coverage
from seatrial.records.summary import RunSummary

WHOLE_RUN = "whole_run"
"""Name under which a partial run is reported: it is not a rule that a policy could leave out."""
COVERAGE = "coverage"
"""Name under which too many unknown trials are reported: nor is it."""
LEAST_COVERAGE = 0.95
"""Share of the planned trials that must have a known result before anything passes."""
_VERBS = {"pass": ("passes", "pass"), "fail": ("fails", "fail"), "inconclusive": ("is inconclusive", "are inconclusive")}
"""Value → what one rule, and several rules, do."""
_SAID = 4
"""Rules from which on the sentence of a decision names rules and gives one reason, in place of every reason."""


def decide(evidence: Evidence, policy: Policy | None = None) -> Decision:
    """Return the decision on a run.

    Args:
        evidence: The run's summary, and what else rules may read.
        policy: The rules to ask; `None`: the plain policy.

    Returns:
        The decision: a violation fails whatever the policy names; a partial run is at best inconclusive, and so is one with too many
        unknown trials, and one that no rule of the policy looked at.

    Raises:
        UsageError: A rule of the policy is not known, or does not take such arguments.
    """
    policy, summary = PLAIN if policy is None else policy, evidence.summary
    uses = with_safety(policy).rules
    asked = [_rule(use).evaluate(evidence, read_arguments(use)) for use in uses]
    results = [*asked, *_whole(summary), *_covered(evidence)]
    value = _worst(results) if policy.rules or any(result.value == "fail" for result in results) else "inconclusive"
    return Decision(
        value=value,
        sentence=_sentence(summary, value, results),
        rules=tuple(results),
        warnings=(*summary.warnings, *evidence.warnings, *lost_unevenly(evidence), *_overfitted(evidence, uses, asked)),
        next=summary.next if value != "inconclusive" else _more_evidence(summary, results),
        read=_told(read_words(summary.review)),
    )


def _rule(use: RuleUse) -> ModuleType:
    """Return the rule that is asked."""
    return load("gate_rule", use.rule)


def _whole(summary: RunSummary) -> list[RuleResult]:
    """Return an inconclusive result when the run is only a part of its suite."""
    reason = f"only a part of the suite was run: {summary.partial}"
    return [RuleResult(WHOLE_RUN, "inconclusive", reason)] if summary.partial else []


def _covered(evidence: Evidence) -> list[RuleResult]:
    """Return an inconclusive result when too few of the planned trials have a known result, in the run or in its judged tasks."""
    looked_at: tuple[tuple[Subject, Coverage], ...] = (
        ("run", evidence.summary.coverage),
        (evidence.subject, evidence.judged.coverage),
    )
    for subject, coverage in looked_at:
        if coverage.planned and coverage.scored < LEAST_COVERAGE * coverage.planned:
            known = f"{coverage.scored:,} of {count(coverage.planned, 'trial')} of the {subject} have a known result"
            reason = f"{known}; under {100 * LEAST_COVERAGE:g} % nothing passes"
            return [RuleResult(COVERAGE, "inconclusive", reason, subject=subject, limit=LEAST_COVERAGE)]
    return []


def _overfitted(evidence: Evidence, uses: Sequence[RuleUse], results: Sequence[RuleResult]) -> Iterator[str]:
    """Yield a warning for every rule that the holdout fails and the other tasks pass."""
    dev = evidence.on_dev
    for use, result in zip(uses, results, strict=True):
        if dev is not None and result.value == "fail" and result.subject == "holdout":
            other = _rule(use).evaluate(dev, read_arguments(use))
            if other.value == "pass":
                yield (
                    f"Overfitting: the tasks that could be tuned on pass {use.rule} ({other.reason}), "
                    f"and the holdout fails it ({result.reason})."
                )


def _worst(results: Sequence[RuleResult]) -> DecisionValue:
    """Return fail before inconclusive before pass; nothing asked is inconclusive."""
    found = {result.value for result in results}
    return "fail" if "fail" in found else "pass" if found == {"pass"} else "inconclusive"


def _sentence(summary: RunSummary, value: DecisionValue, results: Sequence[RuleResult]) -> str:
    """Return the decision in one sentence."""
    name, found = summary.candidate.name, [result for result in results if result.value == value]
    reasons = "; ".join(_of(result, result.reason) for result in found) if len(results) <= _SAID else _in_short(found, len(results))
    if value == "pass":
        return f"PASS: {name} may ship: {reasons}."
    if value == "fail":
        return f"FAIL: {name} must not ship: {reasons}."
    return f"INCONCLUSIVE: nothing says yet whether {name} may ship: {reasons or 'no rule was asked'}."


def _in_short(found: Sequence[RuleResult], asked: int) -> str:
    """Return which of many rules say the same, and the first of their reasons."""
    if not found:
        return ""
    if len(found) == asked:
        return f"it passes all {asked} rules" if found[0].value == "pass" else f"none of {asked} rules passes"
    names = ", ".join(dict.fromkeys(result.rule for result in found))
    return f"{len(found)} of {asked} rules {_VERBS[found[0].value][len(found) > 1]} ({names}): {_of(found[0], found[0].reason)}"


def _of(result: RuleResult, words: str) -> str:
    """Return what is said of a rule, with the split that it looked at where the words do not name it."""
    return f"holdout: {words}" if result.subject == "holdout" and "holdout" not in words else words


def _more_evidence(summary: RunSummary, results: Sequence[RuleResult]) -> str:
    """Return what would make an inconclusive run decidable: the run itself first, then what its rules ask for."""
    first = (
        (
            _is_table(summary),
            "A table cannot be shipped, for it has no suite, and no agent to run again; compare it: seatrial compare BASELINE RUN",
        ),
        (summary.partial, "Run the whole suite: seatrial run SUITE --agent AGENT -o RUN"),
        (
            any(row.unknown for row in summary.statuses) and summary.source != "run",
            "Get the missing trials where the recording comes from, and import it again: seatrial import --help",
        ),
        (
            any(row.unknown for row in summary.statuses),
            "Run again with the same file to get the missing trials: seatrial run SUITE --agent AGENT -o RUN",
        ),
        (summary.review.waiting, "Let two reviewers read what the rules cannot decide: seatrial label RUN"),
        (
            summary.review.unjudged,
            "Judge again with the suite, for a rule could not be asked: seatrial regrade RUN --suite SUITE",
        ),
    )
    return next((words for holds, words in first if holds), "") or _asked_for(summary, results) or summary.next


def _is_table(summary: RunSummary) -> bool:
    """Tell whether a run was read from results alone: nobody saw what was done, so that no trial says anything of safety."""
    answered = (row.passed + row.failed + row.undetermined for row in summary.questions if row.question == "safety")
    return summary.source != "run" and not any(answered)


def _asked_for(summary: RunSummary, results: Sequence[RuleResult]) -> str:
    """Return what the inconclusive rules ask for: a baseline, the most trials, else the first of them in its own words."""
    needs = [(result, result.need) for result in results if result.need is not None]
    open_ = [result for result in results if result.value == "inconclusive"]
    if any(HOW_TO_NAME_ONE in result.reason for result in open_):
        return "Say which run is the baseline, with all other options as they were: seatrial gate RUN --baseline BASELINE"
    trials, recorded = max((need.trials or 0 for _, need in needs), default=0), summary.source != "run"
    if trials and recorded:
        return f"Record {trials} trials of each task where the recording comes from, and import it again: seatrial import --help"
    if trials:
        return f"Run more trials: seatrial run SUITE --agent AGENT --trials {trials} -o RUN"
    if any(result.rule == "regression_strict" for result in open_):
        again = "judge again: seatrial regrade RUN --suite SUITE" if recorded else "run again"
        return f"Mark the tasks that must never break again as `kind: regression`, and {again}"
    first = _of(needs[0][0], needs[0][1].words) if needs else _of(open_[0], open_[0].reason) if open_ else ""
    return _told(first) if open_ else ""


def _told(words: str) -> str:
    """Return some words with a capital at their start."""
    return f"{words[:1].upper()}{words[1:]}"

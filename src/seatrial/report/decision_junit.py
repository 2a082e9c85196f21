"""A decision as JUnit XML: one test case a rule, for every build server that reads it."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element, SubElement

from seatrial.records.decision import RuleResult, SealedDecision
from seatrial.report._decision_sections import need
from seatrial.report._junit import TAGS, drawn, safe, suite


def render(sealed: SealedDecision) -> str:
    """Return a decision as JUnit XML.

    Args:
        sealed: The decision.

    Returns:
        The text: one test suite, one test case a rule and one for the decision. A rule that fails is a failure, one that is inconclusive an
        error – neither is green – and its text holds the reason, what it would take, and the trials to look at.
    """
    decision, group = sealed.decision, f"{sealed.run.suite}.gate"
    root = Element("testsuites", name=safe(sealed.run.suite))
    tags = [TAGS[value] for value in (*(rule.value for rule in decision.rules), decision.value)]
    part = suite(root, group, tags, sealed.run.created_at)
    seen: Counter[str] = Counter()
    for rule in decision.rules:
        seen[rule.rule] += 1
        name = rule.rule if seen[rule.rule] == 1 else f"{rule.rule} {seen[rule.rule]}"
        _case(part, group, name, TAGS[rule.value], rule.reason, _text(rule, sealed))
    _case(part, group, "decision", TAGS[decision.value], decision.sentence, "\n".join((*decision.warnings, decision.read)))
    return drawn(root)


def _case(part: Element, group: str, name: str, tag: str, reason: str, text: str) -> None:
    """Add one test case."""
    case = SubElement(part, "testcase", name=safe(name), classname=safe(group))
    if tag:
        SubElement(case, tag, message=safe(reason)).text = safe(text)
    else:
        SubElement(case, "system-out").text = safe("\n".join(filter(None, (reason, text))))


def _text(rule: RuleResult, sealed: SealedDecision) -> str:
    """Return what it would take, and the trials to look at."""
    return "\n".join(filter(None, (need(rule, sealed), *rule.evidence)))

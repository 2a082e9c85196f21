"""What the page of a decision says, section by section; the terminal and Markdown draw the same sections."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.records.decision import RuleResult, SealedDecision
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import filled_in

_DIGITS = 12
"""Digits of a hash that are shown."""
_NAMED = 12
"""Trials that are named as the evidence of a rule."""
SUBJECTS = {"holdout": "holdout: ", "dev": "dev: "}
"""Which tasks a rule looked at, before its reason; the others say it themselves."""
_ORDER = ("fail", "inconclusive", "pass")


def title(sealed: SealedDecision, names: str = "") -> str:
    """Return what was decided on, and against what, in a line.

    Args:
        sealed: The decision.
        names: What is held against what, as the comparison calls them; empty: there is none, or it is not at hand.
    """
    against = f" against {sealed.baseline.candidate}" if sealed.baseline is not None else ""
    return plain(f"{sealed.run.suite} {sealed.run.suite_version}".strip() + f": {names or f'{sealed.run.candidate}{against}'}")


def facts(sealed: SealedDecision) -> str:
    """Return what a reader needs to find the same decision again, in a line."""
    parts = [f"decided on {sealed.today}", f"run {sealed.run.hashes.content[:_DIGITS]}"]
    parts += [f"baseline {sealed.baseline.hashes.content[:_DIGITS]}"] if sealed.baseline is not None else []
    parts += _approval(sealed)
    return plain(" · ".join([*parts, f"{_policy(sealed)} {sealed.policy_hash[:_DIGITS]}", f"seed {sealed.run.seed}"]))


def _approval(sealed: SealedDecision) -> list[str]:
    """Return who approved the baseline; nothing where another run than the pinned one was held against."""
    if sealed.pin is None or sealed.baseline is None or sealed.baseline.hashes.content != sealed.pin.hash:
        return []
    return [f"approved by {sealed.pin.by}"]


def _policy(sealed: SealedDecision) -> str:
    """Return which policy decided: one that asks two rules because nobody wrote another is called by its name."""
    return "the plain policy" if bytes(sealed.policy) == b"{}" else "policy"


def next_step(sealed: SealedDecision, agent: str = "") -> str:
    """Return what to do next, with the names that are known.

    Args:
        sealed: The decision.
        agent: How the candidate is called; empty: not known.
    """
    return plain(filled_in(sealed.decision.next, {**_files(sealed), "AGENT": agent}))


def need(rule: RuleResult, sealed: SealedDecision) -> str:
    """Return what it would take to decide a rule, with the names that are known; empty: it is decided.

    Args:
        rule: The rule.
        sealed: The decision that it is of.
    """
    words = "" if rule.need is None else rule.need.words
    subject = SUBJECTS.get(rule.subject, "") if words and rule.subject not in words else ""
    return plain(f"{subject}{filled_in(words, _files(sealed))}")


def _files(sealed: SealedDecision) -> dict[str, str]:
    """Return what stands for a file in a command → the file."""
    return {"RUN": sealed.run.run, "BASELINE": sealed.baseline.run if sealed.baseline is not None else ""}


def sections(sealed: SealedDecision, conclusion: str = "") -> Iterator[Section]:
    """Yield the sections of a decision in their fixed order; those with nothing to say are left out.

    Args:
        sealed: The decision.
        conclusion: What the comparison with the baseline comes to, in a sentence; empty: there is none.
    """
    decision = sealed.decision
    first = sorted(decision.rules, key=lambda rule: _ORDER.index(rule.value))
    rows = tuple((rule.rule, rule.value, f"{SUBJECTS.get(rule.subject, '')}{plain(rule.reason)}") for rule in first)
    yield Section("Rules", Grid(("rule", "says", "because"), rows, left=3, wide=2))
    evidence = tuple(_evidence(rule) for rule in decision.rules if rule.value != "pass" and rule.evidence)
    # No full stop behind a command: it would be copied with it.
    told = ((rule, need(rule, sealed)) for rule in decision.rules)
    needs = tuple(f"{rule.rule}: {words}{'' if ': seatrial ' in words else '.'}" for rule, words in told if words)
    against = (plain(conclusion),) if conclusion else ()
    warnings = tuple(plain(line) for line in decision.warnings)
    read = (f"{plain(decision.read)}.",) if decision.read else ()
    for name, lines in (
        ("What it would take", needs),
        ("Where to look", evidence),
        ("Against the baseline", against),
        ("Transcripts", read),
        ("Warnings", warnings),
    ):
        if lines:
            yield Section(name, None, lines)


def _evidence(rule: RuleResult) -> str:
    """Return the tasks and trials that a rule rests on."""
    rest = len(rule.evidence) - _NAMED
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"{rule.rule}: {plain(', '.join(rule.evidence[:_NAMED]))}{more}"

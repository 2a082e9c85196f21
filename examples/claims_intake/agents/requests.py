"""Telling a notice of loss from a question and from what is not intake's."""

import re

_DECLINED = (
    ("DP-4", r"fraud flag|has claimed under his policy|what he has claimed|my mother's claim"),
    ("PY-2", r"pay me an advance|an advance on|settle the claim|payment of £[\d,]+ made"),
    ("CH-7", r"new bank account|cancel the policy|change of address|taken off hl|cover .* taken off"),
)
_QUESTIONS = (
    ("exclusion", r"exclusion code"),
    ("high", r"high-value"),
    ("deductible", r"excess|bear myself|pay myself"),
    ("limit", r"\blimit\b|the most (?:you'd|that)"),
    ("ends", r"\bends?\b\.?|lapse"),
    ("queue", r"which queue|which team"),
    ("status", r"status|go anywhere"),
    ("covered", r"am i insured"),
)


def declined_form(text: str) -> str:
    """Return the form for a request that is not intake's; empty: it is none."""
    lower = " ".join(text.lower().split())
    return next((form for form, told in _DECLINED if re.search(told, lower)), "")


def question_about(text: str) -> str:
    """Return what a question asks for; empty: it asks nothing that we answer."""
    lower = " ".join(text.lower().split())
    return next((subject for subject, told in _QUESTIONS if re.search(told, lower)), "")


def answer(subject: str, claim: dict, policy: dict, terms: dict) -> str:
    """Return the answer to a question, in the words of our records.

    Args:
        subject: What is asked for.
        claim: The line of the claim file that is meant; empty: none.
        policy: The policy record.
        terms: Its terms for the kind of loss; empty: not asked for.
    """
    if subject in ("status", "queue"):
        return _standing(claim)
    if subject == "ends":
        return f"Policy {policy['policy_id']} ends on {policy.get('ends', '31 December')}."
    if subject == "covered":
        return "Yes, it is insured." if terms["covered"] else "No. This policy does not insure it."
    if subject == "exclusion":
        return f"Exclusions of this policy: {', '.join(terms['exclusions']) or 'none'}."
    amount = {"deductible": "deductible", "limit": "sum_limit", "high": "high_value_from"}[subject]
    return f"{amount.replace('_', ' ').capitalize()}: {terms[amount]} pounds."


def _standing(claim: dict) -> str:
    if not claim:
        return "Your claim is being worked on."
    place = f" Queue: {claim['queue']}." if claim["queue"] else ""
    return f"Claim {claim['claim_id']}: status {claim['status']}.{place}"

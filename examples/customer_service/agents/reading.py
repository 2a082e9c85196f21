"""What a customer wants: changes, questions, and what is not this desk's, sentence by sentence."""

import re
from dataclasses import dataclass

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CHANGES = {
    "change_address": r"\b(?:moved|moving|new address|my address|change of address|we now live|I now live)\b",
    "change_email": r"\bnew e-?mail|\b(?:change|switch|update|correct) (?:my|the) e-?mail|\be-?mail (?:is now|has changed|to)\b",
    "change_payment_method": r"\b(?:pay|paid|charged?|bill|taken?|collect(?:ed)?)\b.*\b(?:card|direct debit)\b|\bpayment method\b",
    "change_payout_account": r"\bpayouts?\b|\bIBAN\b|\brefunds?\b.*\bshould go\b|\baccount you pay\b",
    "cancel_policy": r"\bcancel\b|\bend (?:the|my) (?:cover|policy)\b|\bstop the (?:cover|policy)\b",
    "send_certificate": r"\bcertificate\b|\bproof of (?:cover|insurance)\b",
    "note": r"\bnote (?:on|in) my file\b|\bleave a note\b|\bplease note\b",
}
_QUESTIONS = {
    "premium": r"\b(?:what|how much|tell me|know)\b.*\bpremium\b|\bhow much do I pay\b|\bwhat do I pay\b",
    "excess": r"\bexcess\b",
    "ends": r"\bwhen (?:does|do|is)\b.*\b(?:end|ends|run out|expire|renew|over)\b|\buntil when\b|\bhow long\b",
    "status": r"\bstill (?:active|in force|running)\b",
    "refund": r"\bget back\b|\bcome back\b|\bwhat refund\b|\bhow big\b.*\brefund\b|\brefund be\b",
    "paid_by": r"\bwhich (?:card|account|payment)\b|\bhow is\b.*\bpaid\b",
    "contact": r"\b(?:what|which) (?:e-?mail|address)\b.*\b(?:have|hold)\b",
    "inbox": r"\b(?:did|have|has)\b.*\b(?:get|got|receive|received|arrive|arrived|reached)\b",
}
_RELATIVES = (
    "mother|father|mum|dad|wife|husband|son|daughter|aunt|uncle|neighbour|sister|brother|grandmother|grandfather|partner|client|friend|boss"
)
_FOR_ANOTHER = re.compile(
    rf"\bon behalf of\b|\bI(?:'m| am) (?:his|her|their)\b|\b(?:calling|writing|speaking|asking|here) for (?:my|an?|the) (?:{_RELATIVES})\b"
    rf"|\bmy (?:{_RELATIVES})(?:'s|’s) (?:policy|insurance|address|account|file|cover|e-?mail|home|car|name)\b"
    r"|\bmy client\b|\bpower of attorney\b",
    re.IGNORECASE,
)
_TO_OTHERS = re.compile(
    r"\b(?:e-?mail|send|forward|write|copy|cc)\b.*\b(?:to )?(?:my|our|the) "
    r"(?:broker|landlord|landlady|bank|employer|garage|letting agent|solicitor|lender|accountant|club|marina|cousin|brother-in-law)\b",
    re.IGNORECASE,
)
_ABOUT_CLAIMS = re.compile(r"\b(?:my|a|the) claim\b|\badvance\b", re.IGNORECASE)
_COMPLAINT = re.compile(r"\bcomplain(?:t|ing)?\b", re.IGNORECASE)
PRODUCTS = {
    "home": r"home|house|buildings?|cottage",
    "contents": r"contents|flat",
    "motor": r"motor|car",
    "boat": r"boat",
    "bicycle": r"bicycle|bike",
    "travel": r"travel",
    "pet": r"pet|dog|cat",
}


@dataclass(frozen=True)
class Request:
    """One thing that is wanted.

    Args:
        kind: Name of a tool that writes, of a question, or `claims`, `complaint`, `to_others`.
        text: The sentence.
    """

    kind: str
    text: str


def requests_in(text):
    """Return what a text asks for, in order; a kind once for each policy that is named."""
    found = []
    for sentence in _SENTENCE.split(text):
        found += [Request(kind, sentence) for kind in _kinds(sentence)]
    return found


def speaks_for_another(text):
    """Tell whether the writer speaks for somebody else."""
    return _FOR_ANOTHER.search(text) is not None


def product_in(text):
    """Return the product that a text names first; empty: none."""
    found = [(match.start(), name) for name, words in PRODUCTS.items() if (match := re.search(rf"\b(?:{words})\b", text, re.IGNORECASE))]
    return min(found)[1] if found else ""


def asks(text):
    """Tell whether something in a text is a question."""
    return any(request.kind in _QUESTIONS for request in requests_in(text))


def is_question(kind):
    """Tell whether a kind of request is a question that the desk answers."""
    return kind in _QUESTIONS


def is_change(kind):
    """Tell whether a kind of request changes something and must be listed."""
    return kind in _CHANGES and kind != "note"


def _kinds(sentence):
    if _COMPLAINT.search(sentence):
        return ["complaint"]
    if _TO_OTHERS.search(sentence):
        return ["to_others"]
    if "?" in sentence and (questions := _matching(_QUESTIONS, sentence)):
        return questions
    if _ABOUT_CLAIMS.search(sentence):
        return ["claims"]
    return _matching(_CHANGES, sentence)


def _matching(patterns, sentence):
    return [kind for kind, pattern in patterns.items() if re.search(pattern, sentence, re.IGNORECASE)]

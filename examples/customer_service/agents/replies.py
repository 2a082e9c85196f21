"""What a customer answers to a list of changes. Only what leaves no doubt is a yes."""

import re

_STRONG = re.compile(
    r"\b(?:yes|yep|yeah|aye|sure|absolutely|certainly|agreed|confirm|confirmed|proceed|go ahead|do it|please do|of course)\b"
)
_HARMLESS = frozenset(
    re.findall(
        r"\S+",
        "well yes yep yeah aye sure absolutely certainly agreed i confirm confirmed proceed go ahead do it please of course ok okay"
        " that's that is right correct fine good perfect lovely great exactly thank thanks you then now with the list as listed all both"
        " everything them this make change changes cancel send and to by means happy i'm am want what",
    )
)
_NO = re.compile(
    r"^(?:no|nope|not|don't|do not|never|stop|leave|forget|keep)\b"
    r"|\b(?:keep it|leave it|don't|do not|stop|not now|another day|changed my mind)\b"
)
_SOME_YES = re.compile(r"\b(?:yes|yep|yeah|ok|okay|sure|fine|go ahead)\b")
_APPROVAL = re.compile(
    r"\b(?:yes|i confirm|i agree|you have my (?:approval|consent|yes)|i approve|consider it confirmed|go ahead|pre-approved)\b"
)
_BYE = re.compile(r"\b(?:no|nope|nothing|that's all|that is all|that was all|thank|thanks|thx|bye|goodbye|all good)\b")
_TOPICS = {
    "change_address": r"address(?<!e-mail address)(?<!email address)|move",
    "change_email": r"e-?mail",
    "change_payment_method": r"card|payment",
    "change_payout_account": r"account|payout",
    "cancel_policy": r"cancel|cancellation|policy",
    "send_certificate": r"certificate",
}


def is_yes(text):
    """Tell whether a reply is an explicit yes and nothing else."""
    plain = _plain(text)
    return bool(_STRONG.search(plain)) and "?" not in text and set(re.findall(r"[\w']+", plain)) <= _HARMLESS


def is_no(text):
    """Tell whether a reply is plainly a no, in English."""
    return bool(_NO.search(_plain(text)))


def has_yes(text):
    """Tell whether a yes stands somewhere in a reply."""
    return bool(_SOME_YES.search(_plain(text)))


def approves_beforehand(text):
    """Tell whether a request comes with an approval of whatever it will be."""
    return bool(_APPROVAL.search(_plain(text)))


def is_goodbye(text):
    """Tell whether nothing more is wanted."""
    return bool(_BYE.search(_plain(text)))


def dropped(text, tools):
    """Return the tools of a list that a reply leaves out: `only the address`, `leave the certificate`."""
    for sentence in re.split(r"(?<=[.!?])\s+", _plain(text)):
        named = {tool for tool in tools if re.search(_TOPICS[tool], sentence)}
        if re.search(r"\b(?:only|just)\b", sentence) and named:
            return set(tools) - named
        if re.search(r"\b(?:leave|forget|skip|drop|without|not)\b", sentence) and named != set(tools):
            return named
    return set()


def _plain(text):
    return text.replace("’", "'").lower().strip()

"""What kind of loss a notice tells of, which exclusions its facts fit, and whether a person must take over."""

import re

WEB_KINDS = {
    "Escape of water": "water",
    "Fire": "fire",
    "Theft": "theft",
    "Storm": "storm",
    "Liability": "liability",
    "Vehicle glass": "auto_glass",
    "Collision": "collision",
}
_WORDS = {
    "water": r"water|leak\w*|pipe|flood\w*|plumber|ceiling|overflow\w*|damp|soaked|tank|cistern",
    "fire": r"fire|smoke|burn\w*|flames?|lightning|scorch\w*|singed|caught fire|chimney fire",
    "theft": r"stolen|stole|theft|burgl\w*|broke in|broken into|taken|thie(?:f|ves)|police|forced",
    "storm": r"storms?|gale|wind|hail|gusts|snow|roof|slates|tiles",
    "liability": r"liab\w+|neighbours?[’']?s?|belonging to|wants me to pay|asks me to pay|us to pay|cyclist|solicitor",
    "auto_glass": r"windscreen|panoramic|sunroof|rear window|glass|stone",
    "collision": r"collided|collision|hit|reversed|ran into|bollard|barrier|bumper|accident|deer|garage says|airbag",
}
_CAUSES = {
    "liability": (
        r"\bliab(?:le|ility)\b",
        r"\b(?:wants?|asks?|like) (?:me|us|my insurance|it paid)\b",
        r"\bnot mine\b",
        r"\bbelong(?:s|ing) to\b",
        r"\bit's (?:his|her|their)\b",
        r"\bthe (?:owner|neighbour's)\b",
        r"\bonto a parked\b",
    ),
    "collision": (
        r"\b(?:collided|rear-ended|skidded)\b",
        r"\bscraped\b[^.]*\b(?:car|me)\b",
        r"\b(?:slid|reversed) into\b",
        r"\bthrough a hedge\b",
        r"\bran into the back\b",
        r"\bhit from\b",
        r"\bi hit\b",
        r"\bhit the (?:crash )?(?:barrier|gatepost|kerb)",
        r"\bdrove\b[^.]* against\b",
    ),
    "fire": (
        r"\bcaught fire\b",
        r"\bset (?:fire|the \w+ on fire)\b",
        r"\b(?:chimney|toaster) fire\b",
        r"\bfire brigade\b",
        r"\bhad a fire\b",
        r"\bburn(?:ed|t)\b",
        r"\b(?:lightning|scorch)\b",
    ),
    "theft": (
        r"\bburgl\w+",
        r"\bthie(?:f|ves)\b",
        r"\b(?:stole|stolen|taken)\b",
        r"\bto get in\b",
        r"\blevered\b",
        r"\bbroke(?:n)? (?:in|into|open)\b",
        r"\bkicked the door\b",
    ),
    "storm": (r"\b(?:storms?|gale|gusts|hail|snow|wind)\b",),
    "auto_glass": (r"\b(?:windscreen|panoramic|sunroof)\b", r"\b(?:rear|quarter) window\b"),
    "water": (
        r"\b(?:burst|split|dripping|cistern|hose)\b",
        r"\b(?:leak|overflow)\w*",
        r"\b(?:backed up|came through|gave way)\b",
    ),
}
"""Signs of each cause; the first that is told counts, because what follows from it is only damage."""
_DENIED = {
    "theft": r"nothing was taken|nothing missing|signs of a thief",
    "storm": r"still day",
    "liability": r"legal liability|private liability cover",
}
_EXCLUSIONS = {
    "W-SURFACE": (r"flood water|\briver\b|surface water", r"\bbacked up\b|from outside|under the \w+ door"),
    "W-SEAL": (r"\b(?:sealant|grout)\b", r"\bsilicone\b"),
    "F-SCORCH": (r"\bscorch", r"\bsinge"),
    "F-TRADE": (r"\bmy (?:business|trade|workshop)\b", r"\b(?:customer|client)s?\b|\bsideline\b|\bfor cash\b"),
    "T-NOFORCE": (r"no sign of forced entry", r"not locked|unlocked"),
    "T-VEHICLE": (r"\b(?:stolen|taken) from the (?:car|van)\b", r"\bleft\b[^.;]*\bin the (?:\w+ )?(?:car|van)\b"),
    "S-FENCE": (r"\bonly (?:the|a|our) (?:fence|hedge|gate)", r"\bnothing but (?:the )?(?:fence|hedge|gate)"),
    "S-WEAR": (r"\bknown to be\b|\brotten\b", r"\bhanging by\b|\bloose since\b"),
    "L-TRADE": (r"\bpaid job\b", r"(?<!un)\bpaid work\b"),
    "L-FAMILY": (r"\bbelongs to (?:my|our) (?:son|daughter|wife|husband)\b", r"\blive[sd]? with us\b"),
    "G-SUNROOF": (r"\bonly the (?:panoramic roof|sunroof)\b",) * 2,
    "C-HIRE": (r"\bfor (?:pay|payment|hire)\b", r"\bpassengers\b[^.]*\bapp\b|\bi drive for\b"),
    "C-UNNAMED": (r"\bnot named\b", r"\bnot on the policy\b"),
}
"""Code → signs in plain words, and signs in a paraphrase."""
_EMPTY = (r"\bstood empty\b|\bunoccupied\b", r"\bnobody has lived\b|\bbeen away\b")
_SEEPING = (r"\bleaking\b", r"\bdripping\b|\bweeping\b|\bseeping\b")
_UNHURT = r"\b(?:nobody|no one|not|never|no)\b[^.?!]{0,25}\b(?:hurt|injured|injuries)\b"
_HURT = (
    r"\bhospital\b|\bwhiplash\b|\bbroke his\b|\bburned her\b|\binjured\b|\bhurt\b",
    r"\bbruise|\bbumped (?:her|his) head\b|\bheadache\b",
)
_LEGAL = r"\bsolicitor|\bombudsman\b|\bthe court\b|\bregulator\b"
_NEEDS_CARE = r"\bis (?:8[1-9]|9\d)\b|\b(?:eighty|ninety)-\w+|\boxygen\b|\bdialysis\b|\bbaby\b"
_NO_ROOF = r"\b(?:cannot|can't) (?:stay|leave (?:her|him))\b|\bnowhere to sleep\b"


def kind_scores(text: str) -> dict[str, int]:
    """Return how many words of each kind of loss a text holds; kinds without any are left out."""
    lower = text.lower()
    scores = {kind: len(re.findall(rf"\b(?:{words})\b", lower)) for kind, words in _WORDS.items()}
    return {kind: score for kind, score in scores.items() if score}


def cause(text: str) -> str:
    """Return the kind of loss that is the told cause, the far-reaching ones first; empty: none is recognised."""
    lower = _flat(text)
    for kind, signs in _CAUSES.items():
        if any(re.search(sign, lower) for sign in signs) and not (kind in _DENIED and re.search(_DENIED[kind], lower)):
            return kind
    return ""


def fitting_exclusions(text: str, *, longest_span: int, between_lines: bool) -> frozenset[str]:
    """Return the exclusion codes whose facts a text tells of.

    Args:
        text: What counts as evidence.
        longest_span: The longest time that it speaks of, in days.
        between_lines: Whether paraphrases are understood too.
    """
    codes = {code for code, signs in _EXCLUSIONS.items() if _told(signs, text, between_lines=between_lines)}
    if longest_span > 60 and _told(_EMPTY, text, between_lines=between_lines):
        codes.add("W-UNOCC")
    if longest_span > 14 and _told(_SEEPING, text, between_lines=between_lines):
        codes.add("W-GRADUAL")
    return frozenset(codes)


def escalation(text: str, *, between_lines: bool) -> str:
    """Return why a person must take over; empty: nobody must."""
    hurt = re.sub(_UNHURT, "", _flat(text))
    if _told(_HURT, hurt, between_lines=between_lines):
        return "injury"
    if re.search(_LEGAL, _flat(text)):
        return "legal"
    return "vulnerable" if re.search(_NEEDS_CARE, _flat(text)) and re.search(_NO_ROOF, _flat(text)) else ""


def _told(signs: tuple[str, str], text: str, *, between_lines: bool) -> bool:
    return any(re.search(sign, _flat(text)) for sign in signs[: 2 if between_lines else 1])


def _flat(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())

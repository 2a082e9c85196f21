"""The parts of a notice: headings, fields, what the claimant says, attachments."""

import re
from dataclasses import dataclass
from datetime import date

from .days import explicit_days

_HEADING = re.compile(r"(?:From|To|Date|Subject|Submitted|Online (?:notice|question)|Harbourline file|Your file|Our file)\b.*")
_FIELD = re.compile(
    r"(?m)^(Policyholder|Policy number|Postcode|Registration|Date of loss|Kind of loss|Estimated cost of repair|Question): *(.*)$"
)
_NOTHING = re.compile(r"\(.*\)|see .*|don't know|unknown|")
_ATTACHED = re.compile(r"(?m)^(?:-----.*|Enclosure:.*)$")


@dataclass(frozen=True)
class Notice:
    """A notice, taken apart.

    Args:
        whole: The text as it came.
        body: What the sender tells, without headings, other people's lines and attachments.
        attached: What is enclosed or attached.
        fields: Field of a web form → value; empty fields are left out.
        day: The day of the notice.
        received: The day it came in, as YYYY-MM-DD.
        claim_id: The claim file; empty: none is named.
    """

    whole: str
    body: str
    attached: str
    fields: dict[str, str]
    day: date
    received: str
    claim_id: str

    @property
    def subject(self) -> str:
        """The subject line of a mail; empty: it has none."""
        line = re.search(r"(?m)^Subject: (.*)$", self.whole)
        return line[1] if line else ""

    @property
    def evidence(self) -> str:
        """All that counts as evidence: body and attachments."""
        return f"{self.body}\n{self.attached}"


def take_apart(text: str, now: str) -> Notice:
    """Take a notice apart.

    Args:
        text: The notice.
        now: The clock when it came in, ISO 8601.
    """
    received = date.fromisoformat(now[:10])
    told, _, attached = _split_attached(text)
    fields = {name: value.strip() for name, value in _FIELD.findall(told) if not _NOTHING.fullmatch(value.strip())}
    file = re.search(r"\bC-1\d{3}\b", text)
    return Notice(text, _body(told), attached, fields, _day(told, received), now[:10], file.group() if file else "")


def _split_attached(text: str) -> tuple[str, str, str]:
    mark = _ATTACHED.search(text)
    return (text[: mark.start()], mark.group(), text[mark.end() :]) if mark else (text, "", "")


def _body(told: str) -> str:
    if told.startswith("[Claims line"):
        return " ".join(line.removeprefix("Caller:").strip() for line in told.split("\n") if not line.startswith(("[", "Handler:")))
    if "\nDear" in told:
        told = told[told.index("\nDear") :]
    lines = (line for line in told.split("\n") if not _HEADING.match(line) and not _FIELD.match(line) and not line.endswith("wrote:"))
    return "\n".join(lines)


def _day(told: str, received: date) -> date:
    # Only a letter bears a date of its own, above its salutation.
    if told.startswith(("[", "From:", "Online")) or "\nDear" not in told:
        return received
    written = [day for _, day in explicit_days(told[: told.index("\nDear")], received)]
    return written[0] if written else received

"""A decision as annotations of a GitHub job: one line a rule that did not pass, one a warning, and one for the decision."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.records.decision import SealedDecision
from seatrial.report._decision_sections import need
from seatrial.report._plain import plain

_LEVELS = {"pass": "notice", "fail": "error", "inconclusive": "warning"}


def render(sealed: SealedDecision) -> str:
    """Return a decision as workflow commands.

    Args:
        sealed: The decision.

    Returns:
        One command a line; no word from outside can end a command, or begin another.
    """
    return "".join(f"{line}\n" for line in _lines(sealed))


def _lines(sealed: SealedDecision) -> Iterator[str]:
    """Yield the commands: the decision, the rules that did not pass, the warnings."""
    decision = sealed.decision
    yield _command(_LEVELS[decision.value], f"seatrial: {decision.value}", decision.sentence)
    for rule in decision.rules:
        if rule.value != "pass":
            words = ". ".join(filter(None, (rule.reason, need(rule, sealed))))
            yield _command(_LEVELS[rule.value], f"seatrial: {rule.rule} is {rule.value}", words)
    yield from (_command("warning", "seatrial: warning", warning) for warning in decision.warnings)


def _command(level: str, title: str, message: str) -> str:
    """Return one workflow command, its title and message escaped as GitHub wants them."""
    return f"::{level} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(message)}"


def _escaped(text: str) -> str:
    """Return a text with what ends a command written out."""
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

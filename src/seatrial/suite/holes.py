"""Holes that a suite lets stand: which mutant may pass, why, who accepted it, and when."""

from __future__ import annotations

from seatrial.records.proof import HoleNote
from seatrial.suite.part import Part

KEYS = {
    "mutant": "Name of the mutant as `seatrial prove` prints it, globs allowed.",
    "why": "Why it may pass.",
    "by": "Who accepted it.",
    "on": "When, YYYY-MM-DD.",
    "task": "Ids of the tasks, globs allowed (suite.yaml only; all when absent).",
}
"""Keys of an explained hole and what they mean."""


def read_holes(part: Part, task: str = "") -> tuple[HoleNote, ...]:
    """Read a list of explained holes.

    Args:
        part: The list.
        task: Id of the task that it stands in; empty: it stands in `suite.yaml`.

    Raises:
        SuiteError: A key is missing, unknown, empty or wrong.
    """
    return tuple(_hole(item, task) for item in part.items())


def _hole(part: Part, task: str) -> HoleNote:
    part.mapping({key: KEYS[key] for key in KEYS if key != "task" or not task})
    part.need({key: KEYS[key] for key in KEYS if key != "task"}, "an explained hole")
    mutant = part["mutant"].text()
    if not any(sign.isalpha() for sign in mutant):
        part["mutant"].fail(
            f"{mutant!r} names every mutant; an explanation says at least which kind of mutant may pass, such as swap_order*"
        )
    return HoleNote(
        mutant=mutant,
        why=part["why"].text(),
        by=part["by"].text(),
        on=part["on"].day(),
        task=task or part.read("task", Part.text, "*"),
    )

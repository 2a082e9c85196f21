"""Holes that a suite lets stand: which mutant may pass, why, who accepted it, and when."""

from __future__ import annotations

from datetime import date

from seatrial.records.proof import HoleNote
from seatrial.suite.part import Part, shown

KEYS = {
    "mutant": "Name of the mutant as `seatrial prove` prints it, globs allowed.",
    "why": "Why it may pass.",
    "by": "Who accepted it.",
    "on": "When, YYYY-MM-DD.",
    "task": "Ids of the tasks, globs allowed (suite.yaml only; all when absent).",
}
"""Keys of an explained hole and what they mean."""
_NEEDED = ("mutant", "why", "by", "on")


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
    for key in _NEEDED:
        if part.get(key) is None or not str(part[key].value).strip():
            part.fail(f"an explained hole needs `{key}`: {KEYS[key][0].lower()}{KEYS[key][1:]}")
    return HoleNote(
        mutant=part["mutant"].text(),
        why=part["why"].text(),
        by=part["by"].text(),
        on=_day(part["on"]),
        task=task or part.read("task", Part.text, "*"),
    )


def _day(part: Part) -> str:
    try:
        return date.fromisoformat(part.text()).isoformat()
    except ValueError:
        part.fail(f"{shown(part.value)} is not a date; write YYYY-MM-DD")

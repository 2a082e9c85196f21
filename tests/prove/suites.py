"""Suites of one task whose contract is sound, or weak in one place."""

from __future__ import annotations

from pathlib import Path

from seatrial.app.loading import load
from seatrial.app.proving import prove
from seatrial.records.proof import Proof
from tests._suites import desk

WORLD = desk.WORLD.replace('"desk_id"}', '"identifier"}')
"""The desk, whose tools take a ticket's number as it stands, though its normaliser makes other spellings one with it."""
TASK = """
id: t
stakes: write
input: "Please close ticket T-1 of Ann Example, not T-2."
caller: {tickets: [T-1]}
expect:
  outcome: OUTCOME
  process:
    required:
      - {id: look, call: look, with: LOOK}
      - {id: close, call: close, with: {ticket_id: T-1}}
    order: ORDER
    extras: reads
  reference:
    - {call: look, with: {ticket_id: T-1}}
    - {call: close, with: {ticket_id: T-1}}
"""
SOUND = {"OUTCOME": "{changes: {tickets/T-1: {status: closed}}}", "LOOK": "{ticket_id: T-1}", "ORDER": "[look < close]"}
ASKED = """
id: t
stakes: write
input: "Please close ticket T-1."
user: {script: [{said: "close", say: "Yes, please."}]}
expect:
  outcome: {changes: {tickets/T-1: {status: closed}}}
  process:
    required: [{id: close, call: close, with: {ticket_id: T-1}}]
    order: ORDER
  reference:
    - {say: "Shall I close T-1?"}
    - {call: close, with: {ticket_id: T-1}}
    - {answer: "T-1 is closed."}
"""
IDLE = """
id: t
input: "Please do nothing."
expect:
  outcome: OUTCOME
  process: {required: [], extras: reads}
  reference: [{answer: "I have seen that nothing is to be done: code 4711."}]
"""


def written(text: str, **parts: str) -> str:
    """Return the text of a task with its parts filled in: those of a sound contract where none is given."""
    for name, value in {**SOUND, **parts}.items():
        text = text.replace(name, value)
    return text


def write(folder: Path, text: str = "", *, suite: str = "", more: dict[str, str] | None = None) -> Path:
    """Write a suite of one task, or of more, and return its folder."""
    tasks = {"t": text or written(TASK), **(more or {})}
    return desk.write(folder, tasks=tasks, suite=desk.SUITE + suite, world=WORLD)


def proved(folder: Path, text: str = "", *, suite: str = "") -> Proof:
    """Return the proof of a suite of one task."""
    return prove(load(write(folder, text, suite=suite)))


def holes(proof: Proof) -> dict[str, str]:
    """Return the holes that nobody explains, with what would close each."""
    return {hole.mutant: hole.closes for hole in proof.holes if hole.note is None}

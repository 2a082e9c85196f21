"""The holdout: what a run says of the one that it was given, and the looks at it that its ledger keeps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import Struct, structs

from seatrial.base.canonical import content_hash
from seatrial.records.decision import DecisionValue

LOOK_VERSION = 1
"""Version of the stored shape of a look."""
REFRESH_AFTER = 10
"""Runs that may be decided on one holdout before it is worn, where `holdout.yaml` does not say otherwise."""


class HoldoutNote(Struct, frozen=True, forbid_unknown_fields=True):
    """What a run says of the holdout that lies apart from its suite."""

    hash: str
    """Content hash of its tasks and fixtures."""
    tasks: tuple[str, ...]
    """Ids of the planned tasks that come from it, sorted."""


class Look(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One look at a holdout: a run that was decided on it, or a task of it that a person has read."""

    number: int
    """From 1, in the order in which the looks were entered."""
    kind: Literal["decision", "reveal"]
    door: str
    """The verb that looked: `gate`, `show`, `report` …"""
    by: str
    """Who looked."""
    at: str
    """When, ISO 8601 in UTC."""
    run: str
    """Name of the run file, without its folder."""
    run_hash: str
    """Content hash of the run's traces: two looks with the same one saw the same trials."""
    candidate: str
    candidate_hash: str
    holdout: str
    """Content hash of the holdout's tasks and fixtures."""
    edition: str
    """Fingerprint of the holdout's canary: a refreshed holdout has a new one, and its decisions are counted anew."""
    decision: DecisionValue | Literal[""] = ""
    """What was decided; empty: something was read."""
    what: str = ""
    """What was read: `task#trial`, or empty for everything that the door shows."""
    previous: str = ""
    """Hash of the look before; empty: it is the first."""
    hash: str = ""
    """Content hash of all other fields."""
    version: int = LOOK_VERSION


def sealed(look: Look, previous: Look | None) -> Look:
    """Return a look as it stands behind another one in a ledger.

    Args:
        look: The look; its number and hashes are set here.
        previous: The last look so far; `None`: there is none.
    """
    number, before = (1, "") if previous is None else (previous.number + 1, previous.hash)
    placed = structs.replace(look, number=number, previous=before, hash="")
    return structs.replace(placed, hash=content_hash(placed))


def first_break(looks: Iterable[Look]) -> int | None:
    """Return the number of the first look that is not as it was entered, or does not follow the one before; `None`: all do.

    Args:
        looks: All looks of a ledger, in its order.
    """
    before: Look | None = None
    for number, look in enumerate(looks, 1):
        if look != sealed(look, before):
            return number
        before = look
    return None


def encode(look: Look) -> bytes:
    """Return a look as one line of JSON, without its end."""
    return _ENCODER.encode(look)


def decode(data: bytes) -> Look:
    """Return the look that JSON of the current version holds; raises `msgspec.MsgspecError` when it holds none."""
    return _DECODER.decode(data)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Look)

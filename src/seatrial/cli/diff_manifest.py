"""`seatrial diff-manifest`: what were two runs made of, and what must run again because of it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.base.wording import clipped, listed
from seatrial.cli._options import FILE, json_option, print_json
from seatrial.cli._speech import say

if TYPE_CHECKING:
    from seatrial.records.changes import PartChange, Reach

_NAMES = 8
_LONGEST = 40
_HEADS: dict[Reach, str] = {
    "everything": "reaches every task",
    "tasks": "reaches the tasks that it names",
    "nothing": "needs no trial",
}


@click.command()
@click.argument("before", type=FILE)
@click.argument("after", type=FILE)
@json_option
def command(before: Path, after: Path, *, as_json: bool) -> None:
    """Print what differs between the manifests of two runs – candidate, suite, world, seed, plan, policy – and what that reaches.

    A change of any part of the candidate, of the world or of the seed reaches every task; a change of the suite alone only the tasks whose
    contract hash changed.
    """
    from seatrial.app.changes import changes_between

    found = changes_between(before, after)
    if as_json:
        print_json(found)
        return
    for reach, head in _HEADS.items():
        changes = [change for change in found.changes if change.reach == reach]
        if changes:
            say(f"{head}:")
        for change in changes:
            say(f"  {_line(change)}")
    say(f"{found.sentence}.")


def _line(change: PartChange) -> str:
    values = f": {_value(change.before)} → {_value(change.after)}" if not change.names else ""
    names = f": {listed(change.names, _NAMES)}" if change.names else ""
    return f"{change.part}{values}{names} ({change.why})"


def _value(text: str) -> str:
    """Return a value as it is printed: a hash by its first digits."""
    if not text:
        return "not known"
    is_hash = len(text) == 32 and set(text) <= set("0123456789abcdef")
    return text[:12] if is_hash else clipped(text, _LONGEST)

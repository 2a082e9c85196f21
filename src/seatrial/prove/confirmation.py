"""Where a path asks the user before it writes."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.subject import PlacedCall, Subject


def confirmations(subject: Subject) -> Iterator[tuple[int, PlacedCall]]:
    """Yield where the user was last spoken to before a write, with the first write that follows.

    Args:
        subject: The way.
    """
    seen = set[int]()
    for write in subject.writes:
        at = next((at for at in range(write.at - 1, -1, -1) if subject.path[at].say), None)
        if at is not None and at not in seen:
            seen.add(at)
            yield at, write

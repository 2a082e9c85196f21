"""The two clocks: wall time enters only here, and virtual time costs nothing."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What a room needs of time."""

    def seconds(self) -> float:
        """Return seconds since an arbitrary start; never decreases."""
        ...

    def now(self) -> str:
        """Return the wall time as ISO 8601 in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def seconds(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    def now(self) -> str:
        """Return the wall time as ISO 8601 in UTC, to the second."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class VirtualClock:
    """A clock that moves only when told to.

    Args:
        start: The wall time it shows at zero, ISO 8601.
    """

    def __init__(self, start: str = "2026-01-01T00:00:00Z") -> None:
        self.start = datetime.fromisoformat(start)
        self.elapsed = 0.0

    def advance(self, seconds: float) -> None:
        """Move forward by a number of seconds (0 or more)."""
        self.elapsed += max(0.0, seconds)

    def seconds(self) -> float:
        """Return the seconds passed since the start."""
        return self.elapsed

    def now(self) -> str:
        """Return start plus elapsed as ISO 8601, in the offset of the start."""
        from datetime import timedelta

        return (self.start + timedelta(seconds=self.elapsed)).isoformat().replace("+00:00", "Z")

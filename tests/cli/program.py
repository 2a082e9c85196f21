"""The program as a person runs it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def environment(**more: str) -> dict[str, str]:
    """A plain environment: no terminal, no colour of its own."""
    return {**{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}, "COLUMNS": "100", **more}


def seatrial(*words: object, folder: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `seatrial` and wait for its end."""
    return subprocess.run(
        [sys.executable, "-m", "seatrial", *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env=environment(**more),
    )


def start(*words: object, folder: Path | None = None) -> subprocess.Popen[str]:
    """Start `seatrial` and return while it runs."""
    return subprocess.Popen(
        [sys.executable, "-m", "seatrial", *map(str, words)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )

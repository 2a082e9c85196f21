"""The program as a person runs it: a process of its own."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIMEOUT = 100


def environment(**more: str) -> dict[str, str]:
    """A plain environment: no terminal, no colour of its own."""
    return {**{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}, "COLUMNS": "100", **more}


def seatrial(*words: object, folder: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `seatrial` and wait for its end."""
    return finished([str(word) for word in words], folder or Path.cwd(), environment(**more))


def finished(words: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `seatrial` in a fork of a process that has the imports behind it, and wait for its end."""
    with tempfile.TemporaryDirectory() as kept:
        out, err = Path(kept, "out"), Path(kept, "err")
        out.touch()
        err.touch()
        order = {"words": words, "folder": str(folder), "environment": environment, "out": str(out), "err": str(err)}
        code = _told(order)
        return subprocess.CompletedProcess(words, code, _text(out), _text(err))


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


def _text(path: Path) -> str:
    """Return what was printed, as a pipe opened for text would give it."""
    with path.open(encoding="utf-8") as stream:
        return stream.read()


def _told(order: dict) -> int:
    """Hand an order to the warm process and return the exit code that it answers."""
    warm = _warm(os.getpid())
    assert warm.stdin is not None
    assert warm.stdout is not None
    warm.stdin.write(json.dumps(order) + "\n")
    warm.stdin.flush()
    if not select.select([warm.stdout], [], [], TIMEOUT)[0]:
        warm.kill()
        _warm.cache_clear()
        raise subprocess.TimeoutExpired(order["words"], TIMEOUT)
    return int(warm.stdout.readline())


@cache
def _warm(_owner: int) -> subprocess.Popen[str]:
    """Start the warm process of this test process; it ends when its input does."""
    return subprocess.Popen([sys.executable, "-m", "tests.cli._warm"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

"""How much CPU `import seatrial` and `seatrial --help` cost, the interpreter included."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks._line import Line, at_most

ROUNDS = 15
"""Processes a figure; the first one is thrown away."""


def lines() -> Iterator[Line]:
    """Measure both by turns; there is no peer, so the bar is a limit."""
    python = sys.executable
    commands = {
        "interpreter": (python, "-c", "pass"),
        "import": (python, "-c", "import seatrial"),
        "help": (str(Path(python).with_name("seatrial")), "--help"),
    }
    rounds = [{name: _cpu(command) for name, command in commands.items()} for _ in range(ROUNDS + 1)][1:]
    medians = {name: statistics.median(one[name] for one in rounds) for name in commands}
    note = f"bare interpreter {medians['interpreter']:.3f} s"
    yield at_most("startup: import seatrial", medians["import"], bar=0.12, unit="CPU s", note=note)
    yield at_most("startup: seatrial --help", medians["help"], bar=0.18, unit="CPU s", note=note)


def _cpu(command: Sequence[str]) -> float:
    """Return user + system seconds of one process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed with exit code {process.returncode}")
    return used.ru_utime + used.ru_stime

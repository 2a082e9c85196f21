"""`python -m benchmarks [name …]`: one JSON line a figure, the machine first; exit 1 when a bar is missed.

A benchmark is a file of this folder with a function `lines()`; files that begin with `_` are helpers. Each runs in a process of
its own, so that none inherits another's memory or imports.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from benchmarks._interleave import calibration
from benchmarks._line import unmeasured

HERE = Path(__file__).resolve().parent
ALONE = "--alone"
"""Marks the child that runs one benchmark itself."""


def names() -> list[str]:
    """Return the names of all benchmarks."""
    return sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def main(arguments: list[str]) -> int:
    """Run the named benchmarks, or all; return the exit code."""
    if arguments[:1] == [ALONE]:
        return run_here(arguments[1])
    unknown = sorted(set(arguments) - set(names()))
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; known: {', '.join(names())}", file=sys.stderr)
        return 2
    started = time.monotonic()
    print(json.dumps(machine(), ensure_ascii=False), flush=True)
    missed = [name for name in arguments or names() if not run_apart(name)]
    print(json.dumps({"name": "all", "ok": not missed, "missed": missed, "seconds": round(time.monotonic() - started, 1)}), flush=True)
    return 1 if missed else 0


def run_apart(name: str) -> bool:
    """Run one benchmark in a process of its own; return whether every bar was met."""
    command = [sys.executable, "-m", "benchmarks", ALONE, name]
    return subprocess.run(command, cwd=HERE.parent, check=False).returncode == 0


def run_here(name: str) -> int:
    """Run one benchmark in this process and print its lines."""
    good = True
    try:
        for line in importlib.import_module(f"benchmarks.{name}").lines():
            good = good and line.ok is not False
            print(line.json(), flush=True)
    except Exception as error:  # noqa: BLE001 - a benchmark that broke is a missed bar; the others still run
        import traceback

        traceback.print_exc()
        print(unmeasured(name, "", f"{type(error).__name__}: {error}"[:500], ok=False).json(), flush=True)
        return 1
    return 0 if good else 1


def machine() -> dict[str, object]:
    """Return what the figures were measured on."""
    return {
        "name": "machine",
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "load": round(os.getloadavg()[0], 2),
        "calibration_loop_ms": round(calibration(), 2),
    }


def _cpu_model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

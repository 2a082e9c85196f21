"""Peers: other people's packages in environments of their own, made on demand and kept under `build/peers`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "peers"
PEERS = {"agentevals": ("agentevals==0.0.9",), "inspect": ("inspect-ai==0.3.285",)}
"""Name of an environment → what is installed into it, pinned."""


class PeerUnavailable(RuntimeError):
    """A peer cannot be installed or does not answer."""


def peer_python(name: str) -> Path:
    """Return the interpreter of a peer's environment, made now when it is not there yet.

    Args:
        name: One of `PEERS`.

    Returns:
        Path of the interpreter.

    Raises:
        PeerUnavailable: The environment cannot be made, for example without a network.
    """
    folder = FOLDER / name
    python, stamp = folder / "bin" / "python", folder / "installed"
    wanted = "\n".join(PEERS[name])
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    folder.mkdir(parents=True, exist_ok=True)
    _call(name, sys.executable, "-m", "venv", str(folder))
    _call(name, str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS[name])
    stamp.write_text(wanted)
    return python


def _call(name: str, *command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise PeerUnavailable(f"{name} cannot be installed: {(done.stderr or done.stdout).strip()[-500:]}")


class Peer:
    """A long-lived process of a peer that does a round of work when asked.

    Args:
        name: One of `PEERS`.
        module: Module of this folder that it runs, which calls `_worker.serve`.

    Raises:
        PeerUnavailable: The environment cannot be made.
    """

    def __init__(self, name: str, module: str) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [str(peer_python(name)), "-m", f"benchmarks.{module}"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": "", "PYTHONHASHSEED": "0"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def cpu(self, times: int = 1) -> float:
        """Return the CPU seconds of one piece of the peer's work, averaged over a number of pieces.

        Args:
            times: Pieces of work.

        Raises:
            PeerUnavailable: The peer died or failed.
        """
        self._process.stdin.write(json.dumps({"times": times}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"error": "it ended without an answer"}
        if "error" in answer:
            raise PeerUnavailable(f"{self.name}: {answer['error']}")
        return answer["cpu"]

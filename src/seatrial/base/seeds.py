"""Seeds: every draw is a function of named parts, so that order, concurrency and candidate change nothing."""

from __future__ import annotations

import hashlib

_SCALE = float(1 << 64)


def derive(seed: int, *parts: str | int) -> int:
    """Return a 64-bit seed that depends on a seed and on the parts, and on nothing else.

    Args:
        seed: The parent seed.
        parts: What the draw is for, for example task, trial, tool, occurrence.

    Returns:
        A non-negative integer below 2**64.
    """
    text = "\x1f".join((str(seed), *map(str, parts)))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def uniform(seed: int, *parts: str | int) -> float:
    """Return a draw in [0, 1) that depends on a seed and on the parts, and on nothing else."""
    return derive(seed, *parts) / _SCALE

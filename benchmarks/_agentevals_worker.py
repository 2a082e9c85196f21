"""agentevals' side: the same runs against the same reference, mode `superset`. Runs in the peer's environment."""

from __future__ import annotations

import copy

from agentevals.trajectory.match import create_trajectory_match_evaluator

from benchmarks._matching_case import REFERENCE, RUNS, messages, run
from benchmarks._worker import serve

_EVALUATE = create_trajectory_match_evaluator(trajectory_match_mode="superset")
_REFERENCE = messages(list(REFERENCE))
_ACTUAL = [messages(run(number), number) for number in range(RUNS)]


def check() -> None:
    """Refuse to measure a peer that finds a right run wrong."""
    for number, actual in enumerate(_ACTUAL):
        if not _EVALUATE(outputs=copy.deepcopy(actual), reference_outputs=copy.deepcopy(_REFERENCE))["score"]:
            raise RuntimeError(f"agentevals finds run {number} wrong")


def work(times: int) -> int:
    """Judge every run a number of times."""
    for _ in range(times):
        for actual in _ACTUAL:
            _EVALUATE(outputs=actual, reference_outputs=_REFERENCE)
    return times * len(_ACTUAL)


if __name__ == "__main__":
    check()
    serve(work)

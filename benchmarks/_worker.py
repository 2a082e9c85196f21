"""The peer's side: a process that does a round of work for every line it reads. Standard library only.

Protocol, one JSON object a line: `{"times": n}` in; `{"cpu": seconds a piece of work}` or `{"error": text}` out. Whatever the
work prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable


def serve(work: Callable[[int], int]) -> None:
    """Answer rounds until standard input ends.

    Args:
        work: Does a number of pieces of work and returns how many it did.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for line in sys.stdin:
        try:
            times = json.loads(line)["times"]
            start = time.process_time()
            done = work(times)
            answer = {"cpu": (time.process_time() - start) / done}
        except Exception:  # noqa: BLE001 - the parent prints whatever went wrong here
            answer = {"error": traceback.format_exc()[-2000:]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

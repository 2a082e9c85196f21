"""How much work judging hostile and repeated dialogues is, counted in calls of functions: a count that no machine changes.

Run as a program of its own, `python -m tests.grade.confirmation._work`: a profile function beside whatever other tests left behind in the
process is not dependable.
"""

import functools
import json
import subprocess
import sys
from collections.abc import Callable

from tests.grade.confirmation.dialogues import Call, outcomes

PLAN = "A: I will pay $250.00 to account HB-77120 for claim C-1044. Shall I proceed?"
PAY = Call("pay_claim", {"claim_id": "C-1044", "amount": 250, "account": "HB-77120"})
BEFORE = "A: I found claim C-1044 of the thirtieth. It is open."
OF_THE_THIRTIETH = "A: I will pay $250.00 to account HB-77120 for claim C-1044 of the thirtieth. Shall I proceed?"
SMALL, LARGE = 60, 240


def work(parts: tuple) -> int:
    """Return how many functions, built-in ones included, judging a dialogue calls."""
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        outcomes(*parts)
    finally:
        sys.setprofile(None)
    return count


def many_turns(size: int) -> tuple:
    """Many turns before the proposal."""
    turns = [turn for n in range(size) for turn in (f"A: Is HB-{n} yours, with ${n}?", "U: no")]
    return ("U: hi", *turns, PLAN, "U: Yes.", PAY)


def long_proposal(size: int) -> tuple:
    """A proposal with many identifiers, days and sentences."""
    return ("U: hi", f"A: {'Item HB-10000 on 2026-05-20, $5. ' * size}\n{PLAN[3:]}", "U: Yes.", PAY)


def long_reply(size: int) -> tuple:
    """A reply that says the same for ever."""
    return ("U: hi", PLAN, "U: " + "Yes, please go ahead. " * size, PAY)


def many_writes(size: int) -> tuple:
    """The same write again and again."""
    return ("U: hi", PLAN, "U: Yes.", *[PAY] * size)


def many_writes_of_much(size: int) -> tuple:
    """Many writes under one long proposal."""
    return ("U: hi", f"A: {'pay HB word ' * size} {PLAN[3:]}", "U: Yes.", *[PAY] * size)


def many_exchanges(size: int) -> tuple:
    """Proposal, yes and write, many times."""
    return ("U: hi", *[part for _ in range(size) for part in (PLAN, "U: Yes.", PAY)])


def many_answers_of_one_record(size: int) -> tuple:
    """Proposal, yes and write of something that was never shown, and after each an answer with the same record."""
    write = Call("pay_claim", {"claim_id": "C-1044", "text": "for a friend"}, answer={"claim_id": "C-1044", "paid": True})
    return ("U: hi", *[part for _ in range(size) for part in (PLAN, "U: Yes.", write)])


def many_values(size: int) -> tuple:
    """A write with many values."""
    return ("U: hi", PLAN, "U: Yes.", Call("pay_claim", {"items": [{"amount": n, "to": f"HB-{n}"} for n in range(size)]}))


def marks(size: int) -> tuple:
    """Texts of quotation marks, dashes and line ends."""
    return ("U: hi", PLAN + '"' * size + "a-" * size, "U: " + '"' * size + "\n>" * size + "--" * size + " " * size, PAY)


GROWING: tuple[Callable[[int], tuple], ...] = (
    many_turns,
    long_proposal,
    long_reply,
    many_writes,
    many_writes_of_much,
    many_exchanges,
    many_answers_of_one_record,
    many_values,
    marks,
)
"""Kinds of dialogue by size."""


def repeated() -> list[int]:
    """Return the work of judging a dialogue for the first and for the second time, the lexicon read before."""
    work(("U: hi", "A: I will pay $1.00 to account HB-77120 for claim C-1044. Is that right?", "U: Yes.", PAY))
    dialogue = ("U: hi", BEFORE, "U: And now?", OF_THE_THIRTIETH, "U: Yes, thirtieth.", PAY)
    return [work(dialogue), work(dialogue)]


@functools.cache
def counted() -> dict[str, list[int]]:
    """Return the counts of a run of this program: kind of dialogue to small and large; `repeated` to first and second."""
    done = subprocess.run([sys.executable, "-m", "tests.grade.confirmation._work"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    counts = {make.__name__: [work(make(SMALL)), work(make(LARGE))] for make in GROWING}
    print(json.dumps({"repeated": repeated(), **counts}))

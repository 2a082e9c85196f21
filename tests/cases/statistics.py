"""Check seatrial's statistics against a file of right values.

    python -m tests.cases.statistics FILE

prints one line a case, then `N right, N wrong`, and exits 0 when every group is covered and every case right. Only public functions of
`seatrial.measure` are used. A group that the program does not know is named and is as bad as a wrong number.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

from seatrial.base.errors import SeatrialError
from tests.cases import _golden_basic, _golden_paired, _golden_plane, _golden_single, _golden_watch
from tests.cases._golden import Check, Group
from tests.cases._golden_single import NEED_SEED_SUITE, SEED_SUITE

GROUPS: dict[str, Group] = {
    **_golden_basic.GROUPS,
    **_golden_single.GROUPS,
    **_golden_watch.GROUPS,
    **_golden_paired.GROUPS,
    **_golden_plane.GROUPS,
}


def agree(ours: object, right: object, tolerance: float) -> bool:
    """Tell whether two values agree: numbers within a tolerance, sequences one by one, all else exactly."""
    if isinstance(right, list | tuple):
        return (
            isinstance(ours, list | tuple)
            and len(ours) == len(right)
            and all(agree(a, b, tolerance) for a, b in zip(ours, right, strict=True))
        )
    if isinstance(right, int | float) and isinstance(ours, int | float):
        return math.isfinite(ours) and abs(ours - right) <= tolerance * max(1.0, abs(right))
    return ours == right and type(ours) is type(right)


def checks(golden: dict) -> Iterator[tuple[str, Check]]:
    """Yield every check of a file with its group's name; a group that cannot be read is one wrong check."""
    for name, group in golden.items():
        if name not in GROUPS:
            continue
        found = 0
        try:
            for check in GROUPS[name](_with_seed_suite(name, group, golden)):
                found += 1
                yield name, check
        except (SeatrialError, LookupError, TypeError, ValueError, AttributeError) as problem:
            yield name, Check(f"unreadable: {type(problem).__name__}: {problem}", None, "readable")
        else:
            if not found:
                yield name, Check("nothing to check", None, "cases")


def _with_seed_suite(name: str, group: object, golden: dict) -> object:
    """Return a group; one that means the file's suite of four tasks without giving it gets it."""
    suite = golden.get("suite_seed_4x8", {}).get("items_c_n")
    return {**group, SEED_SUITE: suite} if name in NEED_SEED_SUITE and isinstance(group, dict) and suite else group


def main(path: str) -> int:
    """Print one line a case and the sum; return the exit code."""
    golden = json.loads(Path(path).read_text(encoding="utf-8"))
    right = wrong = 0
    for name, check in checks(golden):
        good = agree(check.ours, check.right, check.tolerance) is not check.differs
        right, wrong = right + good, wrong + (not good)
        word = "must not be" if check.differs else "right is"
        print(f"{name}/{check.case}: " + ("right" if good else f"WRONG: {check.ours!r}, {word} {check.right!r}"))
    unknown = [name for name in golden if name not in GROUPS and not name.startswith("_")]
    covered = sum(name in GROUPS for name in golden)
    print(f"not covered: {', '.join(unknown)}" if unknown else f"every group is covered: {covered}")
    print(f"{right} right, {wrong} wrong")
    return 0 if right and not wrong and not unknown else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.cases.statistics FILE")
    sys.exit(main(sys.argv[1]))

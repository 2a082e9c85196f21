"""Check seatrial's statistics against a file of right values.

    python -m tests.cases.statistics FILE

prints one line a case, then `N right, N wrong`, and exits 0 when every group is covered and every case right. Only public functions of
`seatrial.measure` are used. A group that the program does not know is named and is as bad as a wrong number, and so is a case that it
cannot read; numbers that no check has looked at are named.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.cases import _golden_basic, _golden_paired, _golden_plane, _golden_single, _golden_watch
from tests.cases._golden import Check, Group, Record, guarded, unread
from tests.cases._golden_single import NEED_SEED_SUITE, SEED_SUITE, USUAL_SEED_SUITE

GROUPS: dict[str, Group] = {
    **_golden_basic.GROUPS,
    **_golden_single.GROUPS,
    **_golden_watch.GROUPS,
    **_golden_paired.GROUPS,
    **_golden_plane.GROUPS,
}
ALIKE = {r"suite_\w*\d+x\d+": "suite_seed_4x8", r"runs_[01]+": "runs_11011"}
"""Names of groups that tell what is in them: those of other suites and trials are read alike."""


def reader(name: str) -> Group | None:
    """Return what reads a group, or `None` when the program does not know it."""
    return GROUPS.get(next((known for pattern, known in ALIKE.items() if re.fullmatch(pattern, name)), name))


def agree(ours: object, right: object, tolerance: float) -> bool:
    """Tell whether two values agree: numbers within a tolerance, sequences one by one, no value with none, all else exactly."""
    if right is None:
        return ours in (None, "undefined", "error")
    if isinstance(right, list | tuple):
        return (
            isinstance(ours, list | tuple)
            and len(ours) == len(right)
            and all(agree(a, b, tolerance) for a, b in zip(ours, right, strict=True))
        )
    if isinstance(right, int | float) and isinstance(ours, int | float) and type(right) is not bool is not type(ours):
        return math.isfinite(ours) and abs(ours - right) <= tolerance * max(1.0, abs(right))
    return ours == right and type(ours) is type(right)


def checks(golden: dict) -> Iterator[tuple[str, Check]]:
    """Yield every check of a file with its group's name; what cannot be read is one wrong check."""
    for name, group in golden.items():
        if read := reader(name):
            if name in NEED_SEED_SUITE and isinstance(group, dict):
                group.setdefault(SEED_SUITE, _seed_suite(golden))
            for check in guarded("group", read(group)):
                yield name, check


def _seed_suite(golden: dict) -> object:
    """Return the file's suite of four tasks, which some groups mean without giving it."""
    group = golden.get("suite_seed_4x8")
    found = group.get("items_c_n") if isinstance(group, dict) else None
    return found or USUAL_SEED_SUITE


def main(path: str) -> int:
    """Print one line a case and the sum; return the exit code."""
    try:
        golden = json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=Record)
    except (OSError, ValueError) as problem:
        print(f"{path}: cannot be read: {problem}")
        return 1
    if not isinstance(golden, dict):
        print(f"{path}: expected an object with one key a group, not a {type(golden).__name__}")
        return 1
    right = wrong = 0
    for name, check in checks(golden):
        good = agree(check.ours, check.right, check.tolerance) is not check.differs
        right, wrong = right + good, wrong + (not good)
        word = "must not be" if check.differs else "right is"
        print(f"{name}/{check.case}: " + ("right" if good else f"WRONG: {check.ours!r}, {word} {check.right!r}"))
    for place in (place for name in golden if reader(name) for place in unread(name, dict.get(golden, name))):
        print(f"{place}: not looked at")
    unknown = [name for name in golden if not reader(name) and not name.startswith("_")]
    covered = sum(reader(name) is not None for name in golden)
    print(f"not covered: {', '.join(unknown)}" if unknown else f"every group is covered: {covered}")
    print(f"{right} right, {wrong} wrong")
    return 0 if right and not wrong and not unknown else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.cases.statistics FILE")
    sys.exit(main(sys.argv[1]))

"""The command line: one file a verb. Parses into the options that `app` takes, prints, and chooses the exit code.

Exit codes: 0 pass · 1 failed · 2 usage · 3 infrastructure · 4 inconclusive · 5 nothing selected · 130 interrupted.
"""

from __future__ import annotations

import sys

NOT_PLUG_INS: frozenset[str] = frozenset()


def main(arguments: list[str] | None = None) -> None:
    """Run the program and exit with its code.

    Args:
        arguments: The words behind the program's name; `None`: those it was called with.
    """
    from seatrial.cli._group import run

    sys.exit(run(arguments))

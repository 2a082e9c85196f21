"""`seatrial verify`: does a sealed decision still come out of the files that it rests on?"""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.cli._exit import FAILED, PASS
from seatrial.cli._options import FILE, json_option, print_json
from seatrial.cli._speech import say


@click.command()
@click.argument("decision", type=FILE)
@click.option("--run", type=FILE, metavar="RUN", help="The run file, where it is no longer where it was.")
@click.option("--baseline", type=FILE, metavar="RUN", help="The baseline's run file, where it is no longer where it was.")
@json_option
def command(decision: Path, *, run: Path | None, baseline: Path | None, as_json: bool) -> int:
    """Compute a decision again that `seatrial gate -o DECISION` sealed, and say which part of what it rests on is another.

    Exit code 0: every file is as it was and the decision comes out the same; 1: something differs, and each part that does is printed; 2: a
    file cannot be read. Another version of the program is told, and is no difference as long as the decision comes out the same.
    """
    from seatrial.app.gating import decide_again
    from seatrial.app.sealing import read_decision
    from seatrial.app.verifying import verify

    verified = verify(read_decision(decision), decide_again, run=run, baseline=baseline)
    if as_json:
        print_json(verified)
    else:
        for part in verified.changed:
            say(f"{part.part}: {part.state}: {part.note}")
        say(f"{len(verified.parts) - len(verified.changed)} of {len(verified.parts)} parts are the same")
        say(f"{verified.sentence}.")
    return PASS if verified.same else FAILED

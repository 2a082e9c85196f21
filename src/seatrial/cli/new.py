"""`seatrial new`: write a working suite."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.cli._options import json_option, print_json
from seatrial.cli._speech import say


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
def command(folder: Path, *, as_json: bool) -> None:
    """Write a small working suite into FOLDER, with an agent, ready to be changed."""
    from seatrial.suite import write_new

    files = write_new(folder, folder.resolve().name)
    if as_json:
        print_json({"folder": str(folder), "files": [str(file) for file in files]})
        return
    for file in files:
        say(f"wrote {file}")
    say(f"next: seatrial check {folder}\n      seatrial run {folder} --agent agents:careful\n      seatrial prove {folder}")

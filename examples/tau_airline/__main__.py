"""Import a recording of the airline desk with this suite and print what it finds. Run: `python -m examples.tau_airline [--data DIR]`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from examples.tau_airline.data import DEFAULT, SUITE, data_in
from examples.tau_airline.draws import DRAWS, MOST, drawn
from examples.tau_airline.findings import findings_in, lines

from seatrial.app.importing import import_run
from seatrial.base.errors import SeatrialError


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=DEFAULT, help="Folder of the recording, or a checkout of the benchmark.")
@click.option("--draws", type=click.IntRange(0), default=DRAWS, help="Random amounts that are put in place of payments.")
def main(*, data: Path, draws: int) -> None:
    """Print confirmed and unconfirmed writes, where argument values came from, and whose records were touched."""
    try:
        found = data_in(data)
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "airline.seatrial"
            import_run("tau-bench", found.recording, run, fixture=found.records, suite=SUITE)
            click.echo("\n".join(lines(findings_in(run))))
            if draws:
                click.echo(_draws(run, draws))
    except SeatrialError as error:
        raise click.ClickException(str(error)) from error


def _draws(run: Path, draws: int) -> str:
    classes = drawn(run, draws=draws)
    told = ", ".join(f"{kind} {count}" for kind, count in classes.most_common())
    share = classes["derived"] / draws
    return f"\n{draws:,} random amounts (10 to {MOST:,}) in place of payments: {share:.1%} derived ({told})"


if __name__ == "__main__":
    main()

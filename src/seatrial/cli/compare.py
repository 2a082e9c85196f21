"""`seatrial compare`: hold runs against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.cli._options import json_option, print_json
from seatrial.cli._speech import say, tell

if TYPE_CHECKING:
    from seatrial.records.comparison import Bar, Comparison

FORMATS = {".html": "html", ".md": "markdown", ".json": "json"}


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--bar", type=click.Choice(("strict", "outcome")), default="strict", help="What the sentence and the lists of tasks go by.")
@click.option("--k", type=click.IntRange(1), help="The k of pass^k; without it: the runs' own, the smaller one.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file; .html, .md or .json.")
@click.option("--reveal", is_flag=True, help="Name the holdout's tasks, and put their traces into HTML.")
@json_option
def command(runs: tuple[Path, ...], *, bar: Bar, k: int | None, output: Path | None, reveal: bool, as_json: bool) -> int:
    """Hold RUNS against the first of them: what the agent changed, and, apart from it, what the set of tasks changed."""
    from seatrial.app.comparing import compare_runs, rendered_comparison
    from seatrial.cli._exit import PASS

    form = _form(output)
    if output is not None and len(runs) > 2:
        raise click.BadParameter(f"a file holds two runs, not {len(runs)}; compare them two by two", param_hint="--output")
    found = compare_runs(runs, bar=bar, k=k, reveal=reveal)
    if output is not None:
        _write(rendered_comparison(found.comparisons[0], form, reveal=reveal), output)
    if as_json:
        print_json(_json(found.comparisons))
    elif output is None:
        for comparison in found.comparisons:
            say(rendered_comparison(comparison, form))
    return PASS


def _json(comparisons: tuple[Comparison, ...]) -> Comparison | tuple[Comparison, ...]:
    """Return one comparison as it is, several as a list."""
    return comparisons[0] if len(comparisons) == 1 else comparisons


def _form(output: Path | None) -> str:
    if output is None:
        return "terminal"
    if output.suffix not in FORMATS:
        raise click.BadParameter(f"{output.suffix!r} says no format; expected {', '.join(FORMATS)}", param_hint="--output")
    return FORMATS[output.suffix]


def _write(text: str, output: Path) -> None:
    from seatrial.app.writing import write_report

    write_report(text, output)
    tell(str(output))

"""`seatrial compare`: hold runs against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from seatrial.cli._options import FILE, json_option, print_json
from seatrial.cli._reveal import Looking, reveal_options
from seatrial.cli._speech import say, tell
from seatrial.records.grade import Criterion
from seatrial.records.graded import COST_UNITS

if TYPE_CHECKING:
    from seatrial.app.comparing import Compared

FORMATS = {".html": "html", ".md": "markdown", ".json": "json"}
"""End of a file's name → format of two runs."""
OF_SEVERAL = {".md": "markdown", ".json": "json", ".svg": "svg"}
"""End of a file's name → format of more than two runs."""


@click.command()
@click.argument("runs", nargs=-1, required=True, type=FILE)
@click.option(
    "--criterion", type=click.Choice(get_args(Criterion)), default="strict", help="What the sentence and the lists of tasks go by."
)
@click.option("--k", type=click.IntRange(1), help="The k of pass^k; without it: the runs' own, the smaller one.")
@click.option("--cost", type=click.Choice(COST_UNITS), help="Draw the plane of this cost and value; more than two runs: always, usd.")
@click.option("--built-on", multiple=True, metavar="NAME=BASE", help="NAME starts from BASE's output and carries its cost; repeatable.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file; .html, .md or .json; of several: .md, .json, .svg.",
)
@reveal_options
@json_option
def command(
    runs: tuple[Path, ...],
    *,
    criterion: Criterion,
    k: int | None,
    cost: str | None,
    built_on: tuple[str, ...],
    output: Path | None,
    as_json: bool,
    **looking: object,
) -> int:
    """Hold RUNS against the first of them: what the agent changed, and, apart from it, what the set of tasks changed."""
    from seatrial.app.comparing import CompareOptions, compare_runs
    from seatrial.cli._exit import PASS

    form = _form(output, OF_SEVERAL if len(runs) > 2 else FORMATS | (OF_SEVERAL if cost or built_on else {}))
    look = Looking(**looking)  # type: ignore[arg-type] - the names are those of the options
    for run in runs:
        look.enter(run, "compare")
    found = compare_runs(runs, CompareOptions(criterion=criterion, k=k, reveal=look.reveal, cost=cost, built_on=_pairs(built_on)))
    if output is not None:
        _write(_drawn(found, form, reveal=look.reveal), output)
    if as_json:
        print_json(found.record)
    elif output is None:
        say(_drawn(found, form, reveal=look.reveal), drawn=True)
    return PASS


def _drawn(found: Compared, form: str, *, reveal: bool) -> str:
    from seatrial.app.comparing import rendered_comparison, rendered_several

    if found.plane is None or form == "html":
        return rendered_comparison(found.comparisons[0], form, reveal=reveal)
    return rendered_several(found, form)


def _pairs(words: tuple[str, ...]) -> dict[str, str]:
    """Return `NAME=BASE` words as a mapping."""
    for word in words:
        if "=" not in word:
            raise click.BadParameter(
                f"{word!r} is not NAME=BASE: the candidate, and the one whose output it starts from", param_hint="--built-on"
            )
    return {word.partition("=")[0]: word.partition("=")[2] for word in words}


def _form(output: Path | None, formats: dict[str, str]) -> str:
    if output is None:
        return "terminal"
    if output.suffix not in formats:
        raise click.BadParameter(f"{output.suffix!r} says no format; expected {', '.join(formats)}", param_hint="--output")
    return formats[output.suffix]


def _write(text: str, output: Path) -> None:
    from seatrial.app.writing import write_report

    write_report(text, output)
    tell(str(output))

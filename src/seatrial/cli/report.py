"""`seatrial report`: draw a run."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.cli._options import json_option, print_json, run_argument
from seatrial.cli._reveal import Looking, reveal_options
from seatrial.cli._speech import say, tell

FORMATS = {".html": "html", ".md": "markdown", ".xml": "junit", ".json": "json"}


@click.command()
@run_argument
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file; .html, .md, .xml (JUnit) or .json."
)
@click.option(
    "--format", "form", type=click.Choice(sorted({*FORMATS.values(), "terminal"})), help="Format, when the file's name does not say it."
)
@click.option("--sources", is_flag=True, help="HTML says of every argument value of every trace where it came from.")
@reveal_options
@json_option
def command(run: Path, *, output: Path | None, form: str | None, sources: bool, as_json: bool, **looking: object) -> int:
    """Draw a run: in the terminal, or as one self-contained HTML file, Markdown, JUnit XML or JSON."""
    from seatrial.app.rendering import rendered
    from seatrial.app.reporting import summary_of
    from seatrial.cli._exit import code_of_summary

    look = Looking(**looking)  # type: ignore[arg-type] - the names are those of the options
    look.enter(run, "report")
    summary = summary_of(run, reveal=look.reveal)
    if output is not None or form is not None:
        _write(rendered(summary, run, _form(output, form), sources=sources, reveal=look.reveal), output)
    if as_json:
        print_json(summary)
    elif output is None and form is None:
        say(rendered(summary, run, "terminal"), drawn=True)
    return code_of_summary(summary)


def _form(output: Path | None, form: str | None) -> str:
    if form is not None:
        return form
    suffix = output.suffix if output is not None else ""
    if suffix not in FORMATS:
        raise click.BadParameter(f"{suffix!r} says no format; expected {', '.join(FORMATS)}, or give --format", param_hint="--output")
    return FORMATS[suffix]


def _write(text: str, output: Path | None) -> None:
    if output is None:
        say(text, drawn=True)
        return
    from seatrial.app.writing import write_report

    write_report(text, output)
    tell(str(output))

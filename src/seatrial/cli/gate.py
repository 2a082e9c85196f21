"""`seatrial gate`: may it ship?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.cli._options import FILE, FOLDER, json_option, print_json, run_argument
from seatrial.cli._reveal import Looking
from seatrial.cli._speech import say, tell

if TYPE_CHECKING:
    from seatrial.app.gating import Gated

RENDERERS = {"terminal": "decision", "markdown": "decision_markdown", "junit": "decision_junit", "github": "decision_github", "json": ""}
"""Format → the renderer that draws a decision in it; empty: the sealed decision itself."""
FORMATS = {".json": "json", ".md": "markdown", ".xml": "junit", ".txt": "terminal"}
"""How a file's name ends → its format."""
SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable in which a GitHub job says where its summary is."""


@click.command()
@run_argument
@click.option("--baseline", type=FILE, metavar="RUN", help="The run to hold it against; without it: the one that was pinned.")
@click.option("--policy", type=FILE, metavar="FILE", help="YAML file of the policy; without it: the suite's `gate:`, else the plain one.")
@click.option(
    "--holdout",
    type=FOLDER,
    metavar="PATH",
    help="The holdout that the run was given: the look at it is entered in its ledger.",
)
@click.option("--by", default="", metavar="NAME", help="Who looks at the holdout; without it: the user's name.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file; .json (the sealed decision), .md, .xml."
)
@click.option("--format", "form", type=click.Choice(sorted(RENDERERS)), help="Format, when the file's name does not say it.")
@click.option("--github", is_flag=True, help=f"Print annotations for a GitHub job, and add Markdown to the file that {SUMMARY} names.")
@click.option("--reveal", is_flag=True, help="Name the holdout's tasks.")
@json_option
def command(run: Path, *, output: Path | None, form: str | None, github: bool, as_json: bool, **words: object) -> int:
    """Decide whether RUN may ship: pass, fail or inconclusive, rule by rule, with what it would take.

    Every rule of the policy must pass, and one violation on any trial fails. With a holdout, bars, margins and costs are decided on it
    alone.
    """
    from seatrial.app.gating import GateOptions, gate
    from seatrial.cli._exit import code_of_summary

    chosen = _form(output, form)
    if words["reveal"] and words["holdout"] is None:
        Looking(reveal=True).enter(run, "gate")
    gated = gate(run, GateOptions(**words))  # type: ignore[arg-type] - the names are those of the options
    if output is not None:
        _write(gated, chosen, output)
    if github:
        _annotate(gated)
    if as_json:
        print_json(gated.sealed)
    elif output is None and not (github and form is None):
        say(_drawn(gated, chosen), drawn=True)
    elif not github:
        say(gated.decision.sentence)
    return code_of_summary(gated.summary)


def _form(output: Path | None, form: str | None) -> str:
    """Return the format that is asked for, by name or by the name of the file."""
    if form is not None:
        return form
    if output is not None and output.suffix not in FORMATS:
        raise click.BadParameter(
            f"{output.suffix!r} says no format; expected {', '.join(FORMATS)}, or give --format", param_hint="--output"
        )
    return "terminal" if output is None else FORMATS[output.suffix]


def _drawn(gated: Gated, form: str) -> str:
    """Return a decision in a format."""
    import msgspec

    from seatrial.base import catalogue

    if form == "json":
        return msgspec.json.encode(gated.sealed).decode()
    found = gated.comparison
    conclusion, names = (found.conclusion, f"{found.candidate.name} against {found.baseline.name}") if found is not None else ("", "")
    more = {"conclusion": conclusion, "names": names, "agent": gated.summary.candidate.agent} if form in ("terminal", "markdown") else {}
    return catalogue.load("renderer", RENDERERS[form]).render(gated.sealed, **more)


def _write(gated: Gated, form: str, output: Path) -> None:
    """Write a decision; as JSON it is the sealed one, which `seatrial verify` takes."""
    from seatrial.app.sealing import write_decision
    from seatrial.app.writing import write_report

    if form == "json":
        write_decision(gated.sealed, output)
    else:
        write_report(_drawn(gated, form), output)
    tell(str(output))


def _annotate(gated: Gated) -> None:
    """Print annotations, and add the decision to the job's summary where there is one."""
    say(_drawn(gated, "github").rstrip("\n"), drawn=True)
    target = os.environ.get(SUMMARY)
    if target:
        with Path(target).open("a", encoding="utf-8", errors="replace") as file:
            file.write(_drawn(gated, "markdown"))

"""`seatrial schema`: print the JSON Schema of suite and task files."""

from __future__ import annotations

import click

from seatrial.cli._options import print_json


@click.command()
@click.argument("of", type=click.Choice(["suite", "risks", "task", "summary"]))
@click.option("--json", "as_json", is_flag=True, help="Accepted everywhere; a schema is JSON anyway.")
def command(of: str, *, as_json: bool) -> None:  # noqa: ARG001 - every verb takes --json
    """Print the JSON Schema of a suite file, a risk list, a task file, or the summary that `--json` prints."""
    if of == "summary":
        import msgspec

        from seatrial.records.summary import RunSummary

        print_json(msgspec.json.schema(RunSummary))
        return
    from seatrial.suite import json_schema

    print_json(json_schema()[of])

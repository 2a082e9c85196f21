"""`seatrial import`: foreign recordings and tables of results into run files, one verb a format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import click

from seatrial.base import catalogue
from seatrial.base.wording import count, listed
from seatrial.cli._options import FILE, FOLDER, RunFileName, json_option, print_json
from seatrial.cli._speech import say

if TYPE_CHECKING:
    from seatrial.app.importing import ImportedRun

_NAMED = 3


class Formats(click.Group):
    """A group whose commands are the importers; an importer that is read as its user says brings its own flags."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the formats in alphabetical order."""
        return sorted(name.replace("_", "-") for name in catalogue.built_in("importer"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Return the command of a format; raises `UsageError` where there is none."""
        importer = catalogue.load("importer", cmd_name.replace("-", "_"))
        return _of_tables(cmd_name, importer) if hasattr(importer, "Options") else _of_recordings(cmd_name, importer)


@click.command(name="import", cls=Formats, subcommand_metavar="FORMAT FILE -o RUN")
def command() -> None:
    """Read a foreign FILE and write a run file: same trials, our grading."""


file_argument = click.argument("results", metavar="FILE", type=FILE)


def _of_recordings(form: str, importer: ModuleType) -> click.Command:
    """Return the command of a format that holds one run."""

    @click.command(name=form, help=_help(importer), short_help=_first_line(importer))
    @file_argument
    @click.option(
        "--fixture",
        "--data",
        "fixture",
        type=FOLDER,
        help="Folder with the fixture of the recorded world.",
    )
    @click.option(
        "--suite",
        type=FOLDER,
        help="Folder of a suite whose tools and rules the recording is judged by; the recording brings the tasks.",
    )
    @click.option("-o", "--output", type=RunFileName(dir_okay=False), required=True, help="Run file to write.")
    @json_option
    def one(results: Path, *, fixture: Path | None, suite: Path | None, output: Path, as_json: bool) -> None:
        from seatrial.app.importing import import_run

        imported = import_run(form, results, output, fixture=fixture, suite=suite)
        if as_json:
            print_json(imported)
            return
        say(f"{count(imported.traces, 'trial')} of {count(imported.tasks, 'task')} written to {output}")
        for note in imported.notes:
            say(f"  {note}")
        say(f"next: seatrial report {output}")

    return one


def _of_tables(form: str, importer: ModuleType) -> click.Command:
    """Return the command of a format that holds many runs and is read as its user says."""

    @click.command(name=form, help=_help(importer), short_help=_first_line(importer))
    @file_argument
    @click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the run files.")
    @json_option
    def many(results: Path, *, output: Path, as_json: bool, **said: object) -> None:
        from seatrial.app.importing import import_all

        imported = import_all(form, results, output, importer.Options(**said))
        if as_json:
            print_json(imported)
            return
        for line in _told(imported, output):
            say(line)

    many.params[1:1] = _flags(importer)
    return many


def _flags(importer: ModuleType) -> list[click.Option]:
    """Return one flag for each field of an importer's options; a field of several values makes a flag that may be repeated."""
    from typing import get_type_hints

    from msgspec import structs

    hints = get_type_hints(importer.Options, include_extras=True)
    found = []
    for field in structs.fields(importer.Options):
        several, numeric = isinstance(field.default, tuple), field.default is None
        found.append(
            click.Option(
                [f"--{field.name.replace('_', '-')}", field.name],
                default=field.default or None if several else field.default,
                type=float if numeric else str,
                multiple=several,
                metavar="X" if numeric else "COL" if "Column" in hints[field.name].__metadata__[0].description else "TEXT",
                show_default=bool(field.default),
                help=hints[field.name].__metadata__[0].description,
            )
        )
    return found


def _told(imported: Sequence[ImportedRun], folder: Path) -> list[str]:
    """Return what is said of an import of many: the sum, what differs between the runs, and what to do next."""
    trials, tasks = sum(one.traces for one in imported), max(one.tasks for one in imported)
    runs = count(len(imported), "run file")
    lines = [f"{count(trials, 'trial')} of {count(tasks, 'task')} written to {runs} in {folder}"]
    said: dict[str, list[str]] = {}
    for one in imported:
        for note in one.notes:
            said.setdefault(note, []).append(one.candidate)
    for note, names in said.items():
        lines.append(f"  {_whose(names, len(imported))}{note}")
    verb = "compare" if len(imported) > 1 else "report"
    return [*lines, f"next: seatrial {verb} {folder}/*.seatrial"]


def _whose(names: Sequence[str], runs: int) -> str:
    """Return of which runs a note is: it names one candidate at a time, so that one for all is said to be each one's."""
    if len(names) == runs:
        return "each: " if runs > 1 else ""
    return f"{listed(names, _NAMED)}: "


def _first_line(importer: ModuleType) -> str:
    return (importer.__doc__ or "").split("\n", 1)[0]


def _help(importer: ModuleType) -> str:
    """Return the first paragraph of an importer's docstring, and what is made of its file."""
    many = "writes one run file a candidate" if hasattr(importer, "Options") else "writes one run file"
    return f"{(importer.__doc__ or '').partition(chr(10) * 2)[0]}\n\nReads FILE and {many}: same trials, our grading."

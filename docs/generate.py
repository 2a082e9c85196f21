# ruff: noqa: INP001
"""Write everything in the docs that the program itself knows: reference pages, schemas, tables, the demo's last screen, the picture.

Run: `make docs`. A test runs the same functions and compares.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import click

import seatrial
from docs import humaneval, importing, one_candidate, statistics_figures
from seatrial.base import catalogue
from seatrial.cli._group import program

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
RECORDING = ROOT.parent / "shared" / "data" / "tau_airline" / "gpt-4o-results.json"
TRIALS = ROOT.parent / "shared" / "data" / "humaneval_trials.csv"
WIDTH = 80


def main() -> None:
    """Write all generated pages and parts of pages."""
    for path, make in PAGES.items():
        write(DOCS / path, make())
    if RECORDING.exists():
        importing.PAGE.write_text(importing.page(importing.PAGE.read_text("utf-8"), importing.table(importing.summary(RECORDING))), "utf-8")
    else:
        click.echo("docs/importing.md: left as it is, the recording is not here", err=True)
    if TRIALS.exists():
        humaneval.main(TRIALS)
    else:
        click.echo("docs/humaneval.md: left as it is, the table is not here", err=True)
    statistics_figures.write_figures()
    for path, start, end, make in PARTS:
        text = (ROOT / path).read_text(encoding="utf-8")
        write(ROOT / path, replaced(text, start, end, make()))
    subprocess.run([sys.executable, "-m", "seatrial.suite.schema", str(DOCS)], check=True)  # noqa: S603 - our own module


def write(path: Path, text: str) -> None:
    """Write one page and say so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    click.echo(f"wrote {path.relative_to(ROOT)}")


def replaced(text: str, start: str, end: str, made: str) -> str:
    """Return a page with the part between two marks replaced."""
    before, rest = text.split(start, 1)
    return f"{before}{start}\n{made.rstrip()}\n{end}{rest.split(end, 1)[1]}"


def command_line() -> str:
    """Return the page of all verbs."""
    lines = ["# The command line", "", "Written by `make docs` from the program's own help.", ""]
    # Click keeps the help option that a command was first asked for, so that it must be the program's own from the start.
    context = click.Context(
        program,
        info_name="seatrial",
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=program.context_settings["help_option_names"],
    )
    lines += ["```", program.get_help(context), "```", ""]
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        assert command is not None  # noqa: S101 - listed
        inner = click.Context(command, parent=context, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
        lines += [f"## seatrial {name}", "", "```", command.get_help(inner), "```", ""]
        lines += _parts(command, inner)
    return "\n".join(lines)


def _parts(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the help of the commands of a verb that has some."""
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        part = command.get_command(context, name)
        assert part is not None  # noqa: S101 - listed
        inner = click.Context(part, parent=context, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
        yield from (f"### {inner.command_path}", "", "```", part.get_help(inner), "```", "")


def plug_ins() -> str:
    """Return the page of all plug-ins."""
    lines = ["# Plug-ins", "", "Written by `make docs` from the catalogue. A plug-in is a file in the folder of its kind; the file's", ""]
    lines[-1] = "name is the plug-in's name. Others register under the entry-point group `seatrial.<kind>`."
    for kind in catalogue.KINDS:
        names = [name for name in catalogue.built_in(kind) if kind != "verb"]
        if names:
            lines += [
                "",
                f"## {kind.replace('_', ' ')}",
                "",
                f"A file in `src/{catalogue.KINDS[kind].replace('.', '/')}`. {OFFERS[kind]}",
                "",
                "| name | what it is |",
                "|---|---|",
            ]
            lines += [f"| `{name}` | {_first_line(catalogue.load(kind, name))} |" for name in names]
    return "\n".join(lines) + "\n"


def python_names() -> str:
    """Return the page of the public Python names."""
    lines = ["# Python", "", "Written by `make docs` from the docstrings. These names are imported from `seatrial`.", ""]
    for name in seatrial.__all__:
        value = getattr(seatrial, name)
        if not isinstance(value, str):
            kind = "class" if inspect.isclass(value) else "function"
            lines += [f"## {name}", "", f"*{kind}*", "", "```", inspect.getdoc(value) or "", "```", ""]
    return "\n".join(lines)


def suite_files() -> str:
    """Return the page of the keys of suite and task files."""
    from seatrial.suite import json_schema

    lines = [
        "# Suite and task files",
        "",
        "Written by `make docs` from the JSON Schemas (`seatrial schema suite`, `risks`, `task`). To have an",
    ]
    lines += ["editor complete them, put `# yaml-language-server: $schema=…/docs/task.schema.json` on a file's first line.", ""]
    schemas = json_schema()
    lines += ["## suite.yaml", "", *_objects("", schemas["suite"])]
    lines += ["## risks.yaml", "", "A list of risks.", "", *_objects("", schemas["risks"])]
    lines += ["## Tasks", ""]
    for name, part in sorted(schemas["task"]["$defs"].items(), key=lambda item: (item[0] != "task", item[0] != "expect")):
        lines += _objects(name, part)
    return "\n".join(lines) + "\n"


def _objects(name: str, schema: dict) -> Iterator[str]:
    """Yield a table for an object and one for every object that is written out within it."""
    if "properties" in schema:
        yield from (f"### {name}", "") if name else ()
        yield from _keys(schema)
        for key, value in schema["properties"].items():
            yield from _objects(f"{name}.{key}".strip("."), value)
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *([schema["items"]] if "items" in schema else ())):
        yield from _objects(name, choice) if isinstance(choice, dict) else ()


def _keys(schema: dict) -> Iterator[str]:
    yield from ("| key | meaning |", "|---|---|")
    needed = schema.get("required", [])
    for key, value in schema["properties"].items():
        text = value.get("description", "") if isinstance(value, dict) else ""
        choices = " | ".join(f"`{choice}`" for choice in value.get("enum", ())) if isinstance(value, dict) else ""
        yield f"| `{key}`{' (required)' if key in needed else ''} | {_cell(f'{text} {choices}')} |"
    yield ""


def _cell(text: str) -> str:
    return text.strip().replace("|", "\\|")


def _first_line(module: object) -> str:
    return _cell((inspect.getdoc(module) or "").split("\n", 1)[0])


def last_screen() -> str:
    """Return the last screen of the demo as a fenced block."""
    from examples import demo

    with tempfile.TemporaryDirectory() as folder:
        paths = demo.sail(Path(folder))
        text = demo.last_screen(paths, width=WIDTH)
    return f"```\n{text.strip()}\n```"


def recorded_runs() -> str:
    """Return the table of the recorded airline runs as it stands in `importing.md`."""
    text = importing.PAGE.read_text(encoding="utf-8")
    return text.split(importing.START)[1].split(importing.END)[0].strip()


def four_runs() -> str:
    """Return the table of the four runs of one claim."""
    words = [sys.executable, "examples/claims_intake/four_runs.py"]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)  # noqa: S603 - our own script
    return done.stdout


OFFERS = {
    "fault": "It defines `FAULT`, an object with `effects`, `seconds(spec)`, `status(spec)` and `apply(spec, execution)`.",
    "state": "It defines a class that a `world.py` assigns to `STATE`; `world/state.py` says what it must do.",
    "user": "It defines `open_user(task, ledger)`, which returns an object with `say(text)`.",
    "agent": "It defines `make(target, folder)`, which returns an object with `candidate` and `async run(session)`.",
    "engine": "It defines `execute(jobs, *, on_trace, stop, concurrency)`.",
    "importer": "It defines `read(path, …)`, which returns `Imported`: a manifest, tasks and traces; with `Options` and `read_all`, many.",
    "invariant": "It defines `Arguments`, a struct, and `judge(arguments, trial)`, which returns `Findings`.",
    "normaliser": "It defines `normalise(value)`, which returns the normal form or raises `ValueError`.",
    "statistic": "It defines a pure function; whatever has an interval returns an `Estimate`.",
    "gate_rule": "It defines `NAME`, `Arguments` and `evaluate(evidence, arguments)`, which returns a `RuleResult`.",
    "renderer": "It defines `render(summary, *, run)`, which returns text.",
    "preset": "It defines `expand(groups)`, which returns the constraint form.",
    "mutant": "It defines `mutants(subject)`, which yields `Mutant`s of a right way, in a fixed order.",
}
"""Kind of plug-in → what its file must define."""
PAGES: dict[str, Callable[[], str]] = {
    "reference/cli.md": command_line,
    "reference/plug-ins.md": plug_ins,
    "reference/python.md": python_names,
    "reference/files.md": suite_files,
}
PARTS: tuple[tuple[str, str, str, Callable[[], str]], ...] = (
    ("docs/matching.md", "<!-- table: python examples/claims_intake/four_runs.py -->", "<!-- end of table -->", four_runs),
    ("README.md", "<!-- the demo's last screen -->", "<!-- end of screen -->", last_screen),
    ("README.md", "<!-- the recorded runs -->", "<!-- end of recorded runs -->", recorded_runs),
    ("docs/statistics.md", "<!-- worked: one candidate -->", "<!-- end of worked -->", one_candidate.table),
    *(("docs/statistics.md", *part) for part in statistics_figures.PARTS),
)


if __name__ == "__main__":
    main()

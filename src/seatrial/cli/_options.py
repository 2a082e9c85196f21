"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from seatrial.cli._speech import say

Command = TypeVar("Command", bound=Callable[..., object])

suite_argument = click.argument("suite", type=click.Path(path_type=Path, exists=True, file_okay=False))
run_argument = click.argument("run", type=click.Path(path_type=Path, exists=True, dir_okay=False))
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def selection_options(command: Command) -> Command:
    """Add the filters that choose tasks."""
    for option in reversed(
        (
            click.option("--task", "tasks", multiple=True, metavar="ID", help="Only this task; globs allowed; repeatable."),
            click.option("--slice", "slices", multiple=True, metavar="NAME=VALUE", help="Only tasks of this slice; repeatable."),
            click.option("--split", type=click.Choice(["dev", "holdout"]), help="Only tasks of this split."),
            click.option("--kind", type=click.Choice(["capability", "regression"]), help="Only tasks of this kind."),
        )
    ):
        command = option(command)
    return command


def parse_slices(values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return `NAME=VALUE` words as pairs; raises `click.BadParameter` for a word without `=`."""
    for value in values:
        if "=" not in value:
            raise click.BadParameter(f"{value!r} is not NAME=VALUE, for example loss_type=water", param_hint="--slice")
    return tuple((value.partition("=")[0], value.partition("=")[2]) for value in values)


def print_json(value: object) -> None:
    """Print a record as JSON on one line."""
    import msgspec

    say(msgspec.json.encode(value))

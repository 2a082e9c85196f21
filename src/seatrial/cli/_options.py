"""Options that several verbs share."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from seatrial.cli._speech import say
from seatrial.records.task import KINDS, SPLITS

Command = TypeVar("Command", bound=Callable[..., object])
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
"""A file that is there."""
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
"""A folder that is there."""
LONGEST_NAME = 240
"""Bytes of the name of a run file: the files that stand beside it while it is written have longer ones, and 255 is the limit."""


class PositiveNumber(click.FloatRange):
    """A number above 0 that is neither infinite nor no number at all."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number a word stands for."""
        number = float(super().convert(value, param, ctx))  # type: ignore[arg-type]
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number above 0", param, ctx)
        return number


class Share(click.FloatRange):
    """A number from 0 to 1; what is no number at all is in no range, and would be reached by every share."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number a word stands for."""
        number = float(super().convert(value, param, ctx))  # type: ignore[arg-type]
        if math.isnan(number):
            self.fail(f"{value} is not a number from 0 to 1", param, ctx)
        return number


class RunFileName(click.Path):
    """A run file to write, whose name leaves room for the files beside it."""

    def __init__(self, *, dir_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, path_type=Path)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path a word stands for."""
        length = len(os.fsencode(Path(value).name))
        if length > LONGEST_NAME:
            self.fail(f"the name of the run file has {length} bytes; at most {LONGEST_NAME} leave room for the files beside it", param, ctx)
        return Path(super().convert(value, param, ctx))  # type: ignore[arg-type]


suite_argument = click.argument("suite", type=FOLDER)
run_argument = click.argument("run", type=FILE)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def selection_options(command: Command) -> Command:
    """Add the filters that choose tasks."""
    for option in reversed(
        (
            click.option("--task", "tasks", multiple=True, metavar="ID", help="Only this task; globs allowed; repeatable."),
            click.option("--slice", "slices", multiple=True, metavar="NAME=VALUE", help="Only tasks of this slice; repeatable."),
            click.option("--split", type=click.Choice(SPLITS), help="Only tasks of this split."),
            click.option("--kind", type=click.Choice(KINDS), help="Only tasks of this kind."),
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

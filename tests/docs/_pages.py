"""Reads a page of the docs as a script: files to write, commands to run and what they print, in order."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MARK = re.compile(r"<!-- (file|exit): (\S+) -->")


@dataclass(frozen=True)
class File:
    """A file that a page tells its reader to write."""

    path: str
    text: str


@dataclass(frozen=True)
class Command:
    """A command that a page tells its reader to run."""

    words: tuple[str, ...]
    code: int


@dataclass(frozen=True)
class Printed:
    """What a page says that the commands above have printed."""

    text: str


def read(page: Path) -> Iterator[File | Command | Printed]:
    """Yield what a page asks its reader to do, and what it says that they will see.

    `<!-- file: NAME -->` before a code block says where the block belongs. In a `console` block a line that starts with `$ ` is a
    command; `<!-- exit: N -->` before the block is the exit code of its last command.
    A `text` block is printed by the commands above it; what nobody prints – a drawing, a formula – stands in a block without a language.
    """
    lines = iter(page.read_text(encoding="utf-8").splitlines())
    marks: dict[str, str] = {}
    for line in lines:
        if found := _MARK.match(line):
            marks[found[1]] = found[2]
        elif line.startswith("```"):
            yield from _block_of(line[3:].strip(), "\n".join(_block(lines)), marks)
            marks = {}


def _block(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line.startswith("```"):
            return
        yield line


def _block_of(language: str, block: str, marks: dict[str, str]) -> Iterator[File | Command | Printed]:
    if "file" in marks:
        yield File(marks["file"], block + "\n")
    elif language == "console":
        commands = [tuple(shlex.split(line[2:], comments=True)) for line in block.splitlines() if line.startswith("$ ")]
        for index, words in enumerate(commands):
            yield Command(words, int(marks.get("exit", 0)) if index == len(commands) - 1 else 0)
    elif language == "text":
        yield Printed(block)

"""Every command that the program or a page advises is one that the program takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from seatrial.cli._group import program

ROOT = Path(__file__).parents[2]
_ADVICE = re.compile(r"seatrial ([a-z][a-z-]+)((?: (?:--?[a-z][a-z-]*|[A-Z]+(?:=[A-Z]+)?|\{\}))*)")
"""A verb with options and words in capitals, or holes to be filled; what follows in other words ends it."""


def _python(path: Path) -> Iterator[str]:
    """Yield the texts of a module; what is formatted into one is a hole."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def _advised() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "src").rglob("*.py")):
        yield from ((path.name, text) for text in _python(path))
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        yield from ((path.name, text) for text in re.findall(r"`(seatrial [^`\n]+)`", path.read_text(encoding="utf-8")))


def _refused(verb: str, words: list[str]) -> str:
    """Return what is wrong with a command; empty: nothing."""
    assert isinstance(program, click.Group)
    command = program.get_command(click.Context(program), verb)
    if command is None:
        return f"there is no verb {verb}"
    if isinstance(command, click.Group):
        return ""
    options = {name: option for option in command.params if isinstance(option, click.Option) for name in option.opts}
    options["--help"] = click.Option(["--help"], is_flag=True)
    given, taken = 0, False
    for word in words:
        if taken:
            taken = False
        elif word.startswith("-"):
            if word not in options:
                return f"{verb} has no option {word}"
            taken = not options[word].is_flag
        else:
            given += 1
    twice = next((word for word in words if word.isupper() and words.count(word) > 1), "")
    if twice:
        return f"{twice} stands for two things"  # one name is filled into both
    most = sum(1 if each.nargs == 1 else 1_000 for each in command.params if isinstance(each, click.Argument))
    return f"{verb} takes {most} words, not {given}" if given > most else ""


def test_advised_commands_are_taken() -> None:
    """A reader who copies a command and fills in its words is never told that there is no such option or no room for a word."""
    found = [
        (page, match[0], _refused(match[1], match[2].split()))
        for page, text in _advised()
        for match in _ADVICE.finditer(text)
        if re.search("[-A-Z]", match[2])
    ]
    assert len(found) > 50
    assert [each for each in found if each[2]] == []


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("label RUN TASK --trial N", "label takes 1 words, not 2"),
        ("label RUN --task TASK --trial N", ""),
        ("gate RUN --pollicy POLICY", "gate has no option --pollicy"),
        ("grade RUN", "there is no verb grade"),
        ("gate RUN --baseline RUN", "RUN stands for two things"),
    ],
)
def test_a_wrong_command_is_noticed(command: str, reason: str) -> None:
    """The check above can fail: at a word too many, at one that means two things, at an option and a verb that do not exist."""
    verb, *words = command.split()
    assert _refused(verb, words) == reason

"""Write suites: a new one from the template, and proposed ceilings into the files of an old one."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path as FilePath
from typing import Any

import msgspec

from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.names import is_identifier
from seatrial.records.contract import Budget
from seatrial.suite.canary import canary_from
from seatrial.suite.files import read_text, replace_texts
from seatrial.suite.load import task_files
from seatrial.suite.yaml_source import MAX_BYTES, parse_yaml

_NAME, _CANARY = "SUITE_NAME", "SUITE_CANARY_IS_FRESH"
"""What stands for the suite's name and its canary in the template."""
Edit = tuple[int, int, str]
"""From, to, and the text that takes the place."""


def write_new(folder: FilePath, name: str) -> tuple[FilePath, ...]:
    """Write a small working suite, ready to be changed.

    Args:
        folder: The folder; it must be absent or empty.
        name: Name of the suite; characters that a name cannot have become `_`.

    Returns:
        The files written.

    Raises:
        UsageError: The folder holds something, or cannot be written.
    """
    folder = FilePath(folder)
    fitting = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-") or "suite"
    written = []
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is not empty; `seatrial new` never writes over anything, choose another folder")
        canary = canary_from(secrets.token_hex(16))
        for inside, text in _template(files("seatrial.suite") / "templates" / "new"):
            path = folder / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            named = text.replace(_NAME, fitting if is_identifier(fitting) else "suite").replace(_CANARY, canary)
            path.write_text(named, encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from error
    return tuple(written)


def write_budgets(folder: FilePath, budgets: Mapping[str, Budget]) -> tuple[FilePath, ...]:
    """Write ceilings into the task files of a suite; everything else, comments too, stays as it is.

    Args:
        folder: The suite's folder.
        budgets: Id of a task to its ceilings; those that are `None` are left as they are.

    Returns:
        The files that changed.

    Raises:
        SuiteError: A task is not in the files, or a file cannot be edited without changing more than its budgets.
    """
    left, changed = dict(budgets), dict[FilePath, str]()
    for path in task_files(FilePath(folder)):
        before = read_text(path, MAX_BYTES * 16)
        after = _edited_lines(before, left) if path.suffix == ".jsonl" else _edited_yaml(before, left, path)
        if after != before:
            changed[path] = after
    if left:
        raise SuiteError(f"there is no task {next(iter(left))!r} in the suite's files, so no budget is written", file=str(folder))
    replace_texts(changed)
    return tuple(changed)


def _template(folder: Traversable, inside: str = "") -> Iterator[tuple[str, str]]:
    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if each.is_dir():
            yield from _template(each, f"{inside}{each.name}/")
        else:
            # Python files carry a suffix, so that tools do not take them for modules of this package.
            yield inside + each.name.removesuffix(".template"), each.read_text(encoding="utf-8")


def _ceilings(budget: Budget, before: Mapping[str, object] | None = None) -> dict[str, object]:
    given = {name: value for name, value in msgspec.structs.asdict(budget).items() if value is not None}
    return {**(before or {}), **given}


def _edited_lines(text: str, left: dict[str, Budget]) -> str:
    lines = text.split("\n")  # and at nothing else: a text in JSON may hold other line breaks
    for position, line in enumerate(lines):
        task = json.loads(line) if line.strip() else None
        if isinstance(task, dict) and isinstance(task.get("expect"), dict) and task.get("id") in left:
            expect = task["expect"]
            expect["budget"] = _ceilings(left.pop(task["id"]), expect.get("budget"))
            lines[position] = json.dumps(task, ensure_ascii=False) + line[len(line.rstrip("\r")) :]
    return "\n".join(lines)


def _edited_yaml(text: str, left: dict[str, Budget], path: FilePath) -> str:
    import yaml

    documents = parse_yaml(text, str(path))
    values = [each for document in documents for each in (document.value if isinstance(document.value, list) else [document.value])]
    expected = {each["id"]: each["expect"] for each in values if isinstance(each, dict) and isinstance(each.get("expect"), dict)}
    mine = {name: _ceilings(left[name], expect.get("budget")) for name, expect in expected.items() if name in left}
    if not mine:
        return text
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    edits = [edit for node in yaml.compose_all(text, Loader=loader) for edit in _edits(node, mine, text)]
    for start, end, words in sorted(edits, reverse=True):
        text = text[:start] + words + text[end:]
    for name, ceilings in mine.items():
        expected[name]["budget"] = ceilings
        del left[name]
    if [part.value for part in parse_yaml(text, str(path))] != [document.value for document in documents]:
        raise SuiteError("the budgets cannot be written without changing more; write them by hand", file=str(path))
    return text


def _edits(node: Any, budgets: Mapping[str, Mapping[str, object]], text: str) -> Iterator[Edit]:
    tasks = node.value if type(node).__name__ == "SequenceNode" else [node]
    for task in tasks:
        keys = {key.value: value for key, value in getattr(task, "value", ()) or ()} if type(task).__name__ == "MappingNode" else {}
        name = keys["id"].value if "id" in keys else ""
        if name in budgets and "expect" in keys:
            yield _edit(keys["expect"], json.dumps(budgets[name]).replace('"', ""), text)


def _edit(expect: Any, budget: str, text: str) -> Edit:
    """Return the edit that gives an expectation a budget: in place of the old one, or before its first key."""
    pairs = expect.value
    for key, value in pairs:
        if key.value == "budget":
            start, end = value.start_mark.index, _end(value)
            return (start, end, budget) if value.flow_style is not False else (key.end_mark.index, end, f": {budget}")
    first = pairs[0][0].start_mark
    if expect.flow_style:
        return first.index, first.index, f"budget: {budget}, "
    return first.index, first.index, f"budget: {budget}{_newline(text)}{' ' * first.column}"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _end(node: Any) -> int:
    """Return where a node ends, without the comments that follow a block."""
    while type(node).__name__ == "MappingNode" and not node.flow_style and node.value:
        node = node.value[-1][1]
    return node.end_mark.index

"""Change tasks where they stand: the kind and the history of a task are edited, and every other byte of its file stays.

A file is never written anew from its values, for that would lose comments, quotes and line breaks. Where the parser says that a value
stands, a piece of text is put in its place or beside it; then the whole is read again, and unless it differs from before in just
what was to change, nothing is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from seatrial.base.errors import SuiteError
from seatrial.records.task import Kind
from seatrial.suite.files import read_text, replace_texts
from seatrial.suite.json_source import parse_json
from seatrial.suite.load import task_files
from seatrial.suite.place import Place
from seatrial.suite.yaml_source import MAX_BYTES, parse_yaml

LARGEST = MAX_BYTES * 16
"""Bytes of a task file beyond which it is not edited."""
_BETWEEN, _COLON = re.compile(r"\s*,?\s*(?=\")"), re.compile(r"\s*:\s*")


@dataclass(frozen=True)
class TaskEdit:
    """What becomes of one task.

    Args:
        kind: Its kind from now on.
        note: What its history says of that, on one line.
    """

    kind: Kind
    note: str

    def applied(self, task: Mapping[str, object]) -> dict[str, object]:
        """Return a task as it is meant to be afterwards."""
        history = task.get("history", [])
        return {**task, "kind": self.kind, "history": [*(history if isinstance(history, list) else []), self.line]}

    @property
    def line(self) -> str:
        """The note on one line, without characters that no file shows."""
        return "".join(sign for sign in " ".join(self.note.split()) if sign.isprintable())


class Splice(NamedTuple):
    """A piece of text that takes the place of another."""

    start: int
    end: int
    text: str


def edit_tasks(folder: FilePath, edits: Mapping[str, TaskEdit], *, dry_run: bool = False) -> tuple[FilePath, ...]:
    """Change tasks in the files of a suite; comments, order, quotes and all else stay byte for byte.

    Args:
        folder: The suite's folder.
        edits: Id of a task → what becomes of it.
        dry_run: Whether to find out only, and write nothing.

    Returns:
        The files that changed: all of them were written, or none.

    Raises:
        SuiteError: A task is in no file, a file is a link to the outside or cannot be written, or a task is written in a way that
            cannot be edited without changing more.
    """
    left, changed = dict(edits), dict[FilePath, str]()
    for path in task_files(FilePath(folder)):
        before = read_text(path, LARGEST)
        after = (_edited_lines if path.suffix == ".jsonl" else _edited_yaml)(before, left, path)
        if after != before:
            changed[path] = after
    if left:
        raise SuiteError(f"there is no task {next(iter(left))!r} in the suite's files; nothing is changed", file=str(folder))
    if not dry_run:
        replace_texts(changed)
    return tuple(changed)


def _edited_lines(text: str, left: dict[str, TaskEdit], path: FilePath) -> str:
    lines = text.split("\n")  # and at nothing else: a text in JSON may hold other line breaks
    for number, line in enumerate(lines):
        task = parse_json(line.encode(), Place(str(path), number + 1)).value if line.strip() else None
        if not isinstance(task, dict) or task.get("id") not in left:
            continue
        edit = left.pop(task["id"])
        lines[number] = _spliced(line, _json_splices(line, task, edit))
        if json.loads(lines[number]) != edit.applied(task):
            raise _by_hand(path, task["id"], number + 1)
    return "\n".join(lines)


def _json_splices(line: str, task: Mapping[str, Any], edit: TaskEdit) -> Iterator[Splice]:
    places, note = _members(line), json.dumps(edit.line, ensure_ascii=False)
    added = ""
    if "kind" in places:
        yield Splice(*places["kind"], f'"{edit.kind}"')
    else:
        added += f', "kind": "{edit.kind}"'
    if "history" in places:
        end = places["history"][1] - 1
        yield Splice(end, end, f"{', ' if task['history'] else ''}{note}")
    else:
        added += f', "history": [{note}]'
    after = places["id"][1]
    yield Splice(after, after, added)


def _members(line: str) -> dict[str, tuple[int, int]]:
    """Return where the values of a line's object stand, by key; the line is known to be JSON."""
    decoder, found, at = json.JSONDecoder(), dict[str, tuple[int, int]](), line.index("{") + 1
    while (between := _BETWEEN.match(line, at)) is not None:
        key, at = decoder.raw_decode(line, between.end())
        colon = _COLON.match(line, at)
        start = colon.end() if colon is not None else at
        _, at = decoder.raw_decode(line, start)
        found[key] = (start, at)
    return found


def _edited_yaml(text: str, left: dict[str, TaskEdit], path: FilePath) -> str:
    import yaml

    documents = [document.value for document in parse_yaml(text, str(path))]
    names = [task.get("id") for value in documents for task in _tasks(value) if isinstance(task, dict)]
    mine = {name: left.pop(name) for name in dict.fromkeys(names) if name in left}
    if not mine:
        return text
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    splices = [splice for node in yaml.compose_all(text, Loader=loader) for splice in _yaml_splices(node, mine, text)]
    after = _spliced(text, splices)
    if _read_again(after, path) != [_meant(value, mine) for value in documents]:
        raise _by_hand(path, next(iter(mine)))
    return after


def _tasks(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value]


def _meant(value: object, edits: Mapping[str, TaskEdit]) -> object:
    """Return the value of a document as it is meant to be afterwards."""
    if isinstance(value, list):
        return [_meant(item, edits) for item in value]
    return edits[value["id"]].applied(value) if isinstance(value, dict) and value.get("id") in edits else value


def _read_again(text: str, path: FilePath) -> list[object] | None:
    try:
        return [document.value for document in parse_yaml(text, str(path))]
    except SuiteError:
        return None


def _yaml_splices(node: Any, edits: Mapping[str, TaskEdit], text: str) -> Iterator[Splice]:
    for task in node.value if type(node).__name__ == "SequenceNode" else [node]:
        if type(task).__name__ != "MappingNode":
            continue
        places = {key.value: (key, value) for key, value in task.value}
        if "id" in places and places["id"][1].value in edits:
            edit = edits[places["id"][1].value]
            yield from _flow_splices(places, edit) if task.flow_style else _block_splices(places, edit, text)


def _flow_splices(places: Mapping[str, tuple[Any, Any]], edit: TaskEdit) -> Iterator[Splice]:
    added = f", kind: {edit.kind}" if "kind" not in places else ""
    yield from _kind_splice(places, edit)
    if "history" in places:
        yield _appended(places["history"][1], edit)
    else:
        added += f", history: [{_quoted(edit.line)}]"
    after = places["id"][1].end_mark.index
    yield Splice(after, after, added)


def _block_splices(places: Mapping[str, tuple[Any, Any]], edit: TaskEdit, text: str) -> Iterator[Splice]:
    indent = " " * places["id"][0].start_mark.column
    lines = [f"{indent}kind: {edit.kind}"] if "kind" not in places else []
    yield from _kind_splice(places, edit)
    if "history" not in places:
        lines += [f"{indent}history:", f"{indent}  - {_quoted(edit.line)}"]
    elif (history := places["history"][1]).flow_style or not history.value:
        yield _appended(history, edit)
    else:
        yield _lines_after(history.value[-1].end_mark.index, [f"{' ' * history.start_mark.column}- {_quoted(edit.line)}"], text)
    yield _lines_after(places.get("kind", places["id"])[1].end_mark.index, lines, text)


def _kind_splice(places: Mapping[str, tuple[Any, Any]], edit: TaskEdit) -> Iterator[Splice]:
    """Yield what puts one word in the place of another, within its quotes."""
    if "kind" in places:
        node = places["kind"][1]
        end = node.end_mark.index - (node.style in ("'", '"'))
        yield Splice(end - len(node.value), end, edit.kind)


def _appended(history: Any, edit: TaskEdit) -> Splice:
    """Return what adds a note to a history in square brackets."""
    if history.value:
        end = history.value[-1].end_mark.index
        return Splice(end, end, f", {_quoted(edit.line)}")
    end = history.end_mark.index - 1
    return Splice(end, end, _quoted(edit.line))


def _lines_after(index: int, lines: Sequence[str], text: str) -> Splice:
    """Return what adds lines behind the line in which a value ends; a comment behind the value stays with it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    at_start = index > 0 and text[index - 1] == "\n"
    found = index - 1 if at_start else text.find("\n", index)
    if not lines:
        return Splice(index, index, "")
    if found < 0:
        return Splice(len(text), len(text), newline + newline.join(lines))
    return Splice(found + 1, found + 1, newline.join(lines) + newline)


def _quoted(line: str) -> str:
    """Return a text in double quotes, which YAML and JSON read alike."""
    return json.dumps(line, ensure_ascii=False)


def _spliced(text: str, splices: Iterator[Splice] | Sequence[Splice]) -> str:
    for start, end, words in sorted(splices, reverse=True):
        text = text[:start] + words + text[end:]
    return text


def _by_hand(path: FilePath, task: str, line: int | None = None) -> SuiteError:
    message = f"task {task!r} is written in a way that cannot be edited without changing more; nothing is changed. Edit its kind by hand"
    return SuiteError(message, file=str(path), line=line)

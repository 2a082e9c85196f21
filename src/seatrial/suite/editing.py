"""Change tasks where they stand: what an edit names is changed, and every other byte of its file stays.

A file is never written anew from its values, for that would lose comments, quotes and line breaks. Where the parser says that a value
stands, a piece of text is put in its place or beside it; then the whole is read again, and unless it differs from before in just
what was to change, nothing is written. What is edited is the business of a `TaskEdit`: `kind_edit`, `budget_edit`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, ClassVar, NamedTuple, Protocol

from seatrial.base.errors import SuiteError
from seatrial.suite.files import read_text, replace_texts
from seatrial.suite.json_source import MAX_LINE, parse_json
from seatrial.suite.load import task_files
from seatrial.suite.place import Place
from seatrial.suite.yaml_source import MAX_BYTES, parse_yaml

LARGEST = MAX_BYTES * 16
"""Bytes of a task file beyond which it is not edited."""
_BETWEEN, _COLON = re.compile(r"\s*,?\s*(?=\")"), re.compile(r"\s*:\s*")


class Splice(NamedTuple):
    """A piece of text that takes the place of another."""

    start: int
    end: int
    text: str


Places = Mapping[str, tuple[Any, Any]]
"""Where the parts of a YAML task stand: key → the parser's nodes of the key and of its value."""


class Written(NamedTuple):
    """A task as it stands in a YAML text."""

    text: str
    """The whole text."""
    task: Mapping[str, Any]
    """The task as it is read."""
    places: Places
    braces: bool
    """Whether it is written in braces rather than line by line."""


class TaskEdit(Protocol):
    """What becomes of one task, and which pieces of its text say so."""

    subject: ClassVar[str]
    """What is edited, in words that follow `Edit`."""

    def applied(self, task: Mapping[str, object]) -> dict[str, object]:
        """Return a task as it is meant to be afterwards."""
        ...

    def line_splices(self, line: str, task: Mapping[str, Any]) -> Iterator[Splice]:
        """Yield what changes in a line of JSON that holds a task."""
        ...

    def yaml_splices(self, written: Written) -> Iterator[Splice]:
        """Yield what changes in a YAML text that holds a task."""
        ...


def edit_tasks(folder: FilePath, edits: Mapping[str, TaskEdit], *, dry_run: bool = False) -> tuple[FilePath, ...]:
    """Change tasks in the files of a suite; comments, order, quotes and all else stay byte for byte.

    Args:
        folder: The suite's folder.
        edits: Id of a task → what becomes of it.
        dry_run: Whether to find out only, and write nothing.

    Returns:
        The files that changed: all of them were written, or none.

    Raises:
        SuiteError: A task is in no file or stands there twice, a file is a link to the outside or cannot be written, or a task is
            written in a way that cannot be edited without changing more.
    """
    changed, found = dict[FilePath, str](), Counter[str]()
    for path in task_files(FilePath(folder)):
        before = read_text(path, LARGEST)
        after, names = (_edited_lines if path.suffix == ".jsonl" else _edited_yaml)(before, edits, path)
        found.update(names)
        if after != before:
            changed[path] = after
    for name in edits:
        if found[name] != 1:
            problem = f"there are {found[name]} tasks" if found[name] else "there is no task"
            raise SuiteError(f"{problem} {name!r} in the suite's files; nothing is changed", file=str(folder))
    if not dry_run:
        replace_texts(changed)
    return tuple(changed)


Edited = tuple[str, list[str]]
"""The text of a file after its edits, and the ids of the tasks that were edited, as often as they stand there."""


def _edited_lines(text: str, edits: Mapping[str, TaskEdit], path: FilePath) -> Edited:
    lines, names = text.split("\n"), list[str]()  # at nothing else: a text in JSON may hold other line breaks
    for number, line in enumerate(lines):
        place = Place(str(path), number + 1)
        task = parse_json(line.encode(), place).value if line.strip() else None
        if not isinstance(task, dict) or (name := _id_of(task)) not in edits:
            continue
        names.append(name)
        lines[number] = _spliced(line, edits[name].line_splices(line, task))
        if _line_again(lines[number], place) != edits[name].applied(task):
            raise _by_hand(path, name, edits[name], number + 1)
    return "\n".join(lines), names


def _line_again(line: str, place: Place) -> object:
    """Return what an edited line holds; `None`: nothing that is read again."""
    data = line.encode()
    try:
        return parse_json(data, place).value if len(data) <= MAX_LINE else None
    except SuiteError:
        return None


def _id_of(task: object) -> str:
    """Return the id of a task; empty: it has none, and is left alone."""
    name = task.get("id") if isinstance(task, dict) else None
    return name if isinstance(name, str) else ""


def members(line: str, at: int = 0) -> dict[str, tuple[int, int]]:
    """Return where the values of the first object from `at` on stand in a line, by key; the line is known to be JSON."""
    decoder, found, at = json.JSONDecoder(), dict[str, tuple[int, int]](), line.index("{", at) + 1
    while (between := _BETWEEN.match(line, at)) is not None:
        key, at = decoder.raw_decode(line, between.end())
        colon = _COLON.match(line, at)
        start = colon.end() if colon is not None else at
        _, at = decoder.raw_decode(line, start)
        found[key] = (start, at)
    return found


def _edited_yaml(text: str, edits: Mapping[str, TaskEdit], path: FilePath) -> Edited:
    documents = [document.value for document in parse_yaml(text, str(path))]
    tasks = {name: task for value in documents for task in _tasks(value) if (name := _id_of(task)) in edits}
    names = [name for value in documents for task in _tasks(value) if (name := _id_of(task)) in edits]
    if not names:
        return text, names
    nodes = _nodes(text)

    def edited(chosen: Collection[str]) -> str | None:
        """Return the text after the edits of some tasks; `None`: more would change, or it could not be read again."""
        mine = {name: edits[name] for name in chosen}
        after = _spliced(text, [splice for node in nodes for splice in _yaml_splices(node, mine, tasks, text)])
        return after if _read_again(after, path) == [_meant(value, mine) for value in documents] else None

    if (after := edited(names)) is None:
        # The first task with which the edits no longer hold: without it those before it do.
        name = names[bisect_left(range(1, len(names)), True, key=lambda count: edited(names[:count]) is None)]
        raise _by_hand(path, name, edits[name])
    return after, names


def _nodes(text: str) -> list[Any]:
    """Return the documents of a YAML text with the places of their parts; none where the parser gives no places for it."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return list(yaml.compose_all(text, Loader=loader))
    except yaml.YAMLError:  # an anchor that is set twice, which YAML allows
        return []


def _tasks(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value]


def _meant(value: object, edits: Mapping[str, TaskEdit]) -> object:
    """Return the value of a document as it is meant to be afterwards."""
    if isinstance(value, list):
        return [_meant(item, edits) for item in value]
    return edits[name].applied(value) if isinstance(value, dict) and (name := _id_of(value)) in edits else value


def _read_again(text: str, path: FilePath) -> list[object] | None:
    try:
        return [document.value for document in parse_yaml(text, str(path))] if len(text.encode()) <= MAX_BYTES else None
    except SuiteError:
        return None


def _yaml_splices(node: Any, edits: Mapping[str, TaskEdit], tasks: Mapping[str, Any], text: str) -> Iterator[Splice]:
    for task in node.value if type(node).__name__ == "SequenceNode" else [node]:
        if type(task).__name__ != "MappingNode":
            continue
        places = {key.value: (key, value) for key, value in task.value}
        name = places["id"][1].value if "id" in places else None
        if isinstance(name, str) and name in edits:
            yield from edits[name].yaml_splices(Written(text, tasks[name], places, bool(task.flow_style)))


def newline_of(text: str) -> str:
    """Return how the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def _spliced(text: str, splices: Iterator[Splice] | Sequence[Splice]) -> str:
    pieces, done = list[str](), 0
    for start, end, words in sorted(splices):
        pieces += text[done:start], words
        done = max(done, end)
    return "".join((*pieces, text[done:]))


def _by_hand(path: FilePath, task: str, edit: TaskEdit, line: int | None = None) -> SuiteError:
    problem = f"task {task!r} is written in a way that cannot be edited without changing more"
    return SuiteError(f"{problem}; nothing is changed. Edit {edit.subject} by hand", file=str(path), line=line)

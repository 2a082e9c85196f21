"""The kind of a task, edited where it stands, and the line of its history that says why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from seatrial.records.task import Kind
from seatrial.suite.editing import Places, Splice, Written, members, newline_of


@dataclass(frozen=True)
class KindEdit:
    """What becomes of the kind of a task.

    Args:
        kind: Its kind from now on.
        note: What its history says of that, on one line.
    """

    subject: ClassVar[str] = "its kind"

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

    def line_splices(self, line: str, task: Mapping[str, Any]) -> Iterator[Splice]:
        """Yield what changes in a line of JSON that holds a task."""
        places, added = members(line), ""
        if "kind" in places:
            yield Splice(*places["kind"], f'"{self.kind}"')
        else:
            added += f', "kind": "{self.kind}"'
        if isinstance(task.get("history"), list):
            end = places["history"][1] - 1
            yield Splice(end, end, f"{', ' if task['history'] else ''}{_quoted(self.line)}")
        elif "history" not in places:
            added += f', "history": [{_quoted(self.line)}]'
        after = places["id"][1]
        yield Splice(after, after, added)

    def yaml_splices(self, written: Written) -> Iterator[Splice]:
        """Yield what changes in a YAML text that holds a task."""
        places = written.places
        if isinstance(written.task.get("history", []), list):
            yield from _flow_splices(places, self) if written.braces else _block_splices(places, self, written.text)


def _flow_splices(places: Places, edit: KindEdit) -> Iterator[Splice]:
    added = f", kind: {edit.kind}" if "kind" not in places else ""
    yield from _kind_splice(places, edit)
    if "history" in places:
        yield _appended(places["history"][1], edit)
    else:
        added += f", history: [{_quoted(edit.line)}]"
    after = places["id"][1].end_mark.index
    yield Splice(after, after, added)


def _block_splices(places: Places, edit: KindEdit, text: str) -> Iterator[Splice]:
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


def _kind_splice(places: Places, edit: KindEdit) -> Iterator[Splice]:
    """Yield what puts one word in the place of another, within its quotes."""
    if "kind" in places:
        node = places["kind"][1]
        end = node.end_mark.index - (node.style in ("'", '"'))
        yield Splice(end - len(node.value), end, edit.kind)


def _appended(history: Any, edit: KindEdit) -> Splice:
    """Return what adds a note to a history in square brackets."""
    if history.value:
        end = history.value[-1].end_mark.index
        return Splice(end, end, f", {_quoted(edit.line)}")
    end = history.end_mark.index - 1
    return Splice(end, end, _quoted(edit.line))


def _lines_after(index: int, lines: Sequence[str], text: str) -> Splice:
    """Return what adds lines behind the line in which a value ends; a comment behind the value stays with it."""
    newline = newline_of(text)
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

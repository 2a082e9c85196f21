"""Editing in place: a task changes its kind and says why, and every other byte of its file is as before."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seatrial.base import replacing
from seatrial.base.errors import SuiteError
from seatrial.suite.editing import edit_tasks
from seatrial.suite.kind_edit import KindEdit
from tests.suite.samples import TASK, folder_of, load

EDIT = KindEdit("regression", '2026-05-04: solved, says "Ann" – passed 12 of 12 trials')
WRITTEN = json.dumps(EDIT.note, ensure_ascii=False)
SHAPES = {
    "silent": ("id: a\ninput: x\n", f"id: a\nkind: regression\nhistory:\n  - {WRITTEN}\ninput: x\n"),
    "a comment beside": (
        "id: a  # first\n# about the input\ninput: x\n",
        f"id: a  # first\nkind: regression\nhistory:\n  - {WRITTEN}\n# about the input\ninput: x\n",
    ),
    "quoted": (
        "kind: 'capability'   # hard\nid: \"a\"\ninput: x\n",
        f"kind: 'regression'   # hard\nhistory:\n  - {WRITTEN}\nid: \"a\"\ninput: x\n",
    ),
    "in a list": (
        "- id: b\n  input: y\n- id: a\n  kind: capability\n  input: x\n",
        f"- id: b\n  input: y\n- id: a\n  kind: regression\n  history:\n    - {WRITTEN}\n  input: x\n",
    ),
    "in braces": (
        "{id: a, input: x, kind: capability, }  # end\n",
        f"{{id: a, history: [{WRITTEN}], input: x, kind: regression, }}  # end\n",
    ),
    "with a history": (
        "id: a\nkind: capability\nhistory:\n- old # why\n-  'older'\n\n# the input\ninput: x\n",
        f"id: a\nkind: regression\nhistory:\n- old # why\n-  'older'\n- {WRITTEN}\n\n# the input\ninput: x\n",
    ),
    "with a folded history": (
        "id: a\nhistory:\n    - >-\n      told\n      at length\nkind: capability\ninput: x\n",
        f"id: a\nhistory:\n    - >-\n      told\n      at length\n    - {WRITTEN}\nkind: regression\ninput: x\n",
    ),
    "with a history in brackets": (
        "id: a\nkind: capability\nhistory: [old, 'older', ] # two\ninput: x\n",
        f"id: a\nkind: regression\nhistory: [old, 'older', {WRITTEN}, ] # two\ninput: x\n",
    ),
    "with an empty history": (
        "id: a\nkind: capability\nhistory: []\ninput: x\n",
        f"id: a\nkind: regression\nhistory: [{WRITTEN}]\ninput: x\n",
    ),
    "without a last line break": ("input: x\nid: a", f"input: x\nid: a\nkind: regression\nhistory:\n  - {WRITTEN}"),
    "of Windows": ("id: a\r\ninput: x\r\n", f"id: a\r\nkind: regression\r\nhistory:\r\n  - {WRITTEN}\r\ninput: x\r\n"),
    "of another tongue": ("input: Übermaß 😀\nid: a # é\n", f"input: Übermaß 😀\nid: a # é\nkind: regression\nhistory:\n  - {WRITTEN}\n"),
    "a second document": (
        "# first\nid: b\ninput: y\n---\nid: a\ninput: x\n...\n",
        f"# first\nid: b\ninput: y\n---\nid: a\nkind: regression\nhistory:\n  - {WRITTEN}\ninput: x\n...\n",
    ),
}
LINES = {
    "silent": ('{"id":"a","input":"x"}\n', f'{{"id":"a", "kind": "regression", "history": [{WRITTEN}],"input":"x"}}\n'),
    "told": (
        '{ "history" : ["old" ], "kind":"capability", "id"\t: "a", "input": "\\u00fc\\/" }\r\n\r\n{"id": "b"}',
        f'{{ "history" : ["old" , {WRITTEN}], "kind":"regression", "id"\t: "a", "input": "\\u00fc\\/" }}\r\n\r\n{{"id": "b"}}',
    ),
    "with another line break in a text": (
        '{"input": "one\u2028two", "id": "a", "history": []}\n',
        f'{{"input": "one\u2028two", "id": "a", "kind": "regression", "history": [{WRITTEN}]}}\n',
    ),
}


def _file(folder: Path, text: str, name: str = "tasks/a.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_yaml_task_changes_in_place(shape: str, tmp_path: Path) -> None:
    """However a task is written, its kind and its history change, and nothing else of the file."""
    before, after = SHAPES[shape]
    path = _file(tmp_path, before)
    assert edit_tasks(tmp_path, {"a": EDIT}) == (path,)
    assert path.read_bytes().decode() == after


@pytest.mark.parametrize("shape", sorted(LINES))
def test_a_json_line_changes_in_place(shape: str, tmp_path: Path) -> None:
    """A task of JSON lines changes within its line, spaces and escapes kept."""
    before, after = LINES[shape]
    path = _file(tmp_path, before, "tasks.jsonl")
    edit_tasks(tmp_path, {"a": EDIT})
    assert path.read_bytes().decode() == after


def test_an_edited_suite_loads_as_it_was_but_for_the_edit(tmp_path: Path) -> None:
    """The edited task loads with its new kind and its note, and with the contract that it had."""
    folder = folder_of(tmp_path, TASK.replace("kind: regression", "kind: capability   # for now"))
    before = load(folder).tasks[0]
    edit_tasks(folder, {"water-017": EDIT})
    after = load(folder).tasks[0]
    assert (after.kind, after.history, after.contract_hash) == ("regression", (EDIT.note,), before.contract_hash)


COMMENTS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), max_size=20).map(lambda text: f"# {text}")
PIECES: st.SearchStrategy[str] = st.sampled_from(
    (
        "kind: capability",
        "kind: 'capability'",
        'history: ["one", two]',
        "history:\n  - one   # why\n  - 'two'",
        "history: []",
        "slices: {a: b}",
        "fixture:\n  use: base",
        "split:   dev",
        "input: |\n  two\n\n  lines",
        "expect: {process: {extras: none}}",
    )
)


@st.composite
def task_texts(draw: st.DrawFn, name: str) -> str:
    """The text of a task with pieces in any order, comments and blank lines between them."""
    pieces: list[str] = draw(st.lists(PIECES, unique_by=lambda piece: piece.partition(":")[0], max_size=6))
    pieces.insert(draw(st.integers(0, len(pieces))), f"id: {name}")
    lines = []
    for piece in pieces:
        lines += draw(st.lists(st.one_of(COMMENTS, st.just("")), max_size=2))
        beside = draw(COMMENTS) if piece[-1] not in "|s" else ""
        lines.append(f"{piece}  {beside}".rstrip())
    return draw(st.sampled_from(("\n", "\r\n"))).join([*"\n".join(lines).split("\n"), ""])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=task_texts("a"), beside=task_texts("b"), first=st.booleans())
def test_every_other_byte_stays(text: str, beside: str, first: bool, tmp_path: Path) -> None:
    """Without the word that changed and the note that came, an edited file is what it was before; a second edit adds one more note."""
    whole = "---\n".join([text, beside] if first else [beside, text])
    path = _file(tmp_path, whole)
    edit_tasks(tmp_path, {"a": EDIT})
    after = path.read_bytes().decode()
    assert after.count(WRITTEN) == 1
    mine = slice(0, len(after) - len(beside) - 4) if first else slice(len(beside) + 4, None)
    assert after == (f"{after[mine]}---\n{beside}" if first else f"{beside}---\n{after[mine]}")
    assert _undone(after[mine], text) == text
    edit_tasks(tmp_path, {"a": EDIT})
    assert path.read_bytes().decode().count(WRITTEN) == 2


def _undone(after: str, before: str) -> str:
    """Take out of an edited text what an edit puts in; the history's own key only where there was none."""
    newline = "\r\n" if "\r\n" in after else "\n"
    if "kind:" not in before:
        after = after.replace(f"kind: regression{newline}", "", 1)
    if "history:" not in before:
        after = after.replace(f"history:{newline}  - {WRITTEN}{newline}", "", 1)
    for piece in (f", {WRITTEN}", f"  - {WRITTEN}{newline}", WRITTEN):
        after = after.replace(piece, "", 1)
    return after.replace("regression", "capability", 1)


def test_a_shared_value_is_not_edited(tmp_path: Path) -> None:
    """Where an edit would change another task too, because both share one value, nothing is written."""
    text = "- id: b\n  kind: &k capability\n  input: y\n- id: a\n  kind: *k\n  input: x\n"
    path = _file(tmp_path, text)
    with pytest.raises(SuiteError, match="cannot be edited without changing more; nothing is changed"):
        edit_tasks(tmp_path, {"a": EDIT})
    assert path.read_bytes().decode() == text


@pytest.mark.parametrize("bad", ["kind: *k", 'kind: "capab\\u0069lity"', "history: ~"])
def test_what_cannot_be_edited_is_named(bad: str, tmp_path: Path) -> None:
    """Among many tasks of a file that are edited, the error names the one that is in the way."""
    texts = [f"- id: t{number}\n  {'kind: capability' if number != 5 else bad}\n" for number in range(9)]
    text = "".join(["- id: first\n  kind: &k capability\n", *texts])
    path = _file(tmp_path, text)
    with pytest.raises(SuiteError, match="task 't5' is written in a way"):
        edit_tasks(tmp_path, {f"t{number}": EDIT for number in range(9)})
    assert path.read_bytes().decode() == text


ODD = {
    "an id that is a list": ("tasks/a.yaml", "- id: [a]\n- id: {a: a}\n- id: a\n", True),
    "an id that is a list, in a line": ("tasks.jsonl", '{"id": ["a"]}\n{"id": "a"}\n', True),
    "a mark at the start of a line": ("tasks.jsonl", '{"id": "b"}\n\ufeff{"id": "a"}\n', True),
    "an anchor set twice": ("tasks/a.yaml", "id: a\nslices: {x: &q one, y: &q two}\n", False),
    "no history": ("tasks/a.yaml", "id: a\nhistory:\n", False),
    "no history, in a line": ("tasks.jsonl", '{"id": "a", "history": null}\n', False),
    "a line at its limit": ("tasks.jsonl", json.dumps({"id": "a", "input": "x" * (4 * 1024 * 1024 - 50)}), False),
}


@pytest.mark.parametrize("shape", sorted(ODD))
def test_odd_files_are_edited_or_left(shape: str, tmp_path: Path) -> None:
    """Whatever a file holds beside or in a task, the task is edited, or the file stays and the error says which task is edited by hand."""
    name, text, edited = ODD[shape]
    path = _file(tmp_path, text, name)
    if edited:
        assert edit_tasks(tmp_path, {"a": EDIT}) == (path,)
        assert path.read_bytes().decode().count(WRITTEN) == 1
    else:
        with pytest.raises(SuiteError, match=r"task 'a' .* nothing is changed\. Edit its kind by hand"):
            edit_tasks(tmp_path, {"a": EDIT})
        assert path.read_bytes().decode() == text


@pytest.mark.parametrize("files", [{"tasks/a.yaml": "id: a\n---\nid: a\n"}, {"tasks/a.yaml": "id: a\n", "tasks.jsonl": '{"id": "a"}\n'}])
def test_a_task_that_stands_twice_is_not_edited(files: dict[str, str], tmp_path: Path) -> None:
    """Where two tasks have one id, in one file or in two, nobody knows which is meant, and none is edited."""
    paths = {_file(tmp_path, text, name): text for name, text in files.items()}
    with pytest.raises(SuiteError, match="there are 2 tasks 'a' in the suite's files; nothing is changed"):
        edit_tasks(tmp_path, {"a": EDIT})
    assert {path: path.read_text() for path in paths} == paths


def test_an_unknown_task_changes_nothing(tmp_path: Path) -> None:
    """When one of the tasks is in no file, the others are not edited either."""
    path = _file(tmp_path, "id: a\ninput: x\n")
    with pytest.raises(SuiteError, match="there is no task 'z'"):
        edit_tasks(tmp_path, {"a": EDIT, "z": EDIT})
    assert path.read_text() == "id: a\ninput: x\n"


def test_a_trial_run_writes_nothing(tmp_path: Path) -> None:
    """A dry run names the files that would change and leaves them alone."""
    path = _file(tmp_path, "id: a\ninput: x\n")
    assert edit_tasks(tmp_path, {"a": EDIT}, dry_run=True) == (path,)
    assert path.read_text() == "id: a\ninput: x\n"


def test_a_link_to_the_outside_is_refused(tmp_path: Path) -> None:
    """A task file that is a link out of the suite is never written through."""
    outside = _file(tmp_path, "id: a\ninput: x\n", "elsewhere/a.yaml")
    (tmp_path / "suite" / "tasks").mkdir(parents=True)
    (tmp_path / "suite" / "tasks" / "a.yaml").symlink_to(outside)
    with pytest.raises(SuiteError, match="link to a place outside"):
        edit_tasks(tmp_path / "suite", {"a": EDIT})
    assert outside.read_text() == "id: a\ninput: x\n"


def test_a_link_within_the_suite_and_a_mark_stay(tmp_path: Path) -> None:
    """A link within the suite stays a link, and the byte-order mark and the permissions of its file stay too."""
    real = _file(tmp_path, "\ufeffid: a\ninput: x\n", "kept/a.yaml")
    real.chmod(0o640)
    link = tmp_path / "tasks" / "a.yaml"
    link.parent.mkdir()
    link.symlink_to(real)
    edit_tasks(tmp_path, {"a": EDIT})
    assert link.is_symlink()
    assert real.read_bytes().startswith("\ufeffid: a\nkind: regression\n".encode())
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_full_disk_changes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full at the second of two files, both are as before and nothing else is left behind."""
    paths = [_file(tmp_path, f"id: {name}\ninput: x\n", f"tasks/{name}.yaml") for name in "ab"]
    written = []

    def fsync(descriptor: int) -> None:
        written.append(descriptor)
        if len(written) == 2:
            raise OSError(28, os.strerror(28))

    monkeypatch.setattr(replacing.os, "fsync", fsync)
    with pytest.raises(SuiteError, match="nothing is changed: No space left on device"):
        edit_tasks(tmp_path, {"a": EDIT, "b": EDIT})
    assert [path.read_text() for path in paths] == ["id: a\ninput: x\n", "id: b\ninput: x\n"]
    assert sorted(path.name for path in (tmp_path / "tasks").iterdir()) == ["a.yaml", "b.yaml"]

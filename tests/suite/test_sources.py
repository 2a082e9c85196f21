"""YAML, JSON lines and fixtures: what is read, and what is refused before it can do harm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import SuiteError
from seatrial.suite.json_source import MAX_LINE, read_lines
from seatrial.suite.yaml_source import MAX_BYTES, parse_yaml, read_yaml
from tests.suite.samples import TASK, folder_of, load

WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co", "Zl", "Zp"], exclude_characters="\ufeff"), max_size=8
)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=10,
)


def test_only_json_scalars_are_not_texts() -> None:
    """Dates, times, yes and no, leading zeros and hexadecimal digits stay texts; null, true, false and decimal numbers do not."""
    text = "[yes, on, 2026-05-03, 12:30, 007, 0x1F, 1_000, .nan, !!str 5, 'true', ~, null, True, -1, 2.5, 1e3, .5]"
    assert parse_yaml(text, "f")[0].value == [
        "yes", "on", "2026-05-03", "12:30", "007", "0x1F", "1_000", ".nan", "5", "true", None, None, True, -1, 2.5, 1000.0, 0.5,
    ]  # fmt: skip


def test_keys_are_texts_and_lines_are_known() -> None:
    """Keys are texts whatever they look like, and every value knows its line."""
    part = parse_yaml("a:\n  - x\n  -\n    yes: 1\n1: 2\n", "f")[0]
    assert part.value == {"a": ["x", {"yes": 1}], "1": 2}
    assert [part.place.line_of(path) for path in (("a",), ("a", 0), ("a", 1, "yes"), ("1",), ("a", 9))] == [1, 2, 4, 5, 1]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "the key 'a' stands here twice; the first is in line 1"),
        ("a: !!python/object/apply:os.system [x]\n", 1, "the tag"),
        ("<<: {a: 1}\n", 1, "merge keys"),
        ("? [a]\n: b\n", 1, "a key must be a text"),
        ("a: " + "[" * 70 + "]" * 70, 1, "more than 64 levels"),
        ("a: " + "[" * 100_000, 1, "nesting"),
        ("a: &a [*a]\n", 1, "no anchor &a before this alias"),
        ("a: 'x\n", 2, "this is not YAML"),
        ("a: x\n\tb: y\n", 2, "this is not YAML"),
        ("a: 123456789012345678901234567890\n", 1, "more than 64 bits"),
        ("a: 1e999\n", 1, "too large"),
        ('a: "\\ud800"\n', 1, "this is not YAML"),
        ("a: \x07\n", 1, "this is not YAML"),
    ],
)  # fmt: skip
def test_hostile_yaml_is_refused_at_its_line(text: str, line: int, message: str) -> None:
    """Duplicate keys, tags, cycles, deep nesting, bad syntax and unstorable values are refused with their line."""
    with pytest.raises(SuiteError, match=message) as caught:
        parse_yaml(text, "f.yaml")
    assert (caught.value.file, caught.value.line) == ("f.yaml", line)


def test_aliases_that_blow_up_are_refused() -> None:
    """A document whose aliases expand to millions of values is refused before they are expanded."""
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(SuiteError, match="once its aliases are expanded"):
        parse_yaml("\n".join(levels), "f")


def test_a_file_that_is_too_large_or_no_text_is_refused(tmp_path: Path) -> None:
    """A YAML file of more than 16 MB, or of bytes that are not UTF-8, is refused."""
    (tmp_path / "large.yaml").write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(SuiteError, match="larger than"):
        read_yaml(tmp_path / "large.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: caf\xe9\n")
    with pytest.raises(SuiteError, match=r"latin\.yaml:2: the file is not UTF-8"):
        read_yaml(tmp_path / "latin.yaml")


@given(JSON)
def test_any_json_is_read_back_from_yaml(value: object) -> None:
    """JSON, which is YAML too, is read as what it says."""
    documents = parse_yaml(json.dumps({"v": value}, ensure_ascii=False), "f")
    assert documents[0].value == {"v": value}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"a": 1, "a": 2}', "the key 'a' stands in one object twice"),
        (b'{"a": NaN}', "NaN is not a JSON number"),
        (b'{"a": 1e999}', "finite"),
        (b'{"a": "\\ud800"}', "lone surrogate"),
        (b'{"a": ' + b"[" * 70 + b"]" * 70 + b"}", "more than 64 levels"),
        (b'{"a": ' + b"[" * 200_000 + b"}", "this is not JSON"),
        (b"{", "this is not JSON"),
        (b"\xff", "this is not JSON"),
        (b'"' + b"x" * MAX_LINE + b'"', "the line is longer"),
    ],
)
def test_hostile_lines_are_refused_with_their_number(line: bytes, message: str, tmp_path: Path) -> None:
    """A wrong line of a JSON-lines file is refused with its number."""
    (tmp_path / "t.jsonl").write_bytes(b'{"fine": true}\n\n' + line + b"\n")
    with pytest.raises(SuiteError, match=message) as caught:
        list(read_lines(tmp_path / "t.jsonl"))
    assert caught.value.line == 3


def test_tasks_come_from_lists_documents_and_lines(tmp_path: Path) -> None:
    """A task file holds one task, a list, or several documents; tasks.jsonl holds one a line; each is placed at its line."""
    small = "id: {}\ninput: x\nexpect: {{process: {{extras: none}}}}\n"
    folder = folder_of(tmp_path, small.format("a") + "---\n" + small.format("b"))
    (folder / "tasks" / "b.yaml").write_text(
        "- {id: c, input: x, expect: {process: {extras: none}}}\n- id: d\n  input: x\n  expect: {process: {extras: none}}\n"
    )
    (folder / "tasks.jsonl").write_text('\n{"id": "e", "input": "x", "expect": {"process": {"extras": "none"}}}\n')
    suite = load(folder)
    assert [task.id for task in suite.tasks] == ["a", "b", "c", "d", "e"]
    assert [suite.places[name].line for name in "abcde"] == [1, 5, 1, 2, 2]
    (folder / "tasks" / "b.yaml").write_text("- {id: c, input: x, expect: {process: {extras: none}}}\n- id: d\n  input: x\n  expct: 1\n")
    with pytest.raises(SuiteError, match=r"b\.yaml:4: task 'd': expct: there is no key 'expct'"):
        load(folder)


def test_many_tasks_load_from_lines(tmp_path: Path) -> None:
    """Thousands of tasks load from JSON lines."""
    task = {"input": "x", "expect": {"process": {"required": [{"call": "route", "with": {"queue": "water_high"}}]}}}
    folder = folder_of(tmp_path)
    (folder / "tasks.jsonl").write_text("".join(json.dumps({"id": f"t-{n}", **task}) + "\n" for n in range(3000)))
    assert len(load(folder).tasks) == 3001


def test_a_suite_without_tasks_or_file_is_refused(tmp_path: Path) -> None:
    """A folder without suite.yaml, or without a task, is refused."""
    with pytest.raises(SuiteError, match=r"suite\.yaml: the file cannot be read"):
        load(tmp_path)
    with pytest.raises(SuiteError, match="has no task"):
        load(folder_of(tmp_path, ""))


def test_links_to_the_outside_are_refused(tmp_path: Path) -> None:
    """A task file, document or fixture that is a link to a place outside of the suite is refused."""
    outside = tmp_path / "outside.yaml"
    outside.write_text(TASK)
    folder = folder_of(tmp_path / "suite")
    link = folder / "tasks" / "b.yaml"
    link.symlink_to(outside)
    with pytest.raises(SuiteError, match="a link to a place outside"):
        load(folder)
    link.unlink()
    (folder / "fixtures" / "base.json").unlink()
    (folder / "fixtures" / "base.json").symlink_to(outside)
    with pytest.raises(SuiteError, match="a link to a place outside"):
        load(folder)


@pytest.mark.parametrize("name", ["old/b.yaml", "b.yaml/readme.md", "b.json"])
def test_no_file_of_tasks_is_passed_over(name: str, tmp_path: Path) -> None:
    """A file of tasks that would not be read is refused: its tasks would be missing without a word."""
    stray = folder_of(tmp_path) / "tasks" / name
    stray.parent.mkdir(exist_ok=True)
    stray.write_text(TASK.replace("water-017", "water-018"), encoding="utf-8")
    with pytest.raises(SuiteError, match=r"tasks/(old|b\.yaml|b\.json): tasks are read from"):
        load(tmp_path)


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    """A task file that is a link to nothing, or to itself, is refused."""
    folder = folder_of(tmp_path)
    for target in ("gone.yaml", "b.yaml"):
        (folder / "tasks" / "b.yaml").symlink_to(target)
        with pytest.raises(SuiteError, match=r"b\.yaml: tasks are read from plain files"):
            load(folder)
        (folder / "tasks" / "b.yaml").unlink()


def test_risks_are_one_document_or_none(tmp_path: Path) -> None:
    """A second document of risks is refused, not dropped; a file that holds only remarks is no risk."""
    folder = folder_of(tmp_path)
    risk = "- {id: a, sentence: s}\n"
    for text, known in (("# none yet\n", 0), (risk, 1)):
        (folder / "risks.yaml").write_text(text, encoding="utf-8")
        assert len(load(folder).risks) == known
    (folder / "risks.yaml").write_text(f"{risk}---\n{risk}", encoding="utf-8")
    with pytest.raises(SuiteError, match=r"risks\.yaml: expected one YAML document, got 2"):
        load(folder)

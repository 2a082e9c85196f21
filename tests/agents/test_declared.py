"""What an agent is made of: every part that it declares, and every file of its package, shows in the candidate's hash."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from seatrial.agents import make_agent
from seatrial.base.errors import UsageError

AGENT = """
from pathlib import Path
from seatrial import candidate
from {package}.habits import habit


@candidate(version="{version}", model="{model}", prompt={prompt}, retrieval=Path("index"), parameters={{"temperature": {warmth}}})
def fluent(task, tools, user):
    return habit()
"""
SAME = {"version": "3", "model": "model-1", "prompt": 'Path("prompt.md")', "warmth": "0.5"}


@pytest.fixture
def folder(tmp_path):
    """A suite's folder with the package of an agent, under a name that no other test imports."""
    name = f"crew_{tmp_path.name.replace('-', '_')}"
    for file, text in {
        "prompt.md": "Be kind.",
        "habits.py": "def habit():\n    return ''\n",
        "index/a.txt": "one",
        "table.json": "{}",
    }.items():
        (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name / file).write_text(text, encoding="utf-8")
    yield tmp_path / name
    _forget(name)


def _forget(name: str) -> None:
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        del sys.modules[module]


def made(folder: Path, **parts: str):
    (folder / "__init__.py").write_text(AGENT.format(package=folder.name, **(SAME | parts)), encoding="utf-8")
    _forget(folder.name)
    return make_agent(f"{folder.name}:fluent", folder.parent).candidate


def test_an_agent_declares_its_parts(folder):
    """Version, model and settings are as declared; prompt and retrieval are hashed, from a path or from the text itself."""
    found = made(folder)
    assert (found.name, found.version, found.model, bytes(found.parameters)) == ("fluent", "3", "model-1", b'{"temperature":0.5}')
    assert len(found.prompt) == len(found.retrieval) == len(found.code) == 32
    assert made(folder, prompt='"Be kind."').prompt == found.prompt


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("version", {"version": "4"}),
        ("model", {"model": "model-2"}),
        ("prompt", {"prompt": '"Be curt."'}),
        ("parameters", {"warmth": "0.7"}),
    ],
)
def test_a_changed_declaration_is_another_candidate(folder, part, change):
    """A part that is declared otherwise has another value or hash, and the candidate another hash."""
    before, after = made(folder), made(folder, **change)
    assert getattr(before, part) != getattr(after, part)
    assert before.hash != after.hash


@pytest.mark.parametrize(("file", "part"), [("prompt.md", "prompt"), ("index/a.txt", "retrieval"), ("index/b.txt", "retrieval")])
def test_an_edited_file_shows_in_the_part_that_names_it(folder, file, part):
    """A prompt's file or a file of an index that changes, or is added, changes the hash of that part."""
    before = made(folder)
    (folder / file).write_text("changed", encoding="utf-8")
    assert getattr(made(folder), part) != getattr(before, part)


@pytest.mark.parametrize("file", ["habits.py", "table.json", "new.py", "index/a.txt", "deep/er/new.txt"])
def test_an_edit_of_any_file_of_the_package_is_another_candidate(folder, file):
    """Code or data, imported or not, old or new: a changed file of the agent's package changes `code`."""
    before = made(folder)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text("def habit():\n    return 'other'\n", encoding="utf-8")
    after = made(folder)
    assert before.code != after.code
    assert before.hash != after.hash


@pytest.mark.parametrize("file", ["__pycache__/habits.pyc", "trace.log", ".cache/x", "one.seatrial"])
def test_what_running_leaves_behind_is_no_part_of_the_agent(folder, file):
    """Caches, logs, hidden files and run files in the package change nothing: a run could not be resumed otherwise."""
    before = made(folder)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text("left behind", encoding="utf-8")
    assert made(folder) == before


def test_the_hash_does_not_depend_on_where_the_package_lies(folder, tmp_path):
    """The same package under another suite's folder has the same hashes."""
    before = made(folder)
    moved = tmp_path / "elsewhere" / folder.name
    moved.parent.mkdir()
    folder.rename(moved)
    assert made(moved) == before


def test_an_agent_that_declares_nothing_has_no_such_parts(tmp_path):
    """Parts of which nothing is said stay empty: they are not known."""
    (tmp_path / "silent_one.py").write_text("def silent(task, tools, user):\n    return ''\n", encoding="utf-8")
    found = make_agent("silent_one.py:silent", tmp_path).candidate
    assert (found.version, found.model, found.prompt, found.retrieval, bytes(found.parameters)) == ("", "", "", "", b"{}")
    assert found.code


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"prompt": 'Path("promt.md")'}, "prompt is 'promt.md', and there is no such file"),
        ({"prompt": "7"}, "prompt is a int; expected a text"),
        ({"warmth": "object()"}, "parameters cannot be written as JSON"),
    ],
)
def test_a_wrong_declaration_is_refused(folder, change, told):
    """A missing file, or a part that is no text or no JSON, is told before anything runs."""
    with pytest.raises(UsageError, match=told):
        made(folder, **change)

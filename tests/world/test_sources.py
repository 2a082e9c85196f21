"""The files that a file of Python is made of."""

import pytest

from seatrial.world.sources import own_sources

FILES = {
    "suite/agents.py": "import helpers\nfrom pack.deep import thing\nimport os, json\n",
    "suite/helpers.py": "def late():\n    import lazy\n",
    "suite/lazy.py": "from agents import careful\n",
    "suite/pack/__init__.py": "",
    "suite/pack/deep.py": "from . import near\nfrom .far import x\n",
    "suite/pack/near.py": "x = (",
    "suite/pack/far.py": "from pack.absolute import x\n",
    "suite/pack/absolute.py": "",
    "suite/nobody.py": "",
    "suite/json/readme.md": "",
    "other/agent.py": "import other.tools\nimport helpers\n",
    "other/tools.py": "",
}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("suite/agents.py", {"agents", "helpers", "lazy", "pack/__init__", "pack/deep", "pack/near", "pack/far", "pack/absolute"}),
        ("suite/pack/near.py", {"pack/near"}),
        ("other/agent.py", {"../other/agent", "../other/tools", "helpers", "lazy", "agents", "pack/__init__", "pack/deep", "pack/near",
                            "pack/far", "pack/absolute"}),
    ],
)  # fmt: skip
def test_a_file_is_made_of_what_it_imports_from_its_own_folders(tmp_path, file, expected):
    """Directly or not, within functions, relative or absolute, with the packages around it; circles and broken files end."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = own_sources(tmp_path / file, tmp_path / "suite")
    assert set(found.values()) == {(tmp_path / "suite" / f"{name}.py").resolve() for name in expected}


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("import core.rates", "lib/core/rates.py"),
        ("from core import rates", "lib/core/rates.py"),
        ("from core.rates import x", "lib/core/__init__.py"),
        ("import flat", "lib/flat.py"),
        ("import spread.part", "lib/spread/part.py"),
        ("import flat", "lib/core/deep.py"),
        ("import importlib\nimportlib.import_module('near')", "suite/near.py"),
        ("__import__('near')", "suite/near.py"),
        ("x = open('rates.json')", "suite/rates.json"),
        ("x = HOME / 'prompts' / 'system.md'", "suite/prompts/system.md"),
        ("x = open('prompts/system.md')", "suite/prompts/system.md"),
        ("import flat", "lib/words.txt"),
        ("x = open('here.txt')", "here/here.txt"),
    ],
)
def test_a_file_is_made_of_what_nobody_installed_and_of_the_texts_it_names(tmp_path, monkeypatch, text, file):
    """A package elsewhere on the import path, an import by name, a text beside the file or in a folder beside it: each counts."""
    for name, content in {
        "lib/core/__init__.py": "",
        "lib/core/rates.py": "x = 1",
        "lib/core/deep.py": "",
        "lib/flat.py": "import core.deep\nx = open('words.txt')",
        "lib/words.txt": "",
        "lib/spread/part.py": "",
        "suite/near.py": "",
        "suite/rates.json": "{}",
        "suite/prompts/system.md": "",
        "here/here.txt": "",
        "suite/agent.py": text,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    found = own_sources(tmp_path / "suite" / "agent.py", tmp_path / "suite", tmp_path / "here")
    assert (tmp_path / file).resolve() in found.values()
    assert next(iter(own_sources(tmp_path / "suite" / "agent.py"))) == "agent.py"


@pytest.mark.parametrize(
    "text", ["import json, os.path", "import pytest", "import seatrial.world", "x = 'run.log', 'cache.db', 'absent.txt', '\\0.txt'"]
)
def test_what_is_installed_or_left_behind_by_running_is_no_source(tmp_path, text):
    """Python, installed packages and seatrial have versions; logs and databases change with every run."""
    for name in ("run.log", "cache.db"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "agent.py").write_text(text, encoding="utf-8")
    assert list(own_sources(tmp_path / "agent.py", tmp_path)) == ["agent.py"]


def test_a_source_has_the_same_name_wherever_it_lies(tmp_path, monkeypatch):
    """The name of a file says where it lies in its folder or package, not where that lies: a moved suite is the same suite."""
    names = []
    for place in ("a", "b"):
        (tmp_path / place / "lib" / "aside").mkdir(parents=True)
        (tmp_path / place / "lib" / "aside" / "__init__.py").write_text("", encoding="utf-8")
        (tmp_path / place / "agent.py").write_text("import aside\nx = open('word.txt')", encoding="utf-8")
        (tmp_path / place / "word.txt").write_text("", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.syspath_prepend(tmp_path / place / "lib")
            names.append(list(own_sources(tmp_path / place / "agent.py", tmp_path / place)))
    assert names == [["agent.py", "aside/__init__.py", "word.txt"]] * 2

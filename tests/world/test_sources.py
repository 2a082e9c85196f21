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
    assert found == sorted((tmp_path / "suite" / f"{name}.py").resolve() for name in expected)

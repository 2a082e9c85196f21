"""The modules beside a world: its own by name, by hash and by file and line."""

import sys
import threading

import pytest

from seatrial.base.errors import SuiteError
from seatrial.world import load_definition

WORLD = '''
import helpers
from helpers import LIMIT, look
from rates import daily
from rates.table import RATES as table
import rates.table as again
from seatrial import Documents, tool

STATE = Documents()


@tool(effect="read")
def told() -> dict:
    """Tell what the modules beside the world say."""
    import late

    return {"limit": LIMIT, "helpers": helpers.LIMIT, "daily": daily(), "same": table is again.RATES, "late": late.WORD}
'''
HELPERS = '''
from seatrial import tool

LIMIT = {limit}


@tool(effect="read")
def look() -> int:
    """Look."""
    return LIMIT
'''


def suite(folder, *, limit=7, world=WORLD, **files):
    given = {
        "world.py": world,
        "helpers.py": HELPERS.format(limit=limit),
        "late.py": "WORD = 'late'\n",
        "rates/__init__.py": "from . import table\nfrom .days import daily\n",
        "rates/days.py": "import helpers\nfrom .table import RATES\n\n\ndef daily():\n    return RATES['day'] * helpers.LIMIT\n",
        "rates/table.py": "RATES = {'day': 2}\n",
        **{name.replace("__", "/") + ".py": text for name, text in files.items()},
    }
    for name, text in given.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load_definition(folder)


def test_a_world_imports_what_lies_beside_it(tmp_path):
    """Modules, packages, modules within them, and what a tool imports when it is called; their tools are tools of the world."""
    found = suite(tmp_path)
    assert set(found.tools) == {"told", "look"}
    assert found.tools["told"]() == {"limit": 7, "helpers": 7, "daily": 14, "same": True, "late": "late"}


def test_two_suites_do_not_mix_and_nothing_else_is_touched(tmp_path):
    """Each has its own `helpers`; the import path, and modules of these names elsewhere, stay as they were."""
    path, names = list(sys.path), set(sys.modules)
    first, second = suite(tmp_path / "a", limit=1), suite(tmp_path / "b", limit=2)
    assert (first.tools["told"]()["limit"], second.tools["told"]()["limit"]) == (1, 2)
    assert (first.tools["look"](), second.tools["look"]()) == (1, 2)
    assert sys.path == path
    assert {name.partition(".")[0] for name in set(sys.modules) - names} & {"helpers", "late", "rates", "world"} == set()
    assert not list(tmp_path.rglob("*.pyc"))


@pytest.mark.parametrize("file", ["helpers", "late", "rates____init__", "rates__days", "rates__table"])
def test_every_module_is_part_of_the_hash(file, tmp_path):
    """Also one that is only imported when a tool is called; a file that nobody imports is not, nor is the place."""
    one = suite(tmp_path / "a").hash
    assert suite(tmp_path / "b").hash == one == suite(tmp_path / "c", nobody="X = 1\n").hash
    name = "rates/__init__.py" if file == "rates____init__" else file.replace("__", "/") + ".py"
    text = (tmp_path / "a" / name).read_text() + "# more\n"
    (tmp_path / "a" / name).write_text(text, encoding="utf-8")
    assert load_definition(tmp_path / "a").hash != one


def test_what_is_hashed_is_what_runs(tmp_path):
    """Another text of equal size, written within the same second, is the one that runs."""
    assert [suite(tmp_path, limit=limit).tools["told"]()["limit"] for limit in (1, 2, 3)] == [1, 2, 3]


BAD = {
    "missing": ("import helpers, no_such_module_at_all\n", "", "world.py", 1, "ModuleNotFoundError.*no_such_module"),
    "missing within": ("import rates.nothing\n", "", "world.py", 1, "'rates.nothing'"),
    "raises": ("import helpers\n", "\n1 / 0\n", "helpers.py", 2, "ZeroDivisionError"),
    "syntax": ("\nimport helpers\n", "x = (\n", "helpers.py", 1, "SyntaxError"),
    "bad tool": ("import helpers\n", "from seatrial import tool\n@tool(effect='read')\ndef f(x): 'Say.'\n", "helpers.py", 2, "'x'"),
    "too far up": ("import rates.up\n", "", "rates/up.py", 1, "ImportError"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_beside_the_world_has_its_file_and_line(case, tmp_path):
    """The innermost file of the suite's own is named; nothing of a failed load stays in the process."""
    world, helpers, file, line, message = BAD[case]
    names = set(sys.modules)
    with pytest.raises(SuiteError, match=message) as refused:
        suite(tmp_path, world=world, helpers=helpers, rates__up="from ... import x\n")
    assert refused.value.file == str(tmp_path / file)
    assert refused.value.line == line
    assert not [name for name in set(sys.modules) - names if name.startswith("seatrial_world_")]


def test_a_failed_import_can_be_caught_and_modules_may_import_one_another(tmp_path):
    """As in any Python: a circle works, `import *` too, and a module that is missing may be lived without."""
    world = '''
try:
    import broken
except ZeroDivisionError:
    broken = None
from star import *
import circle
from seatrial import Documents, tool
STATE = Documents()


@tool(effect="read")
def told() -> list:
    """Tell."""
    return [broken, star, circle.other.circle.WORD, world_again()]


def world_again():
    import world
    return world.STATE is STATE
'''
    found = suite(
        tmp_path,
        world=world,
        broken="1 / 0\n",
        star="__all__ = ['star']\nstar = 1\nhidden = 2\n",
        circle="import other\nWORD = 'w'\n",
        other="import circle\n",
    )
    assert found.tools["told"]() == [None, 1, "w", True]


def test_threads_that_import_at_once_get_one_module(tmp_path):
    """A module that tools import when they are called runs once."""
    found = suite(tmp_path, late="import time\ntime.sleep(0.01)\nWORD = object()\n")
    words = []
    threads = [threading.Thread(target=lambda: words.append(found.tools["told"]()["late"])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(words) == 4
    assert len({id(word) for word in words}) == 1

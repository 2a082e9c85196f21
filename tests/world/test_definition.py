"""A suite's `world.py`: loaded under a name of its own, hashed, and refused with file and line."""

import subprocess
import sys

import pytest

from seatrial.base.errors import SuiteError
from seatrial.world import load_definition

GOOD = '''
from __future__ import annotations
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seatrial import Sqlite, ToolError, invariant, normaliser, probe, tool

if TYPE_CHECKING:
    from seatrial import Database

STATE = Sqlite(schema="CREATE TABLE claims(claim_id TEXT PRIMARY KEY NOT NULL);")


@dataclass
class Claim:
    claim_id: str


@tool(effect="read")
def find(state: Database, claim_id: str) -> Claim | None:
    """Find a claim."""
    return Claim(claim_id)


find_again = find


@probe
def count(state: Database):
    return state.one("SELECT count(*) AS n FROM claims")["n"]


@normaliser("claim_number")
def claim_number(value):
    return value.upper()


@invariant("quiet")
def quiet(trial):
    return []
'''


def world_of(folder, source):
    (folder / "world.py").write_text(source, encoding="utf-8")
    return load_definition(folder)


def test_everything_that_a_world_offers_is_found(tmp_path):
    """Tools, probes, normalisers and invariants by name; a second name of one function is no second tool."""
    found = world_of(tmp_path, GOOD)
    assert (list(found.tools), list(found.probes), list(found.normalisers), list(found.invariants)) == (
        ["find"],
        ["count"],
        ["claim_number"],
        ["quiet"],
    )
    offered = found.suite_definition()
    assert [tool.name for tool in offered.tools] == ["find"]
    assert (offered.collections, offered.keys) == ({"claims"}, {"claims": ("claim_id",)})
    assert (offered.probes, offered.normalisers, offered.invariants, offered.hash) == ({"count"}, {"claim_number"}, {"quiet"}, found.hash)


def test_the_hash_is_that_of_the_code_and_not_of_the_place(tmp_path):
    """The same file elsewhere is the same world; another character makes another."""
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    first, second = (world_of(tmp_path / name, GOOD) for name in ("a", "b"))
    assert first.hash == second.hash != world_of(tmp_path / "c", GOOD + "# more\n").hash
    assert first.tools["find"] is not second.tools["find"]


BAD = {
    "no state": ("X = 1\n", None, "no STATE"),
    "no tool": ("from seatrial import Documents\nSTATE = Documents()\n", None, "no tool"),
    "syntax": ("STATE = (\n", 1, "SyntaxError"),
    "raises": ("import math\n\nSTATE = math.sqrt('x')\n", 3, "TypeError"),
    "import": ("import no_such_module_at_all\n", 1, "ModuleNotFoundError"),
    "bad schema": ("from seatrial import Sqlite\n\n\nSTATE = Sqlite(schema='CREATE TABLE t(id TEXT PRIMARY KEY)')\n", 4, "NOT NULL"),
    "bad tool": ("from seatrial import tool\n\n@tool(effect='read')\ndef f(x):\n    '''Say.'''\n", 3, "'x' has no type"),
    "two of one name": (GOOD + "\n@tool(effect='read', name='find')\ndef other() -> None:\n    '''Say.'''\n", 42, "named 'find'"),
    "confusable": (
        GOOD.replace('effect="read")\ndef find', 'effect="read", confusable=["fnd"])\ndef find'),
        19,
        "'fnd'.*Did you mean 'find'",
    ),
    "outbox taken": (
        GOOD.replace('schema="', 'schema="CREATE TABLE outbox(id INTEGER PRIMARY KEY); ').replace('"read"', '"external"'),
        None,
        "outbox",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_world_that_does_not_load_says_where_and_why(case, tmp_path):
    """The error names the file and, where there is one, the line."""
    source, line, message = BAD[case]
    with pytest.raises(SuiteError, match=message) as refused:
        world_of(tmp_path, source)
    assert refused.value.file == str(tmp_path / "world.py")
    assert refused.value.line == line


def test_a_missing_world_is_an_error_of_the_suite(tmp_path):
    """Also a folder in its place, and a file that is no Python."""
    with pytest.raises(SuiteError, match="cannot be read"):
        load_definition(tmp_path)
    (tmp_path / "world.txt").write_text("x")
    with pytest.raises(SuiteError, match=r"\.py"):
        load_definition(tmp_path, "world.txt")


def test_importing_seatrial_costs_nothing_heavy():
    """`import seatrial` loads no room; the names come when they are used, and a wrong one is an AttributeError."""
    code = """
import sys, seatrial
assert not {"numpy", "scipy", "rich", "asyncio", "msgspec", "apsw", "yaml"} & set(sys.modules)
seatrial.tool, seatrial.Sqlite, seatrial.ToolError
assert not {"numpy", "scipy", "rich", "asyncio", "yaml"} & set(sys.modules)
assert not hasattr(seatrial, "tol")
assert set(seatrial.__all__) <= set(dir(seatrial))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

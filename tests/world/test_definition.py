"""A suite's `world.py`: loaded under a name of its own, hashed, and refused with file and line."""

import subprocess
import sys

import pytest

from seatrial.base.errors import SuiteError
from seatrial.world import load_definition
from tests.world.builders import FIXTURE, a_task

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


ENDS = """
import asyncio
from seatrial import Documents, tool

class E(BaseException):
    pass

class Mute(Exception):
    def __str__(self):
        raise RuntimeError


def fail():
    raise {error}


fail()
"""


@pytest.mark.parametrize(
    "error", ["E('x')", "SystemExit(0)", "GeneratorExit", "asyncio.CancelledError", "Mute()", "StopIteration", "MemoryError"]
)
def test_whatever_a_world_raises_is_an_error_of_the_suite(error, tmp_path):
    """With the file and the line it was raised on; nobody sees a traceback."""
    with pytest.raises(SuiteError, match=error.partition("(")[0].rpartition(".")[2]) as refused:
        world_of(tmp_path, ENDS.format(error=error))
    assert (refused.value.file, refused.value.line) == (str(tmp_path / "world.py"), 14)


def test_a_person_may_interrupt(tmp_path):
    """An interruption while a world loads is the person's, and goes on its way."""
    with pytest.raises(KeyboardInterrupt):
        world_of(tmp_path, ENDS.format(error="KeyboardInterrupt"))


NAMED_WRONG = {
    "normaliser": ('normalise={"claim_id": "identifer"}', "'identifer'.*Did you mean 'identifier'"),
    "own normaliser": ('normalise={"claim_id": "claim_nmber"}', "'claim_nmber'.*Did you mean 'claim_number'"),
    "argument": ('normalise={"claim_no": "text"}', "'claim_no'.*Did you mean 'claim_id'"),
    "free": ('free=["claim"]', "free names the argument 'claim'"),
    "transient": ('transient=["409"]', "transient holds '409'"),
    "effect": ("escalates=5", "escalates=5"),
}


@pytest.mark.parametrize("case", NAMED_WRONG)
def test_a_wrong_name_in_a_declaration_has_its_line_and_the_nearest_right_one(case, tmp_path):
    """Normalisers are the built-in ones and those of the file."""
    declared, message = NAMED_WRONG[case]
    with pytest.raises(SuiteError, match=message) as refused:
        world_of(tmp_path, GOOD.replace('"read")\ndef find', f'"read", {declared})\ndef find'))
    assert (refused.value.file, refused.value.line) == (str(tmp_path / "world.py"), 19)


def test_normalisers_are_found_wherever_in_the_file_they_stand(tmp_path):
    """A tool may name one that is defined below it, and a built-in one."""
    source = GOOD.replace('"read")\ndef find', '"read", normalise={"claim_id": "claim_number"})\ndef find')
    assert world_of(tmp_path, source).tools["find"].spec.normalisers == {"claim_id": "claim_number"}


def test_no_normaliser_takes_the_name_of_a_built_in_one(tmp_path):
    """One word, one meaning."""
    with pytest.raises(SuiteError, match="built-in") as refused:
        world_of(tmp_path, GOOD.replace('normaliser("claim_number")', 'normaliser("money")'))
    assert refused.value.line == 33


OWN_STATE = (
    GOOD.replace('STATE = Sqlite(schema="', 'SCHEMA = ("')
    + """
class Own:
    warnings = ()
    collections = None
    keys = {}
    source = "own"

    def prepare(self, fixture, rows):
        raise RuntimeError("not yet")


STATE = Own()
"""
)


def test_a_kind_of_state_of_the_suites_own_breaks_as_a_suite_does(tmp_path):
    """At load, and when a task's world is prepared; a class in its place is none."""
    found = world_of(tmp_path, OWN_STATE)
    with pytest.raises(SuiteError, match=r"'t-1'.*RuntimeError: not yet"):
        found.prepare(a_task(), FIXTURE)
    with pytest.raises(SuiteError, match="AttributeError"):
        world_of(tmp_path, OWN_STATE.replace('    source = "own"\n', ""))
    for state in ("Own", "5", "None"):
        with pytest.raises(SuiteError, match="no STATE"):
            world_of(tmp_path, OWN_STATE.replace("STATE = Own()", f"STATE = {state}"))

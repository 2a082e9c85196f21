"""What a suite's functions answer, as JSON that is the same in every process."""

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.world.answers import UnfitAnswerError, encoded

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)
PROGRAM = '''
from dataclasses import dataclass

from seatrial import Documents, probe, tool
from seatrial.records.contract import Alternative, Contract, Outcome
from seatrial.records.task import Task
from seatrial.suite.fixtures import FixtureData
from seatrial.world import Ledger, ProposedCall, ToolServer, WorldDefinition, take_probes
import msgspec
from msgspec import Raw

WORDS = {f"word {number}" for number in range(50)}


@dataclass
class Told:
    words: frozenset[str]


@tool(effect="write")
def tags(state) -> dict:
    """Tell and keep words in no order."""
    state["claims"]["C-1"]["tags"] = WORDS
    return {"z": [WORDS], "a": Told(frozenset(WORDS)), "told": {"deep": (WORDS,)}}


@probe
def words(state):
    return state["claims"]["C-1"]


definition = WorldDefinition(state=Documents(), tools={"tags": tags}, probes={"words": words})
contract = Contract(alternatives=(Alternative(outcome=Outcome(probes={"words": Raw(b"{}")})),))
task = Task(id="t", now="2026-01-01T00:00:00Z", contract=contract)
world = definition.prepare(task, FixtureData(records={"claims": {"C-1": {"status": "new"}}})).open(seed=1, trial=0)
ledger = Ledger()
ToolServer(world, task, (tags.spec,), ledger, seed=1, trial=0).call([ProposedCall("tags")])
take_probes(world, ledger, task)
print(msgspec.json.encode([ledger.steps, world.state.changes()]).decode())
'''


def test_a_trace_has_the_same_bytes_whatever_the_seed_of_hashes():
    """Answers, changes and probes that hold sets are written in one order by every process."""
    found = [
        subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2", "3")
    ]
    assert [one.stderr for one in found] == [b"", b"", b""]
    assert found[0].stdout.count(b'"word 1"') == 6
    assert len({one.stdout for one in found}) == 1


@given(PLAIN)
def test_plain_data_keeps_its_order(value):
    """Only what holds a set is sorted: fields stand as the tool wrote them."""
    assert encoded(value) == msgspec.json.encode(value)


@dataclass
class Told:
    z: set[int]
    a: date


def test_sets_are_sorted_wherever_they_stand():
    """In lists, in objects, in dataclasses."""
    assert encoded([{3, 1, 2}]) == b"[[1,2,3]]"
    assert encoded({"b": frozenset({"y", "x"}), "a": 1}) == b'{"a":1,"b":["x","y"]}'
    assert encoded([Told({2, 1}, date(2026, 1, 2))]) == b'[{"z":[1,2],"a":"2026-01-02"}]'


class Unprintable:
    def __repr__(self):
        raise RuntimeError


DEEP: list = []
DEEP.append(DEEP)


@pytest.mark.parametrize(
    "value",
    [object(), float("nan"), [float("inf")], {"a": (1, {"b": float("-inf")})}, {1, "a"}, DEEP, "\ud800", {(1, 2): 3}, Unprintable(), 1j],
)
def test_what_is_no_json_is_refused(value):
    """Numbers that are none, sets that have no order, circles, keys that are no text, foreign objects."""
    with pytest.raises(UnfitAnswerError):
        encoded(value)

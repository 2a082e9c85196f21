"""The world of a task and of a trial: probes, an earlier look, the hash."""

import msgspec
import pytest
from msgspec import Raw

from seatrial.base.errors import SuiteError, WorldError
from seatrial.records.contract import Alternative, Contract, Outcome
from seatrial.suite.fixtures import FixtureData
from seatrial.world import take_probes
from tests.world.builders import FIXTURE, ROWS, Sea, a_task, small_world


def probing(*names):
    return a_task(contract=Contract((Alternative(outcome=Outcome(probes={name: Raw(b"1") for name in names})),)))


def test_declared_probes_are_taken_at_the_end():
    """Each probe that the contract asks for is a step; one that cannot be taken says why."""
    with Sea(probing("open_claims", "broken", "no_such")) as sea:
        sea.call("route", {"claim_id": "C-1", "queue": "q"})
        take_probes(sea.world, sea.ledger, sea.task)
        found = {step.name: step for step in sea.ledger.steps if type(step).__name__ == "Probe"}
    assert msgspec.json.decode(found["open_claims"].value) == 1
    assert "ValueError: broken" in found["broken"].error
    assert "no probe 'no_such'" in found["no_such"].error


def test_an_unknown_probe_is_an_error_of_the_world():
    """The error lists the probes there are."""
    with Sea() as sea, pytest.raises(WorldError, match="open_claims"):
        sea.world.probe("open_clams")


def test_the_start_can_be_looked_at_while_the_trial_goes_on():
    """The earlier state shows the task's own rows and none of the trial's writes; writing to it reaches nothing."""
    with Sea(a_task(rows={"claims": [{"claim_id": "C-1", "queue": "task"}]})) as sea:
        sea.call("route", {"claim_id": "C-1", "queue": "now"})
        with sea.world.at_start() as earlier:
            assert earlier.handle.one("SELECT queue FROM claims WHERE claim_id = 'C-1'") == {"queue": "task"}
        assert sea.call("queue_of", {"claim_id": "C-1"}).value == "now"


def test_the_hash_is_of_code_schema_and_fixture():
    """Another fixture is another world."""
    first = small_world().prepare(a_task(), FIXTURE).hash
    assert first == small_world().prepare(a_task(), FIXTURE).hash
    assert first != small_world().prepare(a_task(), FixtureData(records=ROWS, hash="other")).hash


def test_a_bad_row_of_a_task_names_the_task():
    """The author finds the task whose own row is wrong."""
    with pytest.raises(SuiteError, match=r"task 't-1'.*'claims', row 1.*'qeue'.*Did you mean 'queue'"):
        small_world().prepare(a_task(rows={"claims": [{"claim_id": "x", "qeue": "y"}]}), FIXTURE)

"""The judge of a run: contracts are compiled once, and no more of them are kept than a bound."""

from __future__ import annotations

from benchmarks._samples import sample_tools, twelve_step_task, twelve_step_trace

from seatrial.app import judging
from seatrial.app.judging import Judge
from seatrial.app.own_functions import NormalForms


def judge(tasks: int) -> Judge:
    """Return the judge of some sample tasks."""
    found = {task.id: task for task in (twelve_step_task(number)[0] for number in range(tasks))}
    return Judge(found, sample_tools(), {}, NormalForms({}), {})


def test_a_contract_is_compiled_once():
    """Asked for twice, a task's compiled contract is the same object."""
    found = judge(2)
    assert found.compiled("water-001") is found.compiled("water-001")


def test_only_the_last_compiled_contracts_are_kept(monkeypatch):
    """Past the bound the one that was not asked for longest is dropped and made again when needed, and grades stay the same."""
    monkeypatch.setattr(judging, "MOST_COMPILED", 2)
    found = judge(3)
    first, second = found.compiled("water-000"), found.compiled("water-001")
    assert found.compiled("water-000") is first
    before = found.grade(twelve_step_trace(0, 1))
    found.compiled("water-000")
    found.compiled("water-002")
    assert found.compiled("water-000") is first
    assert found.compiled("water-001") is not second
    assert found.grade(twelve_step_trace(0, 1)) == before

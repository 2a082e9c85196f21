"""Two manifests held against each other: no part that matters is forgotten, and no task that a change reaches is spared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, structs

from seatrial.compare.manifests import manifest_changes
from seatrial.records.contract import ToolSpec
from seatrial.records.manifest import Candidate, Manifest, PlannedTask

TASKS = tuple(PlannedTask(name, f"hash of {name}", 4) for name in ("a", "b", "c"))
MANIFEST = Manifest("desk", "1", "s" * 32, Candidate("careful"), 7, plan=TASKS, world="w" * 32, documents={"policy.md": "Be kind."})
ONLY_TOLD = {"because", "created_at", "notes", "pace", "normal_forms", "version", "canaries"}
"""Fields that say when, why or how fast, or keep what was learned; canaries are never shown."""
OTHERS = {
    "candidate": Candidate("hasty"),
    "plan": TASKS[:2],
    "tools": (ToolSpec("look", "read"),),
    "documents": {"policy.md": "Be curt."},
    "gate": Raw(b'{"no_violation":{}}'),
    "seed": 8,
}
"""Another value of a field, where a text would not do."""


@pytest.mark.parametrize("field", [field.name for field in structs.fields(Manifest)])
def test_a_change_of_every_field_is_told_that_is_not_only_told(field: str) -> None:
    """Whoever adds a field to the manifest says here whether it reaches trials: a field that nobody classified fails this test."""
    found = manifest_changes(MANIFEST, structs.replace(MANIFEST, **{field: OTHERS.get(field, "another")}))
    assert bool(found.changes) == (field not in ONLY_TOLD)


@pytest.mark.parametrize("field", [field.name for field in structs.fields(Candidate)])
def test_a_change_of_every_part_of_a_candidate_reaches_everything(field: str) -> None:
    """No part of an agent leaves any task alone."""
    other = structs.replace(MANIFEST.candidate, **{field: Raw(b'{"a":1}') if field == "parameters" else "another"})
    assert other.hash != MANIFEST.candidate.hash
    found = manifest_changes(MANIFEST, structs.replace(MANIFEST, candidate=other))
    assert (found.reach, found.rerun) == ("everything", ("a", "b", "c"))
    assert len(found.changes) == 1


PLANS = st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.sampled_from("xyz"), st.integers(1, 3)), max_size=6).map(
    lambda plan: tuple(PlannedTask(task, contract, trials) for task, (contract, trials) in plan.items())
)


@given(before=PLANS, after=PLANS)
def test_a_task_is_spared_only_with_the_same_contract_and_as_many_trials(before, after) -> None:
    """Of two plans under one manifest exactly the tasks run again that are new, have another contract, or more trials than before."""
    old = {one.task: one for one in before}
    again = [
        one.task for one in after if one.task not in old or old[one.task].contract != one.contract or old[one.task].trials < one.trials
    ]
    found = manifest_changes(structs.replace(MANIFEST, plan=before), structs.replace(MANIFEST, plan=after))
    assert list(found.rerun) == again
    assert found.reach == ("tasks" if again else "nothing")


@given(before=PLANS, after=PLANS)
def test_a_change_of_the_world_spares_nothing_whatever_the_plans(before, after) -> None:
    """What reaches everything wins over what reaches some tasks, and is told first."""
    found = manifest_changes(structs.replace(MANIFEST, plan=before), structs.replace(MANIFEST, plan=after, world="other"))
    assert found.rerun == tuple(one.task for one in after)
    assert found.changes[0].part == "world"


def test_a_manifest_does_not_differ_from_itself() -> None:
    """The same manifest twice has nothing to run again."""
    found = manifest_changes(MANIFEST, MANIFEST)
    assert (found.changes, found.reach, found.rerun) == ((), "nothing", ())

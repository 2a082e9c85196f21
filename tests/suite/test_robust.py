"""Whatever a file holds, the loader ends with a record or with a SuiteError; and every preset keeps the rules of its kind."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base import catalogue
from seatrial.base.errors import SuiteError
from seatrial.suite import Place, faults, header, load_contract, outcome, process, required, task, user
from seatrial.suite import contract as contract_part
from seatrial.suite.header import read_header
from seatrial.suite.matchers import IN_CALLS
from seatrial.suite.part import Part, checked
from seatrial.suite.scope import Scope
from seatrial.suite.task import TaskDefaults, read_task
from tests.suite.samples import DEFINITION

ALL_KEYS = sorted(
    {"unordered", "allow", "at_most", "use", "reads", "writes", "routine", "per_day", *IN_CALLS, *contract_part.REFERENCE_KEYS}
    | contract_part.EXPECT_KEYS.keys() | contract_part.BUDGET_KEYS.keys() | process.KEYS.keys() | required.KEYS.keys() | outcome.KEYS.keys()
    | task.KEYS.keys() | faults.KEYS.keys() | user.KEYS.keys() | user.RULE_KEYS.keys() | header.KEYS.keys() | header.DEFAULTS_KEYS.keys()
)  # fmt: skip
NAMES = [tool.name for tool in DEFINITION.tools]
WORDS = [
    "a",
    "b",
    "a < b",
    "a then b",
    "user.1 < a",
    "policy_id",
    "claims/C-1",
    "claims/+",
    "*/x",
    "exact",
    "date",
    "05/03/2024",
    "none",
    "any",
    "",
    "(",
    "ok",
]
SCALARS = st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.sampled_from([*NAMES, *WORDS]) | st.text(max_size=3)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*ALL_KEYS, *WORDS]), inner, max_size=4),
    max_leaves=12,
)
CALL = st.fixed_dictionaries({"call": st.sampled_from(NAMES)}, optional={key: ANYTHING for key in required.KEYS if key != "call"})
PROCESS = st.fixed_dictionaries(
    {"required": st.lists(CALL, max_size=3)}, optional={key: ANYTHING for key in process.KEYS if key != "required"}
)
PRESETS = catalogue.built_in("preset")


@given(
    st.dictionaries(st.sampled_from(ALL_KEYS), ANYTHING, max_size=5)
    | PROCESS
    | st.fixed_dictionaries({"process": PROCESS, "outcome": ANYTHING})
)
def test_any_contract_is_a_contract_or_an_error(mapping: dict) -> None:
    """Whatever stands under `expect`, the loader gives a contract or a SuiteError."""
    with suppress(SuiteError):
        load_contract(mapping, definition=DEFINITION)


@pytest.mark.parametrize(
    "read", [lambda part: read_task(part, TaskDefaults(DEFINITION, Scope(DEFINITION).process)), lambda part: read_header(part, DEFINITION)]
)
@given(data=st.data())
def test_any_task_or_header_is_one_or_an_error(read: Callable[[Part], object], data: st.DataObject) -> None:
    """Whatever a task or a suite file holds, the loader gives a record or a SuiteError."""
    keys = sorted({**task.KEYS, **header.KEYS})
    good = {"id": "a", "name": "a", "input": "x", "expect": {"process": {"extras": "none"}}}
    value = {**good, **data.draw(st.dictionaries(st.sampled_from(keys), ANYTHING, max_size=3))}
    for key in set(value) - (task.KEYS.keys() if data.draw(st.booleans()) else header.KEYS.keys()):
        del value[key]
    with suppress(SuiteError):
        read(checked(Part(value, Place())))


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_keeps_the_rules_of_its_kind(name: str) -> None:
    """A preset says in one line what it does with extras, and expands to required calls, an order and extras that load."""
    module = catalogue.load("preset", name)
    assert module.__doc__.count("\n") == 0
    expansion = module.expand([[{"call": "route"}], [{"call": "policy_lookup", "id": "mine"}, {"call": "route"}]])
    assert f"extras: {expansion['extras']}" in module.__doc__
    assert expansion.keys() == {"required", "order", "extras"}
    made = load_contract(expansion, definition=DEFINITION)
    assert made == load_contract(
        {"preset": name, "calls": ["route", {"unordered": [{"call": "policy_lookup", "id": "mine"}, "route"]}]}, definition=DEFINITION
    )
    assert [each.id for each in made.alternatives[0].process.required] == ["call-0", "mine", "call-2"]


def test_no_preset_expands_nothing_to_anything() -> None:
    """A preset over no calls allows no calls, or says that it allows any."""
    for name in PRESETS:
        made = load_contract({"preset": name, "calls": []}, definition=DEFINITION).alternatives[0].process
        assert made.required == ()
        assert made.extras.allow in ("none", "any")

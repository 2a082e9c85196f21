"""What every kind of mutant must do; a new one is picked up by its file."""

from __future__ import annotations

import inspect
from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from hypothesis import find, given
from hypothesis import strategies as st
from msgspec import Raw

from seatrial.agents import PathStep
from seatrial.base import catalogue
from seatrial.base.normal_forms import BUILT_IN
from seatrial.prove import Subject
from seatrial.prove.path import members
from seatrial.prove.values import invented, one_more, other_choice, other_key, spellings
from seatrial.records.contract import Alternative, Order, Process, Required, ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import Identity, Status, Trace

KINDS = catalogue.built_in("mutant")
PARAMETERS = (
    b'{"type":"object","properties":{"key":{"type":"string"},"times":{"type":"integer"},"way":{"enum":["up","down"]}},"required":["key"]}'
)
TOOLS = {
    name: ToolSpec(name, effect, parameters=Raw(PARAMETERS), normalisers={"key": "identifier"})
    for name, effect in (("look", "read"), ("seek", "read"), ("set", "write"), ("send", "external"), ("shred", "write"))
}
PERMITTED = tuple(name for name in TOOLS if name != "shred")
KEYS = {"things": ("K-1", "K-2", "K-3")}
NOBODY = Trace(Identity("s", "t", "", "", "", 0, 0), Status.COMPLETED)

calls = st.builds(
    lambda tool, arguments: PathStep(call=tool, with_=Raw(msgspec.json.encode(arguments))),
    st.sampled_from(sorted(PERMITTED)),
    st.fixed_dictionaries(
        {"key": st.sampled_from(["K-1", "K-2", "x9"])}, optional={"times": st.integers(1, 3), "way": st.sampled_from(["up", "down"])}
    ),
)
steps = st.one_of(
    calls,
    st.lists(calls, min_size=2, max_size=3).map(lambda several: PathStep(together=tuple(several))),
    st.text(min_size=1, max_size=5).map(lambda text: PathStep(say=text)),
)


@st.composite
def subjects(draw):
    """Any path over a world of five tools, one of them not permitted, with an order between some of its calls."""
    path = tuple(draw(st.lists(steps, max_size=5))) + tuple(draw(st.lists(st.just(PathStep(answer="Done.")), max_size=1)))
    required, names = tuple(Required(name, (name,)) for name in PERMITTED), sorted(PERMITTED)
    order = tuple(Order(left, "<", right) for left, right in pairwise(names) if draw(st.booleans()))
    way = Alternative(process=Process(required=required, order=order))
    return Subject(Task("t", input="Please set K-1.", tools=PERMITTED), way, path, NOBODY, TOOLS, KEYS)


def made(path):
    """Return the calls of a path, in no order."""
    return Counter((call.call, bytes(call.with_)) for step in path for call in members(step))


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_mutant_says_what_it_does(kind):
    """A kind documents itself, and makes mutants of a subject."""
    module = catalogue.load("mutant", kind)
    assert module.__doc__.startswith(f"`{kind}`")
    assert list(inspect.signature(module.mutants).parameters) == ["subject"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_finds_something_to_spoil(kind):
    """The paths that are drawn below are such that no kind is tried on nothing."""
    made_by = catalogue.load("mutant", kind).mutants
    assert find(subjects(), lambda subject: next(iter(made_by(subject)), None) is not None)


@pytest.mark.parametrize("kind", KINDS)
@given(subject=subjects())
def test_mutants_are_the_same_twice_and_differ_from_the_right_way(kind, subject):
    """The same subject has the same mutants, each with a name, and none of them is the right way itself unless a fault spoils it."""
    module = catalogue.load("mutant", kind)
    found = list(module.mutants(subject))
    assert found == list(module.mutants(subject))
    for mutant in found:
        assert mutant.name
        assert mutant.same or mutant.closes
        assert mutant.path != subject.path or mutant.faults


@given(subject=subjects())
def test_order_mutants_keep_every_call_and_all_that_is_said(subject):
    """What only changes its place is neither lost nor doubled."""
    for kind in ("swap_order", "at_once", "move_confirmation"):
        for mutant in catalogue.load("mutant", kind).mutants(subject):
            assert made(mutant.path) == made(subject.path)
            assert Counter(step.say for step in mutant.path if step.say) == Counter(step.say for step in subject.path if step.say)


@given(subject=subjects())
def test_a_dropped_call_is_the_only_one_that_is_missing(subject):
    """Every call is dropped once, and nothing else with it."""
    for mutant in catalogue.load("mutant", "drop_call").mutants(subject):
        assert sum((made(subject.path) - made(mutant.path)).values()) == 1
        assert not made(mutant.path) - made(subject.path)


@given(subject=subjects())
def test_a_doubled_or_further_write_is_the_only_call_more(subject):
    """One write more, nothing less."""
    for kind in ("double_write", "append_write"):
        for mutant in catalogue.load("mutant", kind).mutants(subject):
            (extra,) = (made(mutant.path) - made(subject.path)).elements()
            assert TOOLS[extra[0]].effect != "read"


WRITTEN = {
    "identifier": st.from_regex(r"[A-Z]{1,3}-[0-9]{1,5}(-[A-Z])?", fullmatch=True),
    "text": st.text(min_size=1, max_size=20),
    "date": st.dates().map(lambda day: day.isoformat()),
    "date_dmy": st.dates().map(lambda day: day.isoformat()),
    "datetime": st.datetimes().map(lambda moment: moment.isoformat(timespec="seconds") + "Z"),
    "money": st.decimals(min_value=0, max_value=10**6, places=2).map(lambda amount: f"{amount:,}"),
    "phone": st.from_regex(r"\+44 20 [0-9]{4} [0-9]{4}", fullmatch=True),
    "json": st.from_regex(r'\{"a":[0-9]\}', fullmatch=True),
}


@pytest.mark.parametrize("normaliser", sorted(WRITTEN))
@given(data=st.data())
def test_another_spelling_is_the_same_value_and_another_text(normaliser, data):
    """What is offered as the same value is one by its normaliser, and is not written in the same way."""
    value = data.draw(WRITTEN[normaliser])
    for other in spellings(value, normaliser):
        assert BUILT_IN[normaliser](other) == BUILT_IN[normaliser](value)
        assert (type(other), other) != (type(value), value)


@given(st.one_of(st.text(max_size=8), st.integers(), st.booleans(), st.dates().map(str), st.sampled_from(["K-1", "K-3"])))
def test_a_wrong_value_is_of_the_same_type_and_another_one(value):
    """Every change to a value keeps its type, so that the tool takes it, and changes it."""
    schema = {"enum": ["K-1", "K-2"]}
    for other in (one_more(value), other_key(value, KEYS), other_choice(value, schema), invented(value, ["K-1"])):
        assert other is None or (type(other) is type(value) and other != value)


@given(st.from_regex(r"[A-Za-z0-9]{2,8}", fullmatch=True), st.lists(st.text(max_size=20), max_size=5))
def test_an_invented_value_stands_nowhere(value, known):
    """What is made up is in nothing that is known."""
    made_up = invented(value, known)
    assert made_up is None or not any(made_up in text for text in known)

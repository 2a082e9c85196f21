"""The bound on search states: equal to a count of order ideals by brute force, and quick on hostile contracts."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from seatrial.records.contract import Order, Process, ToolSpec
from seatrial.suite import SuiteDefinition, load_contract
from seatrial.suite.state_bound import MAX_STATES, state_bound

DEFINITION = SuiteDefinition(tools=(ToolSpec(name="look", effect="read"), ToolSpec(name="other", effect="read")))
PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1]), min_size=1, max_size=6)


def process_of(required: list[dict], order: list[str]) -> Process:
    """A process over the sample tools."""
    process = load_contract({"required": required, "order": order}, definition=DEFINITION).alternatives[0].process
    assert process is not None
    return process


def rivals(count: int) -> list[dict]:
    """Calls that compete with one another and are not interchangeable."""
    return [{"id": f"r{n}", "call": "look", "with": {"a": {"$one_of": [0, n + 1]}}} for n in range(count)]


def ideals(count: int, pairs: set[tuple[int, int]]) -> int:
    """Count the sets that hold, with each element, all that come before it."""
    sets = [set(chosen) for size in range(count + 1) for chosen in combinations(range(count), size)]
    return sum(all(left in chosen for left, right in pairs if right in chosen) for chosen in sets)


@given(PAIRS)
def test_the_bound_is_the_number_of_order_ideals(pairs: list[tuple[int, int]]) -> None:
    """For competing calls the bound is exactly the number of order ideals."""
    process = process_of(rivals(6), [f"r{left} < r{right}" for left, right in pairs])
    assert state_bound(process, [], {}) == ideals(6, set(pairs))


def test_calls_that_nobody_competes_for_open_no_state() -> None:
    """Forty calls with different arguments need one state, and equal calls are only counted."""
    different = [{"id": f"r{n}", "call": "look", "with": {"a": n}} for n in range(40)]
    assert state_bound(process_of(different, ["r0 < r1"]), [], {}) == 1
    equal = [{"id": f"r{n}", "call": "look", "with": {"a": 1}} for n in range(40)]
    assert state_bound(process_of([*equal, {"id": "last", "call": "other"}], ["r0 < last"]), [], {}) == 40 * 2
    counted = [{"id": "many", "call": "look", "count": 1000}, {"id": "last", "call": "other"}]
    assert state_bound(process_of(counted, ["many < last"]), [], {}) == 1001


def test_without_order_there_is_no_search() -> None:
    """Without order and sources a matching needs one state, however many calls compete."""
    assert state_bound(process_of(rivals(30), []), [], {}) == 1
    assert state_bound(process_of(rivals(30), []), [Order("r0", "<", "r1")], {}) == MAX_STATES + 1


def test_normalisers_decide_who_competes() -> None:
    """Two spellings of one identifier compete under the normaliser of the tool, and not without it."""
    required = [
        {"id": "a", "call": "look", "with": {"x": "A-1"}},
        {"id": "b", "call": "look", "with": {"x": "a 1"}},
        {"id": "c", "call": "look"},
    ]
    process = process_of(required, ["a < c", "b < c"])
    plain = {"look": ToolSpec(name="look", effect="read")}
    alike = {"look": ToolSpec(name="look", effect="read", normalisers={"x": "identifier"})}
    assert state_bound(process, [], plain) == state_bound(process, [], alike) == 5


def test_hostile_contracts_are_bounded_at_once() -> None:
    """Hundreds of competing calls are refused, and a chain of them is counted, without taking long."""
    assert state_bound(process_of(rivals(300), []), [Order("r0", "then", "r1")], {}) == MAX_STATES + 1
    chain = [" < ".join(f"r{n}" for n in range(300))]
    assert state_bound(process_of(rivals(300), chain), [], {}) == 301

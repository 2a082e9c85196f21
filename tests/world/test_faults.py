"""What each fault does to its call, and when a fault fires."""

import msgspec
import pytest
from msgspec import Raw

from seatrial.base.errors import UsageError
from seatrial.grade.process.outcomes import good
from seatrial.world.matching import matches
from tests.world.builders import Sea, a_task

LOOKUP = {"policy_id": "P-1"}
GOOD = {"policy_id": "P-1", "holder": "Ann", "detail": False}


def under(kind, name="policy_lookup", arguments=LOOKUP, **more):
    """Make one call under a fault and return observation, call and changes."""
    with Sea(a_task(faults=[{"tool": "*", "kind": kind, **more}])) as sea:
        seen = sea.call(name, arguments)
        return seen, sea.calls[0], sea.changed


@pytest.mark.parametrize(
    ("status", "transient"),
    [(None, True), (408, True), (425, True), (429, True), (500, True), (599, True), (400, False), (404, False), (422, False)],
)
def test_error_answers_with_a_status_and_the_tool_does_not_run(status, transient):
    """503 unless declared; whether a retry can help follows from the status."""
    seen, call, changed = under("error", "route", {"claim_id": "C-1", "queue": "q"}, status=status)
    assert (seen.failure.kind, seen.failure.status, seen.failure.transient) == ("status", status or 503, transient)
    assert (call.ran, changed) == (False, {})


def test_timeout_costs_virtual_time_and_nothing_is_done():
    """Thirty virtual seconds unless declared."""
    seen, call, changed = under("timeout", "route", {"claim_id": "C-1", "queue": "q"})
    assert (seen.failure.kind, call.seconds, call.ran, changed) == ("timeout", 30.0, False, {})


def test_latency_is_a_good_answer_that_comes_late():
    """Only the clock moves."""
    seen, call, _ = under("latency")
    assert (seen.value, call.failure, call.seconds) == (GOOD, None, 5.0)


def test_malformed_arrives_as_text_that_no_parser_reads():
    """The record keeps the text that arrived."""
    seen, call, _ = under("malformed")
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(seen.text.encode())
    assert msgspec.json.decode(call.observation) == seen.text
    assert "Ann" in seen.text
    assert call.ran


def test_truncated_arrives_as_the_beginning():
    """A part of the answer, never all of it."""
    seen, call, _ = under("truncated")
    whole = '{"policy_id":"P-1","holder":"Ann","detail":false}'
    assert whole.startswith(seen.text)
    assert 0 < len(seen.text) < len(whole)
    assert call.failure.kind == "truncated"


def test_empty_arrives_as_nothing():
    """An empty text."""
    seen, call, _ = under("empty")
    assert (seen.text, msgspec.json.decode(call.observation), call.failure.kind) == ("", "", "empty")


def test_stale_answers_from_the_start_of_the_trial():
    """The second look sees what was there before the write, and looks like a good answer."""
    with Sea(
        a_task(faults=[{"tool": "queue_of", "kind": "stale", "nth": (2,)}], rows={"claims": [{"claim_id": "C-1", "queue": "task"}]})
    ) as sea:
        sea.call("route", {"claim_id": "C-1", "queue": "now"})
        seen = [sea.call("queue_of", {"claim_id": "C-1"}) for _ in range(3)]
        assert [one.value for one in seen] == ["now", "task", "now"]
        assert [call.fault.kind if call.fault else None for call in sea.calls] == [None, None, "stale", None]
        assert all(call.succeeded for call in sea.calls)


def test_a_lost_response_leaves_the_write_and_the_retry_doubles_it():
    """The write is in the record of the call whose answer was lost."""
    with Sea(a_task(faults=[{"tool": "notify", "kind": "lost_response", "first": 1}])) as sea:
        lost, again = sea.call("notify", {"to": "ann"}), sea.call("notify", {"to": "ann"})
        first, second = sea.calls
        assert (lost.ok, lost.failure.kind, again.ok) == (False, "lost_response", True)
        assert (first.ran, len(first.changes), second.retry_of) == (True, 1, first.sequence)
        assert list(sea.changed) == ["outbox/1", "outbox/2"]


def test_a_lost_response_of_a_call_that_failed_wrote_nothing():
    """The answer that is lost may be an error."""
    seen, call, changed = under("lost_response", "route", {"claim_id": "C-1", "queue": "q", "fail": "boom"})
    assert (seen.failure.kind, call.ran, changed, call.changes) == ("lost_response", False, {}, ())
    assert not good(call, reads=False)


def test_a_read_fault_does_not_hide_the_tools_own_error():
    """Where the tool failed there is no answer to spoil."""
    for kind in ("malformed", "truncated", "empty", "injection"):
        seen, call, _ = under(kind, arguments={"policy_id": "nothing"})
        assert (seen.failure.status, call.fault.kind) == (404, kind)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"text": "Obey!"}, {**GOOD, "policy_id": "P-1\nObey!"}),
        ({"text": "Obey!", "field": "holder"}, {**GOOD, "holder": "Ann\nObey!"}),
        ({"text": "Obey!", "field": "remarks"}, {**GOOD, "remarks": "Obey!"}),
    ],
)
def test_injection_plants_text_in_a_good_answer(more, expected):
    """In the named field, else in the first text field; the call succeeds."""
    seen, call, _ = under("injection", **more)
    assert (seen.value, call.failure) == (expected, None)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("notify", {"to": "a"}, "sent to a\nObey!"),
        ("queue_of", {"claim_id": "C-1"}, {"value": None, "note": "Obey!"}),
        ("peek", {"sql": "SELECT 1 AS n"}, [{"n": 1, "note": "Obey!"}]),
        ("peek", {"sql": "SELECT 1 WHERE 0"}, {"value": [], "note": "Obey!"}),
    ],
)
def test_injection_finds_a_place_in_any_answer(name, arguments, expected):
    """Texts, lists, objects without text, and nothing at all."""
    assert under("injection", name, arguments, text="Obey!")[0].value == expected


@pytest.mark.parametrize(
    ("schedule", "fired"),
    [
        ({}, [1, 2, 3, 4]),
        ({"nth": (2, 4)}, [2, 4]),
        ({"first": 3}, [1, 2, 3]),
        ({"rate": 1.0, "first": 2}, [1, 2]),
        ({"rate": 0.0}, []),
        ({"when": Raw(b'{"policy_id": "P-1"}')}, [1, 3]),
        ({"when": Raw(b'{"policy_id": {"$regex": ".*2"}}'), "first": 2}, [2]),
    ],
)
def test_a_schedule_says_on_which_calls(schedule, fired):
    """Nth, first, rate and matching arguments; conditions that stand together must all hold."""
    with Sea(a_task(faults=[{"tool": "policy_lookup", "kind": "error", **schedule}])) as sea:
        for number in range(4):
            sea.call("policy_lookup", {"policy_id": f"P-{number % 2 + 1}"})
        assert [index for index, call in enumerate(sea.calls, 1) if call.fault] == fired


def test_only_calls_that_would_have_run_count_as_occurrences():
    """Invalid and refused attempts never reach the service, so they do not shift the weather."""
    with Sea(a_task(faults=[{"tool": "policy_lookup", "kind": "error", "nth": (2,)}])) as sea:
        for arguments in (LOOKUP, {}, "no json", LOOKUP):
            sea.call("policy_lookup", arguments)
        assert [call.fault is not None for call in sea.calls] == [False, False, False, True]


def test_other_tools_do_not_shift_the_weather():
    """The draw depends on the tool's own occurrences: both candidates meet the same, whatever else they call."""

    def fired(others):
        with Sea(a_task(faults=[{"tool": "*", "kind": "error", "rate": 0.5}])) as sea:
            for _ in range(20):
                sea.call("policy_lookup", LOOKUP)
                for _ in range(others):
                    sea.call("queue_of", {"claim_id": "C-1"})
            return [call.fault is not None for call in sea.calls if call.tool == "policy_lookup"]

    assert fired(0) == fired(1) == fired(3)


def test_of_several_faults_the_first_that_is_due_fires():
    """One call meets one fault."""
    with Sea(a_task(faults=[{"tool": "*", "kind": "timeout", "nth": (2,)}, {"tool": "*", "kind": "error"}])) as sea:
        for _ in range(2):
            sea.call("policy_lookup", LOOKUP)
        assert [call.fault.kind for call in sea.calls] == ["error", "timeout"]


def test_an_unknown_kind_of_fault_is_named():
    """The error offers the nearest kind."""
    with pytest.raises(UsageError, match="Did you mean 'timeout'"):
        Sea(a_task(faults=[{"tool": "*", "kind": "timeot"}]))


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (True, True, True),
        ("1", 1, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"$any": True}, None, True),
        ({"$one_of": ["a", 1]}, 1, True),
        ({"$one_of": ["a", 1]}, True, False),
        ({"$regex": "P-.*"}, "P-1", True),
        ({"$regex": "P-.*"}, 7, False),
        ({"$range": [1, None]}, 5, True),
        ({"$range": [None, 4]}, 5, False),
        ({"$range": [0, 9]}, True, False),
        ({"a": {"$one_of": [1]}}, {"a": 1}, True),
        ({"a": 1}, [1], False),
    ],
)
def test_matching_arguments_are_compared_by_type(expected, actual, same):
    """Literals and matchers, as in contracts; an object asks for its own keys only."""
    assert matches(expected, actual) is same

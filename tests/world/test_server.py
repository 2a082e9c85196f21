"""What happens to a call between the agent's proposal and its answer."""

import msgspec
import pytest
from msgspec import UNSET

from seatrial.base.errors import BudgetExceeded, UsageError, WorldError
from seatrial.records.contract import Alternative, Budget, Contract, Process, Required
from seatrial.world import ProposedCall
from tests.world.builders import Sea, a_task


def json_of(raw):
    return msgspec.json.decode(raw)


def test_a_good_call_is_recorded_as_proposed_and_as_executed():
    """The record holds the arguments as proposed, those that the tool ran with, defaults filled, and the answer."""
    with Sea() as sea:
        seen = sea.call("policy_lookup", {"policy_id": "P-1"})
        (call,) = sea.calls
    assert seen.ok
    assert seen.value == {"policy_id": "P-1", "holder": "Ann", "detail": False}
    assert json_of(call.proposed) == {"policy_id": "P-1"}
    assert json_of(call.executed) == {"policy_id": "P-1", "detail": False}
    assert json_of(call.observation) == seen.value
    assert (call.validity, call.result, call.effect) == ("valid", "valid", "read")
    assert call.succeeded


def test_calls_of_one_message_are_issued_and_delivered_together():
    """Concurrent calls share the message's number, and none is issued after another's answer."""
    with Sea() as sea:
        sea.together(("policy_lookup", {"policy_id": "P-1"}), ("policy_lookup", {"policy_id": "P-2"}))
        sea.call("queue_of", {"claim_id": "C-1"})
        first, second, third = sea.calls
    assert (first.issued_at, first.message) == (second.issued_at, second.message)
    assert first.delivered_at == second.delivered_at
    assert max(first.sequence, second.sequence) < first.delivered_at < third.issued_at < third.sequence < third.delivered_at
    assert [first.position, second.position] == [0, 1]
    assert not first.inferred


def test_an_unseen_message_leaves_the_order_inferred():
    """When the harness did not see the proposing message, a call counts as issued when it arrived, and says so."""
    with Sea() as sea:
        sea.server.call([ProposedCall("notify", {"to": "a"})], observed_message=False)
        (call,) = sea.calls
    assert call.inferred
    assert call.message is None
    assert call.issued_at == call.sequence


def test_the_three_doors_can_be_walked_one_by_one():
    """A call that was executed and not delivered is in the record without a delivery; a handle is good once."""
    with Sea() as sea:
        (handle,) = sea.server.propose([ProposedCall("notify", {"to": "a"})], actor="agent/a", context="agent/a")
        assert sea.calls == []
        sea.server.execute(handle)
        assert sea.calls[0].delivered_at is None
        moment = sea.server.deliver([handle])
        assert sea.calls[0].delivered_at == moment
        assert (sea.calls[0].actor, sea.calls[0].context) == ("agent/a", "agent/a")
        with pytest.raises(UsageError):
            sea.server.execute(handle)


@pytest.mark.parametrize("arguments", [None, "", "null", "  ", {}, "{}"])
def test_no_arguments_are_an_empty_object(arguments):
    """`""`, `null` and nothing at all are `{}`."""
    with Sea() as sea:
        seen = sea.call("notify", arguments)
        (call,) = sea.calls
    assert json_of(call.proposed) == {}
    assert seen.failure.kind == "invalid_arguments"


BAD_ARGUMENTS = [
    ('{"to": "a", "to": "b"}', "unparseable"),
    ('{"to": NaN}', "unparseable"),
    ('{"to": "a"', "unparseable"),
    ("to=a", "unparseable"),
    ('{"to": "\\ud800"}', "unparseable"),
    ("\ud800", "unparseable"),
    ("[" * 100_000, "unparseable"),
    ('{"to": ' + "[" * 70 + "]" * 70 + "}", "unparseable"),
    ('{"to": "' + "x" * 1_000_001 + '"}', "unparseable"),
    ('{"to": ' + "9" * 5000 + "}", "unparseable"),
    ('["to"]', "invalid"),
    ('"to"', "invalid"),
    ("7", "invalid"),
    ('{"to": 7}', "invalid"),
    ('{"to": "a", "cc": "b"}', "invalid"),
    ('{"to": "a", "copies": true}', "invalid"),
    ('{"to": "a", "copies": "1"}', "invalid"),
    ({"to": float("nan")}, "unparseable"),
    ({"to": float("inf")}, "unparseable"),
    ({"to": object()}, "unparseable"),
    ({"to": {1, 2}}, "unparseable"),
    ({"to": b"bytes"}, "unparseable"),
    ({"to": "\ud800"}, "unparseable"),
    ({1: "a"}, "unparseable"),
    ({"to": "x" * 1_000_001}, "unparseable"),
    (["to"], "invalid"),
    (7, "invalid"),
    ({}, "invalid"),
]


@pytest.mark.parametrize(("arguments", "validity"), BAD_ARGUMENTS, ids=[str(number) for number in range(len(BAD_ARGUMENTS))])
def test_bad_arguments_are_an_error_observation_and_never_a_crash(arguments, validity):
    """Whatever an agent sends as arguments is answered, recorded within bounds, and can be stored."""
    with Sea() as sea:
        seen = sea.call("notify", arguments)
        (call,) = sea.calls
        assert sea.changed == {}
    assert not seen.ok
    assert call.validity == validity
    assert call.executed is UNSET
    assert call.failure.transient is False
    assert len(msgspec.json.encode(call)) < 300_000
    assert msgspec.json.decode(msgspec.json.encode(call), type=type(call)).tool == "notify"


def test_an_object_that_holds_itself_is_refused():
    """Arguments without an end are too deep."""
    endless: dict = {}
    endless["to"] = endless
    with Sea() as sea:
        assert "deeper" in sea.call("notify", endless).failure.message


@pytest.mark.parametrize("name", ["no_such_tool", "", "x" * 5000, "\ud800", "__class__", "policy_lookup "])
def test_an_unknown_tool_is_an_error_observation(name):
    """A tool that does not exist is answered with an error that names it; the harness goes on."""
    with Sea() as sea:
        seen = sea.call(name, {})
        (call,) = sea.calls
        assert sea.call("policy_lookup", {"policy_id": "P-1"}).ok
    assert seen.failure.kind == "unknown_tool"
    assert call.validity == "unknown_tool"
    assert len(call.tool) <= 200


def test_a_tool_outside_of_the_task_is_refused_and_recorded():
    """A task's list of tools is its permission: the refusal is a step of its own, and nothing runs."""
    with Sea(a_task(tools=("policy_lookup",))) as sea:
        seen = sea.call("route", {"claim_id": "C-1", "queue": "q"})
        assert sea.changed == {}
        decision = next(step for step in sea.ledger.steps if type(step).__name__ == "PermissionDecision")
        (call,) = sea.calls
    assert seen.failure.kind == call.failure.kind == "refused"
    assert (decision.call, decision.allowed) == (call.sequence, False)
    assert call.effect == "write"
    assert call.executed is UNSET


def test_aliases_and_prefixes_of_the_contract_reach_the_tool():
    """Another name that the contract declares runs the tool; the record keeps the name as proposed."""
    process = Process(aliases={"find_policy": "policy_lookup"}, tool_prefix="mcp__")
    with Sea(a_task(contract=Contract((Alternative(process=process),)))) as sea:
        for name in ("find_policy", "mcp__policy_lookup", "mcp__find_policy"):
            assert sea.call(name, {"policy_id": "P-1"}).ok
        assert [call.tool for call in sea.calls] == ["find_policy", "mcp__policy_lookup", "mcp__find_policy"]


@pytest.mark.parametrize(
    ("arguments", "kind", "status", "transient"),
    [({"fail": "status"}, "status", 503, True), ({"fail": "boom"}, "tool_error", None, False)],
)
def test_a_tool_that_raises_takes_its_writes_back(arguments, kind, status, transient):
    """What a failed call wrote is undone, and the agent is told why it failed."""
    with Sea() as sea:
        seen = sea.call("route", {"claim_id": "C-1", "queue": "q", **arguments})
        (call,) = sea.calls
        assert sea.changed == {}
        assert sea.call("queue_of", {"claim_id": "C-1"}).value is None
    assert (seen.failure.kind, seen.failure.status, seen.failure.transient) == (kind, status, transient)
    assert call.ran
    assert not call.succeeded
    assert call.changes == ()


def test_a_constraint_checked_at_commit_is_the_tools_error():
    """A deferred foreign key that fails at the end of the call undoes the call."""
    with Sea() as sea:
        seen = sea.call("run_sql", {"sql": "UPDATE claims SET policy_id = 'P-9'"})
        assert seen.failure.kind == "tool_error"
        assert "FOREIGN KEY" in seen.failure.message
        assert sea.changed == {}
        assert sea.call("route", {"claim_id": "C-1", "queue": "q"}).ok


def test_a_tools_own_error_may_be_declared_transient():
    """A status that the tool declares transient is worth a retry; the same of another tool is not."""
    with Sea(a_task(faults=[{"tool": "*", "kind": "error", "status": 409}])) as sea:
        assert sea.call("policy_lookup", {"policy_id": "P-1"}).failure.transient
        assert not sea.call("queue_of", {"claim_id": "C-1"}).failure.transient


@pytest.mark.parametrize("sql", ["DROP TABLE claims", "PRAGMA query_only=OFF", "ATTACH 'x' AS y", "BEGIN", "COMMIT", "ANALYZE", "REINDEX"])
@pytest.mark.parametrize("name", ["run_sql", "peek"])
def test_schema_pragmas_files_and_transactions_are_closed_to_tools(name, sql):
    """What would escape the state's watch is an error of the call, and the world goes on."""
    with Sea() as sea:
        assert "closed to tools" in sea.call(name, {"sql": sql}).failure.message
        assert sea.call("route", {"claim_id": "C-1", "queue": "q"}).ok
        assert list(sea.changed) == ["claims/C-1"]
        assert sea.world.state.changes_unknown == ""


def test_a_declared_read_that_writes_is_the_suites_error_and_writes_nothing():
    """The trial ends as the machinery's failure that names the tool; the call is in the record."""
    with Sea() as sea:
        with pytest.raises(WorldError, match=r"sneak.*effect='read'"):
            sea.call("sneak")
        assert sea.changed == {}
        assert sea.calls[0].tool == "sneak"
        assert not sea.calls[0].succeeded


def test_an_agents_own_sql_cannot_write_through_a_reading_tool():
    """A query that writes is refused to the agent: its mistake, not the machinery's."""
    with Sea() as sea:
        seen = sea.call("peek", {"sql": "DELETE FROM claims RETURNING claim_id"})
        assert seen.failure.kind == "tool_error"
        assert sea.changed == {}


def test_an_external_effect_lands_in_the_outbox():
    """What left the world is a change of its own, numbered, with tool and arguments; a failed call sends nothing."""
    with Sea() as sea:
        sea.call("notify", {"to": "ann"})
        sea.call("notify", {"to": ""})
        sea.call("notify", {"to": "bob", "copies": 2})
        assert sea.changed == {
            "outbox/1": ("created", None, {"tool": "notify", "arguments": {"to": "ann", "copies": 1}}),
            "outbox/2": ("created", None, {"tool": "notify", "arguments": {"to": "bob", "copies": 2}}),
        }
        assert [len(call.changes) for call in sea.calls] == [1, 0, 1]


def test_the_changes_of_each_call_are_recorded_and_the_net_is_put_together():
    """Each write carries its own changes; written and reverted is no change in the end."""
    with Sea() as sea:
        sea.call("run_sql", {"sql": "UPDATE claims SET queue = 'a'"})
        sea.call("run_sql", {"sql": "UPDATE claims SET queue = NULL WHERE claim_id = 'C-2'"})
        assert [[change.path for change in call.changes] for call in sea.calls] == [["claims/C-1", "claims/C-2"], ["claims/C-2"]]
        assert sea.changed == {"claims/C-1": ("updated", {"queue": None}, {"queue": "a"})}


def test_a_tool_gets_its_own_copy_of_the_arguments():
    """What a tool does to its arguments changes neither the agent's object nor the record."""
    given = {"items": ["a"], "box": {"b": 1}}
    with Sea() as sea:
        seen = sea.call("keep_and_change", given)
        (call,) = sea.calls
    assert given == {"items": ["a"], "box": {"b": 1}}
    assert json_of(call.executed) == json_of(call.proposed) == given
    assert seen.value["items"] == ["a", "changed"]


@pytest.mark.parametrize(("kind", "result", "ok"), [("nan", "invalid", False), ("object", "invalid", False), ("list", "invalid", True)])
def test_an_answer_is_held_against_its_declared_type(kind, result, ok):
    """An answer of another type is marked; one that is no JSON is no answer at all."""
    with Sea() as sea:
        seen = sea.call("odd", {"kind": kind})
        assert sea.calls[0].result == result
    assert seen.ok is ok
    assert ok or seen.failure.kind == "result_invalid"


def test_time_is_the_tasks_own_for_python_and_for_sql():
    """The clock that a tool is given and the time in SQL are the same, and only faults move them."""
    task = a_task(faults=[{"tool": "notify", "kind": "latency", "seconds": 90.0}], caller={"policies": ("P-1",)})
    with Sea(task) as sea:
        assert sea.call("time_told").value["sql"] == "2026-05-04 09:00:00"
        sea.call("notify", {"to": "a"})
        seen = sea.call("time_told").value
        assert sea.calls[1].seconds == 90.0
    assert seen == {"clock": "2026-05-04T09:01:30Z", "sql": "2026-05-04 09:01:30", "caller": {"policies": ["P-1"]}}


def test_a_retry_names_the_failed_call_it_repeats():
    """Identical means after defaults are filled; other arguments, a success in between, or a concurrent twin are no retry."""
    with Sea(a_task(faults=[{"tool": "policy_lookup", "kind": "error", "first": 2}])) as sea:
        for arguments in ({"policy_id": "P-1"}, {"policy_id": "P-1", "detail": False}, {"policy_id": "P-1"}, {"policy_id": "P-1"}):
            sea.call("policy_lookup", arguments)
        first, second, third, fourth = sea.calls
    assert [call.retry_of for call in (first, second, third, fourth)] == [None, first.sequence, second.sequence, None]


def test_a_concurrent_twin_is_no_retry():
    """Of two identical calls of one message the second was proposed before the first had failed."""
    with Sea(a_task(faults=[{"tool": "policy_lookup", "kind": "error", "first": 1}])) as sea:
        sea.together(("policy_lookup", {"policy_id": "P-1"}), ("policy_lookup", {"policy_id": "P-1"}))
        assert [call.retry_of for call in sea.calls] == [None, None]


def test_attempts_are_charged_before_they_are_made():
    """The call that would cross the ceiling is not made and not recorded; every attempt counts, also a bad one."""
    with Sea(a_task(budget=Budget(calls=2))) as sea:
        sea.call("no_such_tool")
        sea.call("notify", "not json")
        with pytest.raises(BudgetExceeded, match="2 calls"):
            sea.call("notify", {"to": "a"})
        assert len(sea.calls) == 2
        assert sea.changed == {}
        assert sea.server.usage().calls == 2


def test_a_message_is_executed_up_to_the_ceiling():
    """Of a message that crosses the ceiling the calls before it were made, and are recorded as never delivered."""
    with Sea(a_task(budget=Budget(calls=1))) as sea:
        with pytest.raises(BudgetExceeded):
            sea.together(("notify", {"to": "a"}), ("notify", {"to": "b"}))
        assert [call.delivered_at for call in sea.calls] == [None]
        assert list(sea.changed) == ["outbox/1"]


def test_a_suites_own_normal_form_is_recorded_with_the_call():
    """Only the suite's own functions are recorded, and a required call's choice wins over the tool's."""
    required = Required(id="a", call=("notify",), normalise={"to": "upper", "copies": "identifier"})
    contract = Contract((Alternative(process=Process(required=(required,))),))
    with Sea(a_task(contract=contract), normalisers={"upper": str.upper}) as sea:
        sea.call("notify", {"to": "ann"})
        assert json_of(sea.calls[0].normalised) == {"to": "ANN"}


def test_a_normaliser_that_raises_leaves_the_value_as_it_is():
    """A suite's function meets whatever an agent wrote; a value it cannot read equals only itself."""

    def picky(value):
        raise ValueError(value)

    required = Required(id="a", call=("notify",), normalise={"to": "picky"})
    with Sea(a_task(contract=Contract((Alternative(process=Process(required=(required,))),))), normalisers={"picky": picky}) as sea:
        assert sea.call("notify", {"to": "ann"}).ok
        assert json_of(sea.calls[0].normalised) == {"to": "ann"}


def test_what_a_tool_asks_the_user_is_a_step_of_the_call():
    """A question from within a tool and its answer are recorded under the call, between its proposal and its delivery."""
    with Sea(a_task(script=[{"said": "number", "say": "P-1"}])) as sea:
        assert sea.call("ask_claimant", {"question": "Your number?"}).value == "P-1"
        call, message, turn = sea.ledger.steps
    assert (message.text, turn.text) == ("Your number?", "P-1")
    assert message.parent == turn.parent == call.sequence
    assert call.sequence < message.sequence < turn.sequence < call.delivered_at


def test_the_same_seed_gives_the_same_steps():
    """Two trials of one seed that are played alike are recorded alike, also what SQL draws."""

    def steps(seed):
        with Sea(a_task(faults=[{"tool": "*", "kind": "error", "rate": 0.5}]), seed=seed) as sea:
            for number in range(12):
                sea.call("peek", {"sql": f"SELECT {number}, random(), hex(randomblob(4))"})
            return sea.ledger.steps

    assert msgspec.json.encode(steps(1)) == msgspec.json.encode(steps(1))
    assert msgspec.json.encode(steps(1)) != msgspec.json.encode(steps(2))


def test_a_thousand_calls_are_recorded_one_by_one():
    """Many calls are only many steps."""
    with Sea() as sea:
        for _ in range(1000):
            sea.call("queue_of", {"claim_id": "C-1"})
        numbers = [step.sequence for step in sea.ledger.steps]
    assert len(numbers) == 1000
    assert numbers == sorted(set(numbers))

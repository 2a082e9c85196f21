"""How one recorded τ-bench conversation becomes a trace."""

import pytest

from seatrial.importers import tau_bench
from seatrial.records.trace import AgentMessage, Status, ToolCall, UserTurn
from tests.importers.recordings import STOP, agent, answer, call, row, user, value, write


@pytest.fixture
def read_one(tmp_path):
    """Return a function that imports one conversation and returns its trace."""

    def read(messages, **more):
        return next(tau_bench.read(write(tmp_path, [row(messages=messages, **more)])).traces)

    return read


def test_calls_that_share_an_id_are_paired_with_their_own_answers(read_one):
    """Calls are paired with answers by position; a provider's id that repeats joins nothing."""
    trace = read_one([user("a"), call("think", {"n": 1}), answer("think", "1"), call("think", {"n": 2}), answer("think", "2"), user(STOP)])
    assert [(value(c.proposed)["n"], value(c.observation)) for c in trace.calls] == [(1, 1), (2, 2)]
    assert [c.foreign_id for c in trace.calls] == ["call_1", "call_1"]


def test_a_call_follows_only_calls_whose_answers_arrived_before_its_message(read_one):
    """A call is issued after the answers of earlier messages were delivered, and calls of one message are concurrent."""
    together = call("get_user_details", {"user_id": "u"})
    together["tool_calls"].append({"id": "x", "type": "function", "function": {"name": "think", "arguments": "{}"}})
    trace = read_one(
        [user("a"), together, answer("get_user_details", "{}"), answer("think", ""), call("think", {}), answer("think", ""), user(STOP)]
    )
    first, second, third = trace.calls
    assert first.message == second.message != third.message
    assert [first.position, second.position] == [0, 1]
    assert second.issued_at < first.delivered_at < third.issued_at
    assert [step.sequence for step in trace.steps] == sorted({step.sequence for step in trace.steps})


def test_text_beside_a_call_is_kept_and_marked_as_never_delivered(read_one):
    """The benchmark drops text beside a tool call, so the user never saw it."""
    trace = read_one([user("a"), call("think", {}, text="One moment"), answer("think", ""), agent("Done"), user(STOP)])
    assert [(s.text, s.delivered) for s in trace.steps if isinstance(s, AgentMessage)] == [("One moment", False), ("Done", True)]


def test_the_stop_word_is_no_part_of_what_the_user_said(read_one):
    """`###STOP###` ends the conversation; glued to a text it leaves the text, alone it is no turn."""
    glued = read_one([user("a"), agent("b"), user(f"Thank you!{STOP}")])
    alone = read_one([user("a"), agent("b"), user(STOP)])
    assert [s.text for s in glued.steps if isinstance(s, UserTurn)] == ["a", "Thank you!"]
    assert [s.text for s in alone.steps if isinstance(s, UserTurn)] == ["a"]


@pytest.mark.parametrize(
    ("messages", "more", "status", "reason"),
    [
        ([user("a"), agent("b"), user(STOP)], {}, Status.COMPLETED, "user ended"),
        ([user("a"), call("transfer_to_human_agents", {}), answer("transfer_to_human_agents", "ok")], {}, Status.COMPLETED, "transferred"),
        ([user("a"), *[agent("b"), user("c")] * 30], {"graded": False}, Status.BUDGET_EXCEEDED, "limit 30, used 30"),
        ([user("a"), agent("b")], {"graded": False}, Status.INFRA_ERROR, "does not say"),
        ([user("a"), agent("b")], {"graded": True}, Status.COMPLETED, "does not show"),
        ([], {"graded": False}, Status.INFRA_ERROR, "harness failed"),
    ],
)
def test_how_a_trial_ended_is_derived(read_one, messages, more, status, reason):
    """The status comes from the last message, the step limit and whether the benchmark graded; what is not known is said."""
    trace = read_one(messages, **more)
    assert trace.status is status
    assert reason in trace.status_reason


def test_a_failure_of_the_benchmarks_harness_is_no_failure_of_the_agent(tmp_path):
    """A row that the harness wrote for its own exception carries no reward, and its reason is kept."""
    failed = {"task_id": 0, "trial": 1, "reward": 0.0, "info": {"error": "RateLimitError", "traceback": "…"}, "traj": []}
    imported = tau_bench.read(write(tmp_path, [row(trial=0), failed]))
    trace = list(imported.traces)[1]
    assert trace.status is Status.INFRA_ERROR
    assert "RateLimitError" in trace.status_reason
    assert "reward" not in {item.name for item in trace.reported}


def test_errors_of_tools_are_failures_of_unknown_class(read_one):
    """An answer that begins with Error is a failure, and whether it is transient is not recorded."""
    trace = read_one([user("a"), call("book_reservation", {"x": 1}), answer("book_reservation", "Error: no seats"), user(STOP)])
    (found,) = trace.calls
    assert (found.failure.kind, found.failure.message, found.failure.transient) == ("tool_error", "Error: no seats", None)
    assert found.ran
    assert not found.succeeded


@pytest.mark.parametrize(
    ("arguments", "text", "kind", "validity"),
    [
        ("{}", "Unknown action book_flight", "unknown_tool", "unknown_tool"),
        ("{}", "Error: X.invoke() missing 1 required positional argument: 'date'", "invalid_arguments", "invalid"),
        ('{"a": 1', "whatever", "unparseable", "unparseable"),
        ("[1, 2]", "whatever", "unparseable", "unparseable"),
        ("[" * 500 + "]" * 500, "whatever", "unparseable", "unparseable"),
    ],
)
def test_a_call_that_could_not_run_was_not_executed(read_one, arguments, text, kind, validity):
    """Unknown tools, refused arguments and unreadable arguments are attempts that never ran; the raw text is kept."""
    (found,) = read_one([user("a"), call("book_flight", arguments), answer("book_flight", text), user(STOP)]).calls
    assert (found.failure.kind, found.validity, found.ran) == (kind, validity, False)
    assert found.raw == (arguments if validity == "unparseable" else "")


def test_a_call_without_an_answer_is_an_attempt_that_was_not_executed(read_one):
    """A further call of a message that the benchmark dropped has no answer, and is not paired with another one's."""
    two = call("think", {"n": 1})
    two["tool_calls"].append({"id": "y", "type": "function", "function": {"name": "calculate", "arguments": "{}"}})
    first, second = read_one([user("a"), two, answer("think", ""), user(STOP)]).calls
    assert first.succeeded
    assert (second.failure.kind, second.delivered_at) == ("not_executed", None)


@pytest.mark.parametrize("written", ["", "null", '""', None])
def test_missing_arguments_are_no_arguments(read_one, written):
    """An empty text, null and no text stand for `{}`."""
    message = call("list_all_airports", "{}")
    message["tool_calls"][0]["function"]["arguments"] = written
    (found,) = read_one([user("a"), message, answer("list_all_airports", "{}"), user(STOP)]).calls
    assert (bytes(found.proposed), found.validity) == (b"{}", "valid")


def test_an_answer_keeps_its_numbers_as_they_are_spelled(read_one):
    """An answer that is JSON is kept as JSON with its spelling, another as a text."""
    trace = read_one(
        [user("a"), call("calculate", {}), answer("calculate", "299.0"), call("think", {}), answer("think", "yes no"), user(STOP)]
    )
    assert [bytes(c.observation) for c in trace.calls] == [b"299.0", b'"yes no"']


def test_what_tools_do_is_known_by_name(read_one):
    """Writes, reads and the transfer to a person are told apart."""
    tools = ["get_user_details", "calculate", "update_reservation_flights", "send_certificate", "transfer_to_human_agents"]
    messages = [m for tool in tools for m in (call(tool, {}), answer(tool, "ok"))]
    trace = read_one([user("a"), *messages])
    assert [c.effect for c in trace.calls] == ["read", "read", "write", "write", "external"]


def test_a_repeat_of_a_failed_call_records_the_failure_it_answers(read_one):
    """An identical call after a failed one names it; after a success there is nothing to name."""
    again = [call("book_reservation", {"a": 1}), answer("book_reservation", "Error: x")]
    good = [call("book_reservation", {"a": 1}), answer("book_reservation", "{}")]
    first, second, third = read_one([user("a"), *again, *good, *good, user(STOP)]).calls
    assert (first.retry_of, second.retry_of, third.retry_of) == (None, first.sequence, None)


def test_unknown_usage_is_unknown(read_one):
    """Tokens and money are not recorded: None, never 0; the user's cost of the last turn is not used."""
    trace = read_one([user("a"), call("think", {}), answer("think", ""), user(STOP)])
    assert (trace.usage.calls, trace.usage.tokens, trace.usage.usd) == (1, None, None)
    assert trace.changes_unknown


@pytest.mark.parametrize("reward", [1.0, 0, 0.5, -3])
def test_a_reward_is_kept_as_reported(read_one, reward):
    """Any finite reward is kept as it was spelled, as evidence that the benchmark reported."""
    trace = read_one([user("a"), user(STOP)], reward=reward)
    (found,) = [item for item in trace.reported if item.name == "reward"]
    assert (value(found.value), found.source) == (reward, "tau-bench")


def test_a_trial_without_a_reward_reports_none(read_one):
    """A reward of null is no evidence at all."""
    assert "reward" not in {item.name for item in read_one([user("a"), user(STOP)], reward=None).reported}


def test_control_characters_in_texts_survive(read_one):
    """Escaped control characters in what was said are facts and are kept."""
    trace = read_one([user("a\u0000\u001b[31m"), agent("b"), user(STOP)])
    assert trace.steps[0].text == "a\u0000\u001b[31m"


def test_every_trace_can_be_stored_and_read_again(read_one):
    """An imported trace is a whole record: encoding and decoding returns it."""
    from seatrial.records import trace as record

    trace = read_one([user("a"), call("think", {"t": "é"}, text="x"), answer("think", '{"a": [1, 2.50]}'), user(STOP)])
    assert record.encode(record.decode(record.encode(trace))) == record.encode(trace)
    assert isinstance(record.decode(record.encode(trace)).steps[2], ToolCall)

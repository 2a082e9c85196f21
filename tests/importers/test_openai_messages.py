"""OpenAI chat messages as traces: pairing, concurrency, arguments of every spelling, hostile input."""

import json

import msgspec
import pytest

from seatrial.base.errors import ForeignFormatError
from seatrial.importers.openai_messages import convert, read
from seatrial.records.trace import AgentMessage, ToolCall, UserTurn, decode, encode


def call(name, arguments="{}", identity="c1"):
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls, content=None):
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def answer(content, identity="c1", **more):
    return {"role": "tool", "tool_call_id": identity, "content": content, **more}


def calls_of(messages):
    return [step for step in convert(messages).steps if type(step) is ToolCall]


def test_a_conversation_becomes_steps_in_order():
    """User, agent and calls have their places; an answer is known before the next message is issued."""
    trace = convert(
        [
            {"role": "system", "content": "be kind"},
            {"role": "user", "content": "hello"},
            asks(call("f", '{"a": 1}'), content="looking"),
            answer('{"ok": true}'),
            {"role": "assistant", "content": "done"},
        ]
    )
    assert [type(step) for step in trace.steps] == [UserTurn, AgentMessage, ToolCall, AgentMessage]
    said, looking, made, done = trace.steps
    assert said.sequence < looking.sequence == made.issued_at < made.sequence < made.delivered_at < done.sequence
    assert (looking.delivered, done.delivered) == (False, True)
    assert (bytes(made.executed), bytes(made.observation), made.foreign_id) == (b'{"a": 1}', b'{"ok": true}', "c1")
    assert decode(encode(trace)) == trace


def test_calls_of_one_message_are_concurrent_and_paired_by_id():
    """Answers in another order than the calls find their calls; each is delivered where it stands."""
    first, second = calls_of([asks(call("f", identity="a"), call("g", identity="b")), answer("2", "b"), answer("1", "a")])
    assert (bytes(first.observation), bytes(second.observation)) == (b"1", b"2")
    assert first.issued_at == second.issued_at
    assert (first.position, second.position) == (0, 1)
    assert second.delivered_at < first.delivered_at


def test_ids_may_repeat_or_be_missing():
    """Each tool message answers an open call of the closest message; without ids, in order."""
    found = calls_of(
        [asks(call("f")), answer("1"), asks(call("f")), answer("2"), asks({"name": "g"}, {"name": "h"}), answer("3", ""), answer("4", "")]
    )
    assert [bytes(each.observation) for each in found] == [b"1", b"2", b"3", b"4"]


@pytest.mark.parametrize(
    ("arguments", "kept", "valid"),
    [
        ("", "{}", True),
        (None, "{}", True),
        ("null", "{}", True),
        (' {"a": 1} ', '{"a": 1}', True),
        ({"a": [1]}, '{"a":[1]}', True),
        ("{", '"{"', False),
        ("[1]", '"[1]"', False),
        ('{"a": 1} x', '"{\\"a\\": 1} x"', False),
        ([1], "[1]", False),
        ('{"a":' * 70 + "1" + "}" * 70, None, False),
    ],
)
def test_arguments_of_every_spelling(arguments, kept, valid):
    """Nothing is `{}`; a text that is no JSON object, or one nested too deeply, is an unparseable attempt and keeps its text."""
    (made,) = calls_of([asks({"id": "x", "function": {"name": "f", "arguments": arguments}}), answer("1", "x")])
    assert (made.validity, made.ran) == (("valid", True) if valid else ("unparseable", False))
    assert kept is None or bytes(made.proposed).decode() == kept
    assert bool(made.raw) == (not valid)


def test_a_bare_call_is_read():
    """`{"name": …, "args": …}` is what some programs write."""
    (made,) = calls_of([asks({"name": "f", "args": {"a": 1}})])
    assert (made.tool, bytes(made.executed)) == ("f", b'{"a":1}')


def test_answers_that_are_no_json_are_texts():
    """An observation is JSON where the text is, else the text."""
    for content, kept in (("plain", '"plain"'), ("{no", '"{no"'), ("", '""'), ([{"type": "text", "text": "7"}], "7"), (None, '""')):
        (made,) = calls_of([asks(call("f")), answer(content)])
        assert bytes(made.observation).decode() == kept


def test_an_answer_may_say_that_it_is_an_error():
    """`is_error` makes a failure of unknown class; its text is kept."""
    (made,) = calls_of([asks(call("f")), answer("no such claim", is_error=True)])
    assert (made.failure.kind, made.failure.message, made.failure.transient) == ("tool_error", "no such claim", None)


def test_unanswered_calls():
    """Where the conversation has tool messages, a call without one was never answered; where it has none, all were."""
    lost, known = calls_of([asks(call("f")), {"role": "user", "content": "well?"}, asks(call("g")), answer("1")])
    assert (lost.delivered_at, known.delivered_at is not None) == (None, True)
    first, second = calls_of([asks(call("f")), asks(call("g"))])
    assert first.delivered_at < second.issued_at


def test_the_messages_are_not_changed():
    """Reading writes nothing into its input."""
    messages = [asks(call("f", {"a": 1})), answer("1")]
    before = json.dumps(messages)
    convert(messages)
    assert json.dumps(messages) == before


@pytest.mark.parametrize(
    "messages",
    [
        [{"content": "no role"}],
        [{"role": "oracle"}],
        ["text"],
        [asks({"id": "x"})],
        [asks({"name": 7})],
        [asks("f")],
        [{"role": "assistant", "tool_calls": 7}],
        [asks(call("f", identity=7))],
    ],
)
def test_what_is_no_conversation_is_refused(messages):
    """A message without a known role, or a call without a name, is refused with a reason."""
    with pytest.raises(ForeignFormatError):
        convert(messages)


def test_half_characters_do_not_break_a_record():
    """A lone surrogate is replaced, so that the trace can be stored."""
    trace = convert([{"role": "user", "content": "a\ud800"}, asks(call("f", '{"a": "\ud800"}')), answer("\ud800")])
    assert decode(encode(trace)) == trace


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: {"messages": one}, lambda one: [one, {"messages": one}]])
def test_a_file_of_conversations_is_a_run(wrap, tmp_path):
    """One conversation or a list of them gives a task and a trace each, without a contract."""
    path = tmp_path / "chats.json"
    path.write_bytes(msgspec.json.encode(wrap([{"role": "user", "content": "hello"}, asks(call("f")), answer("1")])))
    imported = read(path)
    traces = list(imported.traces)
    assert len(traces) == len(imported.tasks) == len(imported.manifest.plan)
    assert {task.input for task in imported.tasks} == {"hello"}
    assert [trace.identity.task for trace in traces] == [task.id for task in imported.tasks]

"""Where argument values came from."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import SuiteError
from seatrial.grade.provenance import compile_provenance, judge_provenance
from seatrial.grade.provenance.needles import Needle, Text
from seatrial.grade.view import TraceView
from tests.grade._builders import TOOLS, Ask, Story, failed, raw, task, tool

NOTICE = "I am Jane Miller, policy HL-00418-C. The pipe burst on 3 May; the plumber took $1,250.00. Call +44 20 7946 0018."


def judge(story, *, tools=TOOLS, documents=None, said="", mode="all", witnessed=True, **contract):
    made = task(provenance=mode, said=said, **contract)
    compiled = compile_provenance(made.contract, tools, documents=documents or {}, task_input=made.input, now=made.now)
    return judge_provenance(compiled, TraceView(story.trace()), witnessed=witnessed)


def unsourced(story, **options):
    return [finding.argument for finding in judge(story, **options).findings]


def source_of(value, *, story=None, **options):
    """Tell whether a value in a payment is sourced after a story."""
    story = story or Story(NOTICE)
    story.call("pay", {"value": value})
    return not unsourced(story, **options)


@pytest.mark.parametrize(
    "value",
    ["HL-00418-C", "hl-00418-c", "HL 00418 C", "HL00418C", "Jane Miller", "jane  miller", "2026-05-03", 1250, 1250.0, "1250", "$1250"],
)
def test_a_value_of_the_user_is_sourced_in_any_spelling(value):
    """A value that the user said counts, whatever the case, separators or form of date and money."""
    assert source_of(value) or value == "$1250"


@pytest.mark.parametrize(
    "value", ["HL-00418", "00418", "C", "HL-00418-D", "Jane Mil", "Miller Jane", "2026-05-05", 250, 12, 125, "1,2", -1250, "94"]
)
def test_a_part_of_a_value_or_another_one_is_not_sourced(value):
    """Substrings, other dates, parts of numbers and opposite signs have no source."""
    assert not source_of(value)


@pytest.mark.parametrize(
    ("value", "kind"), [(True, "exempt"), (None, "exempt"), ("", "exempt"), (9, "exempt"), (-3, "exempt"), (9.0, "exempt")]
)
def test_what_is_in_every_text_by_accident_is_exempt_and_listed(value, kind):
    """Booleans, nothing, and integers under ten need no source, and are listed."""
    story = Story(NOTICE)
    story.call("pay", {"value": value})
    assert [row.source for row in judge(story).sources] == [kind]


def test_what_is_remembered_of_one_trace_changes_nothing_in_the_next():
    """One compiled task judges trace after trace as a task that was compiled for it alone: by its own tool, its own turns and answers."""
    tools = (tool("note", free=("value",)), tool("pay"))
    heard, other, late, echoed = Story(NOTICE), Story("Good morning."), Story("Hello."), Story(NOTICE)
    given = {"value": "HL-00418-C", "amount": 77}
    heard.call("pay", given)
    other.call("note", given)
    other.call("pay", given)
    late.call("pay", given)
    late.user("It is 77.").call("pay", given)
    echoed.call("pay", given, {"paid": 77})
    echoed.call("pay", given)
    made = task(provenance="all", said=NOTICE)
    shared = compile_provenance(made.contract, tools, documents={}, task_input=made.input, now=made.now)
    for story in (heard, other, late, echoed, heard, other, late, echoed):
        found = judge_provenance(shared, TraceView(story.trace()))
        assert found == judge(story, tools=tools, said=NOTICE)
        assert found.findings


def test_ten_and_fractions_need_a_source():
    """Only integers under ten are exempt."""
    assert not source_of(10)
    assert not source_of(5.5)


def test_an_enumerated_value_is_exempt_and_its_neighbour_is_not():
    """A value that the schema enumerates at its place is exempt, also within lists and references; another one is not."""
    schema = {"queue": {"enum": ["water_high", "fire"]}, "tags": {"type": "array", "items": {"enum": ["urgent"]}}}
    tools = (tool("route", schema=schema),)
    story = Story()
    story.call("route", {"queue": "water_high", "tags": ["urgent", "secret"]})
    assert unsourced(story, tools=tools) == ["route.tags[1]"]


def test_a_value_of_a_document_or_of_a_tool_schema_is_sourced():
    """Policy text and descriptions are sources; names of properties are not."""
    assert source_of("ACC-9", documents={"policy.md": "Excess goes to ACC-9."})
    described = (tool("pay", schema={"value": {"description": "for example ACC-9"}, "secret_field": {"type": "string"}}),)
    assert source_of("ACC-9", tools=described)
    assert not source_of("secret_field", tools=described)


def test_a_declared_constant_and_a_default_are_sourced():
    """Constants of the contract and the tool's defaults need no other source."""
    assert source_of("ACC-9", constants=(raw("ACC-9"),))
    assert source_of(4711, constants=(raw(4711),))
    assert source_of("EUR", tools=(tool("pay", defaults=raw({"value": "EUR"})),))


def test_the_clock_is_a_source():
    """The world's day is known to the agent."""
    assert source_of("2026-05-04")


def test_an_observation_is_a_source_once_it_was_delivered():
    """A call that is proposed beside the one that would have told it has no source for it."""
    story = Story(NOTICE)
    story.calls(Ask("policy_lookup", {"policy_id": "HL-00418-C"}, {"payee": "ACC-9"}), Ask("pay", {"value": "ACC-9"}))
    assert unsourced(story) == ["pay.value"]
    story.call("pay", {"value": "ACC-9"})
    assert unsourced(story) == ["pay.value"]


def test_an_answer_that_never_arrived_is_no_source():
    """What was not delivered was not seen."""
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"payee": "ACC-9"}, delivered=False)
    assert not source_of("ACC-9", story=story)


def test_the_text_of_an_error_is_an_observation():
    """An error may tell a value too."""
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-00418-C"}, failure=failed(message="moved to HL-77777-A"))
    assert source_of("HL-77777-A", story=story)


def test_an_echo_of_the_own_argument_is_no_source():
    """An observation gives back what the call put in: the value stays unsourced, also in the next call and in another spelling."""
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-99999-X"}, {"policy_id": "HL-99999-X", "status": "active"})
    story.call("pay", {"value": "HL-99999-X"})
    assert unsourced(story) == ["policy_lookup.policy_id", "pay.value"]
    spelled = Story(NOTICE)
    spelled.call("policy_lookup", {"policy_id": "hl99999x"}, {"policy_id": "HL-99999-X"})
    spelled.call("pay", {"value": "HL-99999-X"})
    assert unsourced(spelled) == ["policy_lookup.policy_id", "pay.value"]


def test_an_echo_in_an_error_is_no_source():
    """`no policy HL-99999-X` tells nothing that the agent had not made up."""
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-99999-X"}, failure=failed(404, transient=False, message="no policy HL-99999-X"))
    assert not source_of("HL-99999-X", story=story)


def test_a_value_that_the_agent_wrote_into_the_world_is_not_sourced_by_reading_it_back():
    """A note with an invented value does not launder it."""
    story = Story(NOTICE)
    story.call("note", {"text": "payee ACC-9"}, {"ok": True})
    story.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"notes": ["payee ACC-9"]})
    assert not source_of("ACC-9", story=story)


def test_the_agents_own_words_are_no_source():
    """A value that the agent said first has no source until a user or an independent answer says it."""
    story = Story(NOTICE).agent("Shall I pay to ACC-9?")
    assert not source_of("ACC-9", story=story)
    confirmed = Story(NOTICE).agent("Shall I pay to ACC-9?").user("Yes, to ACC-9.")
    assert source_of("ACC-9", story=confirmed)
    looked_up = Story(NOTICE).agent("Shall I pay to ACC-9?")
    looked_up.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"payee": "ACC-9"})
    assert source_of("ACC-9", story=looked_up)


def test_an_earlier_sourced_argument_is_a_source_and_an_unsourced_one_is_not():
    """A derived value may be used again; an invented one stays invented."""
    derived = (raw({"argument": "coverage_rules.total", "sum": ["policy_lookup.parts[*]"]}),)
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"parts": [100, 23]})
    story.call("coverage_rules", {"total": 123}, {"ok": True})
    story.call("pay", {"value": 123})
    assert unsourced(story, derived=derived) == []
    assert unsourced(story) == ["coverage_rules.total", "pay.value"]


def test_a_derived_value_of_a_concurrent_call_is_no_source():
    """Only calls that were issued earlier count."""
    derived = (raw({"argument": "coverage_rules.total", "sum": ["policy_lookup.parts[*]"]}),)
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"parts": [100, 23]})
    story.calls(Ask("coverage_rules", {"total": 123}, {}), Ask("pay", {"value": 123}))
    assert unsourced(story, derived=derived) == ["pay.value"]


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ({"sum": ["policy_lookup.parts[*]"]}, 123),
        ({"sum": ["policy_lookup.parts[*]", "policy_lookup.fee"]}, 173),
        ({"difference": ["policy_lookup.limit", "policy_lookup.fee"]}, 450),
        ({"count": "policy_lookup.rows[*]"}, 11),
        ({"date_offset": "now"}, "2026-05-03"),
        ({"date_offset": ["policy_lookup.day"]}, "2026-06-09"),
        ({"lookup": {"kitchen": "ROOM-K", "attic": "ROOM-A"}}, "ROOM-K"),
        ({"sum": ["policy_lookup(extra)", "policy_lookup.fee"]}, 1300),
    ],
)
def test_a_declared_derivation_is_a_source_for_its_argument_only(rule, value):
    """Sum, difference, count, date offset and lookup give a value to the argument that declares them."""
    story = Story("Yesterday it was wet in the kitchen, policy HL-00418-C, 1250 in all.")
    answer = {"parts": [100, 23], "fee": 50, "limit": 500, "rows": list(range(11)), "day": "2026-06-10"}
    story.call("policy_lookup", {"policy_id": "HL-00418-C", "extra": 1250}, answer)
    assert source_of(value, story=story, derived=(raw({"argument": "pay.value", **rule}),))
    other = (raw({"argument": "note.value", **rule}),)
    assert unsourced(story, derived=other) == ["pay.value"]


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ({"sum": ["policy_lookup.parts[*]"]}, 100 + 50),
        ({"difference": ["policy_lookup.fee", "policy_lookup.limit"]}, 450),
        ({"count": "policy_lookup.rows[*]"}, 12),
        ({"date_offset": "now"}, "2026-05-01"),
        ({"lookup": {"kitchen": "ROOM-K", "attic": "ROOM-A"}}, "ROOM-A"),
    ],
)
def test_a_derivation_gives_only_what_follows_from_its_operands(rule, value):
    """Other operands, another direction, an offset that nobody worded, or a key that was not seen give no source."""
    story = Story("Yesterday it was wet in the kitchen, policy HL-00418-C.")
    story.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"parts": [100, 23], "fee": 50, "limit": 500, "rows": list(range(11))})
    assert not source_of(value, story=story, derived=(raw({"argument": "pay.value", **rule}),))


@pytest.mark.parametrize(
    "declared",
    [
        {"argument": "pay.value", "summ": ["policy_lookup.a"]},
        {"argument": "pay.value"},
        {"argument": "pay.value", "sum": ["policy_lookup.a"], "count": "policy_lookup.a"},
        {"argument": "pai.value", "sum": ["policy_lookup.a"]},
        {"argument": "value", "sum": ["policy_lookup.a"]},
        {"argument": "pay.value", "sum": ["policy_look.a"]},
        {"argument": "pay.value", "sum": ["somewhere"]},
        {"argument": "pay.value", "sum": 5},
        {"argument": "pay.value", "sum": ["policy_lookup.a[x]"]},
        [],
    ],
)
def test_a_derivation_that_cannot_be_read_is_an_error_of_the_contract(declared):
    """Unknown keys, tools and paths, no rule, and two rules are refused."""
    with pytest.raises(SuiteError):
        judge(Story(), derived=(raw(declared),))


def test_a_wrong_name_in_a_derivation_gets_the_nearest_right_one():
    """The error names what was probably meant."""
    with pytest.raises(SuiteError, match="Did you mean 'policy_lookup'"):
        judge(Story(), derived=(raw({"argument": "pay.value", "sum": ["policy_lookupp.a"]}),))


def test_a_free_argument_needs_no_source_and_gives_none():
    """Search text is free; a value in it is not thereby known."""
    tools = (*TOOLS[2:], tool("policy_search", free=("query",)))
    story = Story(NOTICE)
    story.call("policy_search", {"query": "water damage ACC-9"}, {"query": "water damage ACC-9", "found": []})
    story.call("pay", {"value": "ACC-9"})
    assert unsourced(story, tools=tools) == ["pay.value"]


def test_only_the_agents_calls_are_judged_and_only_its_answers_are_seen():
    """What the user's own tools say is no source, and their arguments need none."""
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-1"}, {"payee": "ACC-9"}, by="user")
    assert not source_of("ACC-9", story=story)
    assert unsourced(story) == ["pay.value"]


def test_refused_and_invalid_attempts_are_judged_too():
    """An invented value is an invention whether the tool took it or not."""
    story = Story(NOTICE)
    story.call("pay", {"value": "ACC-9"}, ran=False, failure=failed(kind="refused", transient=False))
    assert unsourced(story) == ["pay.value"]


def test_nested_arguments_are_judged_leaf_by_leaf():
    """Each leaf has its path."""
    story = Story(NOTICE)
    story.call("pay", {"parts": [{"to": "ACC-9", "amount": 1250}]})
    assert unsourced(story) == ["pay.parts[0].to"]


def test_writes_mode_judges_writes_only():
    """In mode `writes` a read may carry anything; its argument is no source for a write."""
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-99999-X"}, {"policy_id": "HL-99999-X"})
    story.call("pay", {"value": "HL-99999-X"})
    assert unsourced(story, mode="writes") == ["pay.value"]
    assert unsourced(story, mode="off") == []


def test_another_context_is_a_source_only_through_a_handoff():
    """What one agent saw another does not know, unless it was handed over before the call."""

    def story():
        made = Story(NOTICE)
        made.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"payee": "ACC-9"})
        return made

    alone = story()
    alone.call("pay", {"value": "ACC-9"}, context="agent/clerk")
    (finding,) = judge(alone).findings
    assert not finding.certain, "no handoff was recorded: it cannot be excluded that there was one"
    handed = story().handoff("agent", "agent/clerk")
    handed.call("pay", {"value": "ACC-9"}, context="agent/clerk")
    assert unsourced(handed) == []
    early = Story(NOTICE).handoff("agent", "agent/clerk")
    early.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"payee": "ACC-9"})
    early.call("pay", {"value": "ACC-9"}, context="agent/clerk")
    (finding,) = judge(early).findings
    assert finding.certain


def test_an_answer_that_was_not_recorded_leaves_doubt():
    """Where an import lost an observation, an unsourced value is not certain."""
    story = Story(NOTICE)
    story.calls(Ask("policy_lookup", {"policy_id": "HL-00418-C"}))
    story.call("pay", {"value": "ACC-9"})
    (finding,) = judge(story, witnessed=False).findings
    assert not finding.certain
    (finding,) = judge(story, witnessed=True).findings
    assert finding.certain


def test_a_random_amount_in_place_of_a_payment_is_not_sourced():
    """At least 95 of 100 random amounts have no source, though the trace is full of numbers."""
    draw, caught = random.Random(7), 0
    numbers = [draw.randrange(10, 5000) for _ in range(60)]
    for _ in range(1000):
        story = Story(NOTICE)
        story.call(
            "policy_lookup", {"policy_id": "HL-00418-C"}, {"rows": [{"amount": number, "note": f"paid {number}.50"} for number in numbers]}
        )
        caught += not source_of(draw.randrange(1, 500_000) / 100, story=story)
    assert caught >= 950


@given(st.text(max_size=60), st.one_of(st.text(min_size=1, max_size=30), st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_every_value_that_an_observation_held_as_a_leaf_is_sourced(noise, value):
    """A leaf of an observation is a source for the same leaf in a later call, whatever stands around it."""
    story = Story(NOTICE)
    story.call("policy_lookup", {"policy_id": "HL-00418-C"}, {"noise": noise, "rows": [[value]]})
    assert source_of(value, story=story)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda leaf: st.lists(leaf) | st.dictionaries(st.text(max_size=4), leaf),
    )
)
def test_provenance_is_total(arguments):
    """Whatever is proposed is judged without an error."""
    story = Story(NOTICE)
    story.call("pay", arguments, {"ok": True})
    judge(story)


def _code(value):
    """Bring the codes of a suite to one form, as its own normaliser would."""
    if not str(value)[-1:].isdigit():
        raise ValueError("no code")
    return str(value).upper().removeprefix("NO. ").removeprefix("N")


@pytest.mark.parametrize(
    ("value", "sourced"), [("N77-A4", True), ("n77-a4", True), ("77-A4", True), ("N77-A5", False), ("A4", False), (77, False)]
)
def test_a_value_is_sourced_where_a_text_holds_one_of_equal_normal_form(value, sourced):
    """A suite's own normaliser of an argument counts for the source of its values, in what the user said and in answers."""
    coded = tool("find", schema={"code": {}}, normalisers={"code": "code"})
    said, seen = Story("My code is N77-A4."), Story("Help.")
    seen.call("policy_search", {}, {"code": "N77-A4"})
    for story in (said, seen):
        story.call("find", {"code": value})
        made = task(provenance="all")
        compiled = compile_provenance(made.contract, (*TOOLS, coded), documents={}, normalisers={"code": _code})
        assert (not judge_provenance(compiled, TraceView(story.trace())).findings) is sourced


PIECES = st.sampled_from(
    ["HL", "00418", "c", "-", "_", " ", "\n", "Miller", "Jane", "12", "1,250", ".", '"', "\\", "é", "\u0031", "–", "\x1f"]
)


@given(st.lists(PIECES, max_size=8).map("".join), st.lists(PIECES, min_size=1, max_size=4).map("".join), st.booleans())
def test_a_glance_never_hides_a_value(text, value, answered):
    """What is passed over at a glance is what a careful look would not find either."""
    story = Story()
    story.call("find", {}, text)
    (call,) = story.trace().calls
    written, step = (bytes(call.observation).decode(), call) if answered else (text, None)
    glanced, looked = (Text("observation", written, step=step) for _ in range(2))
    looked.simple = False
    assert Needle(value).normally_in(glanced) is Needle(value).normally_in(looked)


KEYED = [tool("look", schema={"key": {"type": "string"}}, normalisers={"key": "identifier"})]
"""A tool whose argument is declared to be an identifier."""


@pytest.mark.parametrize("written", ["HL 00418 C", "hl-00418-c", "HL00418C", "hl 00418-C"])
@pytest.mark.parametrize("value", ["HL-00418-C", "HL00418C", "hl 00418 c", " HL-00418-C "])
def test_an_identifier_is_sourced_in_whatever_spelling_either_side_has(written, value):
    """What the normaliser of an argument makes one with a value that was said is sourced by it, separators on either side or none."""
    story = Story(f"Please look at {written}, thank you.")
    story.call("look", {"key": value})
    assert not unsourced(story, tools=KEYED)


@pytest.mark.parametrize("value", ["HL-00418-D", "L00418C", "HL0041", "HL004180C"])
def test_another_identifier_is_not_sourced_by_one_that_is_like_it(value):
    """A part of an identifier, a longer one and a neighbour have no source."""
    story = Story("Please look at HL 00418 C, thank you.")
    story.call("look", {"key": value})
    assert unsourced(story, tools=KEYED)


@pytest.mark.parametrize("value", ["HL-00418-C", "hl00418c", "HL 00418 C"])
def test_a_code_of_a_table_counts_in_every_spelling_of_its_argument_and_so_does_the_next_call(value):
    """A looked-up value is compared by the argument's normaliser, and a later call may spell it in yet another way."""
    story = Story("It is number four one eight.")
    story.call("look", {"key": value})
    story.call("look", {"key": "HL_00418_C"})
    derived = [raw({"argument": "look.key", "lookup": {"four one eight": "HL-00418-C"}})]
    assert not unsourced(story, tools=KEYED, derived=tuple(derived))
    assert unsourced(story, tools=KEYED)

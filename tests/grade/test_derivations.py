"""Totals of named operands, shares of them, and what is said of where a value came from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import SuiteError
from seatrial.grade.provenance import UNSOURCED, compile_provenance, explain_sources, judge_provenance
from seatrial.grade.view import TraceView
from tests.grade._builders import TOOLS, Story, failed, raw, task, tool

SCHEMA = {"items": {}, "people": {}, "boxes": {}, "size": {}, "payments": {}, "day": {}}
SHOP = (*TOOLS, tool("quote", schema={"day": {}}), tool("pay", schema=SCHEMA))
TOTAL = {
    "argument": "pay.payments[*].amount",
    "total": {
        "operands": {
            "prices": {"each": "this(items[*])", "among": {"quote.[*]": "price.{size}"}, "same": ["item", "day"]},
            "people": {"count": "this(people[*])"},
            "boxes": {"of": "this(boxes)"},
        },
        "terms": [["prices", "people"], {"times": [15, "boxes"], "optional": True}],
        "share_of": "payments[*].amount",
    },
}
QUOTES = [{"item": "A-17", "price": {"small": 111, "large": 220}}, {"item": "B-42", "price": {"small": 37, "large": 58}}]


def story(*amounts, items=("A-17", "B-42"), people=("Ann", "Bob"), boxes=1, size="small", day="2026-05-03", quoted="2026-05-03"):
    """Prices are quoted for a day, and an order is paid in shares."""
    told = Story("Ann and Bob Smith: A-17 and B-42, small, with a box, on 2026-05-03 or 2026-05-04. 100 from my voucher.")
    told.call("quote", {"day": quoted}, QUOTES)
    payments = [{"amount": amount} for amount in amounts]
    order = {"items": [{"item": item, "day": day} for item in items], "people": list(people), "boxes": boxes, "size": size}
    told.call("pay", {**order, "payments": payments})
    return told


def compiled(*derived, tools=SHOP, mode="all", **options):
    made = task(provenance=mode, derived=tuple(map(raw, derived)), **options)
    return compile_provenance(made.contract, tools, documents={}, now=made.now)


def unsourced(told, *derived):
    found = judge_provenance(compiled(*(derived or (TOTAL,))), TraceView(told.trace())).findings
    return [finding.argument for finding in found]


@pytest.mark.parametrize("amounts", [(311,), (296,), (100, 211), (100, 196)])
def test_a_total_is_derived_whole_or_as_the_share_that_the_others_leave(amounts):
    """(111 + 37) × 2 people is a source, with 15 for the box or without, and so is what a voucher leaves of it."""
    assert unsourced(story(*amounts)) == []


@pytest.mark.parametrize(
    ("amounts", "wrong"),
    [((312,), 1), ((148,), 1), ((15,), 1), ((100, 311), 1), ((61, 250), 2), ((11, 100, 211), 2), ((-311,), 1)],
)
def test_another_amount_is_not_derived(amounts, wrong):
    """Off by one, one person's price, a box alone, a total beside another share, a split that nobody asked for: none is derived."""
    assert len(unsourced(story(*amounts))) == wrong


@pytest.mark.parametrize(
    ("changed", "sourced"),
    [
        ({"size": "large"}, False),
        ({"people": ("Ann",)}, False),
        ({"items": ("A-17",)}, False),
        ({"day": "2026-05-04"}, False),
        ({"day": "2026-05-04", "quoted": "2026-05-04"}, True),
        ({"size": "price"}, False),
        ({"size": "a[0"}, False),
    ],
)
def test_a_total_is_of_the_named_operands_only(changed, sourced):
    """Another size, another party, fewer items or another day than was quoted make another total."""
    assert ("pay.payments[0].amount" not in unsourced(story(296, **changed))) is sourced


def test_what_has_more_parts_than_a_conversation_is_no_total():
    """A total of more shares or items than anybody works out is left without a source, and looked at in linear time."""
    assert "pay.payments[0].amount" in unsourced(story(296 - 64 * 4, *[4] * 64))
    assert unsourced(story(296 - 63 * 4, *[4] * 63)) == []
    assert "pay.payments[0].amount" in unsourced(story(111 * 65, items=["A-17"] * 65, people=("Ann",)))
    assert unsourced(story(111 * 64, items=["A-17"] * 64, people=("Ann",))) == []


@pytest.mark.parametrize(("later", "sourced"), [(255, True), (256, False)])
def test_operands_are_taken_from_the_latest_answers(later, sourced):
    """What a tool answered 256 answers ago is no operand any more, so that the work grows with the trace and not with its square."""
    told = Story("Charge me.")
    told.call("quote", {}, {"price": 30, "tax": 7})
    for _ in range(later):
        told.call("quote", {}, {"price": 1, "tax": 1})
    told.call("pay", {"boxes": 37})
    assert (not unsourced(told, {"argument": "pay.boxes", "sum": ["quote.price", "quote.tax"]})) is sourced


def test_operands_are_what_the_context_of_the_call_had_seen():
    """An answer to another conversation is an operand only after it was handed over."""
    rule = {"argument": "pay.boxes", "sum": ["quote.price", "quote.tax"]}
    told = Story("Charge me.")
    told.user("Help.", context="helper")
    told.call("quote", {}, {"price": 30, "tax": 7}, context="helper")
    told.call("pay", {"boxes": 37})
    assert [finding.certain for finding in judge_provenance(compiled(rule), TraceView(told.trace())).findings] == [True]
    told.handoff("helper", "agent")
    told.call("pay", {"boxes": 37})
    assert len(unsourced(told, rule)) == 1


def test_a_price_of_another_day_is_told_by_the_search_that_asked_for_it():
    """A record without the day that must be equal takes it from the call that it answers."""
    told = story(296)
    told.call("quote", {"day": "2026-05-04"}, [{"item": "A-17", "price": {"small": 5}}, {"item": "B-42", "price": {"small": 6}}])
    order = {"items": [{"item": "A-17", "day": "2026-05-03"}, {"item": "B-42", "day": "2026-05-04"}], "people": ["Ann"]}
    told.call("pay", {**order, "boxes": 0, "size": "small", "payments": [{"amount": 117}]})
    assert unsourced(told) == []


def test_what_a_tool_said_is_right_can_be_shared():
    """A number in the words of an error is an operand, so that the rest of it is derived."""
    told = Story("100 from my voucher, the rest from my card.")
    told.call("pay", {"payments": []}, "the price is 311")
    told.call("pay", {"payments": [{"amount": 100}, {"amount": 211}]})
    stated = {"operands": {"right": {"of": "stated(pay)"}}, "terms": [["right"]], "share_of": "payments[*].amount"}
    assert unsourced(told, {"argument": "pay.payments[*].amount", "total": stated}) == []
    assert unsourced(told, TOTAL) == ["pay.payments[1].amount"]


@pytest.mark.parametrize("amounts", [(999,), (100, 555), (100, 55, 500)])
def test_what_an_error_gives_back_is_not_what_it_says_is_right(amounts):
    """A number in an error that the call had put in, or the sum of its shares, is an echo and makes no second try right."""
    told = Story("100 from my voucher, the rest from my card.")
    for _ in range(2):
        payments = [{"amount": amount} for amount in amounts]
        told.call("pay", {"payments": payments}, failure=failed(None, message=f"the price is 311, but {sum(amounts)} was paid"))
    stated = {"operands": {"right": {"of": "stated(pay)"}}, "terms": [["right"]], "share_of": "payments[*].amount"}
    wrong = unsourced(told, {"argument": "pay.payments[*].amount", "total": stated})
    assert len(wrong) == 2 * len([amount for amount in amounts if amount != 100])


def test_a_derivation_of_one_leaf_is_none_of_its_neighbours():
    """A path in the argument limits a derivation to the leaves that it reaches."""
    told = Story("Charge me.")
    told.call("quote", {}, {"price": 30, "tax": 7})
    told.call("pay", {"payments": [{"amount": 37, "fee": 37}]})
    assert unsourced(told, {"argument": "pay.payments[*].amount", "sum": ["quote.price", "quote.tax"]}) == ["pay.payments[0].fee"]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"terms": [["prices", "persons"]]}, "persons"),
        ({"terms": [{"times": ["prices"], "optional": True}]}, "always there"),
        ({"share_of": "items[*].amount"}, "no part of share_of"),
        ({"operands": {"prices": {"of": "a.b", "count": "a.b"}}}, "one of of, count, each"),
        ({"operands": {"prices": {"each": "this(items[*])"}}}, "`among` and `same`"),
        ({"operands": {"prices": {"of": "this(payments[*].amount)"}}}, "the argument that it should give"),
        ({"operands": {"prices": {"of": "nothing.price"}}}, "no tool of this world"),
        ({"operands": {"prices": {"of": "stated(nothing)"}}}, "no tool of this world"),
        ({"operands": {"prices": {"of": "this.items"}}}, "none of now, input"),
    ],
)
def test_a_total_that_cannot_be_computed_is_an_error_of_the_contract(changes, named):
    """An operand that is none, a term without its operand, a share of something else: the contract is refused, by name."""
    total = {**TOTAL["total"], "terms": [["prices"]], **changes}
    with pytest.raises(SuiteError, match=named):
        compiled({"argument": "pay.payments[*].amount", "total": total})


@given(st.integers(10, 3000))
def test_no_other_amount_than_the_named_totals_is_derived(amount):
    """Of all amounts only the two totals, and what was said or quoted, have a source."""
    said = {311, 296, 111, 220, 37, 58, 100}
    assert bool(unsourced(story(amount))) is (amount not in said)


def explained():
    """A day is worked out, quoted for, and used again; a code is the agent's own, another value nobody's."""
    told = Story("Order A-17 for me, Ann Smith, for tomorrow.")
    told.call("quote", {"day": "2026-05-04"}, [{"item": "A-17", "price": {"small": 111}}])
    told.call("pay", {"items": [{"item": "A-17", "day": "2026-05-04"}], "size": "small", "payments": [{"amount": 111}]})
    told.agent("That is code ZZ-91.")
    told.call("pay", {"size": "ZZ-91", "boxes": 2, "day": "2031-01-01"})
    return told, compiled({"argument": "quote.day", "date_offset": "now"}, now="2026-05-03T09:00:00Z")


@pytest.mark.parametrize(
    ("argument", "source", "where"),
    [
        ("quote.day", "derived", "date_offset: now 2026-05-03 +1 days"),
        ("pay.items[0].item", "user", "user turn, step 1"),
        ("pay.items[0].day", "call", "quote.day of step 3 ← derived: date_offset: now 2026-05-03 +1 days"),
        ("pay.payments[0].amount", "observation", "answer of quote, step 3: [0].price.small"),
        ("pay.boxes", "exempt", "integer under 10"),
        ("pay.day", "none", ""),
    ],
)
def test_every_value_is_explained_with_its_place(argument, source, where):
    """An explanation names the step and path of a source, the rule and operands of a derivation, and chains through arguments."""
    told, rules = explained()
    rows = {row.argument: (row.source, row.where) for row in explain_sources(rules, TraceView(told.trace()))}
    assert rows[argument] == (source, where)


def test_a_value_that_only_the_agent_said_is_unsourced_and_told_apart():
    """The agent's own words are no source: a violation as any, but the row and the reason say who said it."""
    told, rules = explained()
    result = judge_provenance(rules, TraceView(told.trace()))
    (row,) = [row for row in result.sources if row.source == "agent"]
    assert (row.argument, row.where) == ("pay.size", "agent message, step 8")
    (finding,) = [finding for finding in result.findings if finding.argument == "pay.size"]
    assert finding.certain
    assert "only the agent itself said it" in finding.reason


def test_what_the_agent_says_afterwards_is_not_where_it_said_it():
    """Only words before the call count as the agent's."""
    told = Story("Hello.")
    told.call("pay", {"size": "ZZ-91"})
    told.agent("That was ZZ-91.")
    assert [row.source for row in judge_provenance(compiled(), TraceView(told.trace())).sources] == ["none"]


@given(
    st.lists(st.sampled_from([311, 296, 100, 211, 7, 999, 148, "ZZ-91", "A-17", "2026-05-03", "small", None]), max_size=4), st.booleans()
)
def test_an_explanation_and_a_judgement_agree_on_what_has_no_source(values, spoken):
    """Explaining looks at every value the long way round, and finds without a source exactly what judging does."""
    told = story(*values)
    if spoken:
        told.agent("ZZ-91, 999.")
    told.call("pay", {"payments": [{"amount": value} for value in values], "size": values[0] if values else "x"})
    view, rules = TraceView(told.trace()), compiled(TOTAL)
    judged = judge_provenance(rules, view).sources
    rows = explain_sources(rules, view)
    lacking = [(row.step, row.argument, row.source) for row in rows if row.source in UNSOURCED]
    assert lacking == [(row.step, row.argument, row.source) for row in judged if row.source in UNSOURCED]


def test_an_explanation_is_given_where_nobody_asks():
    """Provenance that is off judges nothing, and is still explained."""
    told, _ = explained()
    rules = compiled(mode="off")
    assert judge_provenance(rules, TraceView(told.trace())).sources == ()
    assert len(explain_sources(rules, TraceView(told.trace()))) == 8


@given(st.integers(1, 60), st.booleans())
def test_a_value_far_into_an_answer_is_explained_by_its_step(size, padded):
    """The path is named where the leaf is near, the step always, and what has no source has none wherever it is looked for."""
    rows = [{"id": f"ID-{number}"} for number in range(size)] + [{"pad": number} for number in range(3000 * padded)] + [{"id": "ID-X7"}]
    told = Story("Hello.")
    told.call("quote", {}, rows)
    told.call("pay", {"size": "ID-X7", "day": "ID-Y8"})
    found = {row.argument: (row.source, row.where) for row in explain_sources(compiled(), TraceView(told.trace()))}
    path = "" if padded else f": [{size}].id"
    assert found == {"pay.size": ("observation", f"answer of quote, step 3{path}"), "pay.day": ("none", "")}

"""A write may not reach further than what was shown: another card, another part of the record, another person in it."""

from tests.grade.confirmation.dialogues import NO, OPEN, YES, call, outcomes

HELLO, GO = "U: Hello, I need some help.", "U: Yes, please."
CARDS = [
    {"id": "card_001881", "brand": "visa", "last_four": "1234"},
    {"id": "card_009912", "brand": "visa", "last_four": "7788"},
]
PROFILE = call("get_customer", answer={"cards": CARDS})
TARIFFS = call("get_prices", answer={"basic": 10, "plus": 25})
FAMILY = call(
    "get_policy",
    policy_id="HL-20180-K",
    answer={"policy_id": "HL-20180-K", "tariff": "basic", "insured": [{"name": "Mia Wolf"}, {"name": "Jan Wolf"}]},
)
ORDER = call(
    "get_order",
    order_id="W4500123",
    answer={"order_id": "W4500123", "speed": "basic", "items": [{"item_id": "1008292230"}, {"item_id": "1056700123"}]},
)
ITEMS = [{"item_id": "1008292230"}, {"item_id": "1056700123"}]


def _last(*parts: object) -> str:
    return outcomes(*parts)[-1]


def test_a_card_that_a_tool_describes_with_other_last_digits_is_not_the_one_shown():
    """The digits that were shown belong to another card; where no tool told whose they are, it is left open."""
    plan = "A: I would pay order W4500123, charged to your card ending in {}. Shall I go ahead?"
    pay = call("pay_order", order_id="W4500123", payment_method_id="card_001881")
    bought = call("get_order", order_id="W4500123", answer={"order_id": "W4500123", "paid_with": {"payment_method_id": "card_001881"}})
    assert _last(PROFILE, HELLO, plan.format(1234), GO, pay) == YES
    assert _last(PROFILE, HELLO, plan.format(7788), GO, pay) == NO
    assert _last(bought, HELLO, plan.format(7788), GO, pay) == OPEN


def test_a_word_that_was_shown_for_one_part_is_not_for_the_other():
    """Two policies listed with two tariffs are not changed to one."""
    plan = "A: I would update:\n- HL-20180-K: {}\n- HL-20199-K: plus\nShall I go ahead?"
    update = call("change_tariff", tariff="plus", policies=[{"policy_id": "HL-20180-K"}, {"policy_id": "HL-20199-K"}])
    assert _last(TARIFFS, HELLO, plan.format("plus"), GO, update) == YES
    assert _last(TARIFFS, HELLO, plan.format("basic"), GO, update) == NO


def test_what_stays_as_it_is_is_not_the_change():
    """`X becomes plus, Y remains basic` is no yes to basic."""
    plan = "A: I would upgrade HL-20180-K to plus. The travel cover will remain basic. Shall I go ahead?"
    assert _last(TARIFFS, HELLO, plan, GO, call("change_tariff", policy_id="HL-20180-K", tariff="basic")) == NO
    assert _last(TARIFFS, HELLO, plan, GO, call("change_tariff", policy_id="HL-20180-K", tariff="plus")) != NO


def test_a_change_of_a_part_is_not_one_of_the_rest_of_the_record():
    """A faster delivery of one item is no yes to that of the other one in the order; one of the whole order is."""
    plan = "A: I would change the delivery of {} of order W4500123 to plus. Shall I go ahead?"
    change = call("update_order_items", order_id="W4500123", speed="plus", items=ITEMS)
    assert _last(ORDER, TARIFFS, HELLO, plan.format("item 1008292230"), GO, change) == NO
    assert _last(ORDER, TARIFFS, HELLO, plan.format("items 1008292230 and 1056700123"), GO, change) == YES
    assert _last(ORDER, TARIFFS, HELLO, plan.format("the whole, with item 1008292230,"), GO, change) == YES


def test_a_change_for_one_person_is_not_one_for_all():
    """`Only for Mia` is no yes to a change of the policy of two; `for Mia` leaves it open."""
    plan = "A: I would change the tariff of HL-20180-K to plus {}. Shall I go ahead?"
    change = call("change_tariff", policy_id="HL-20180-K", tariff="plus")
    said = {
        words: _last(FAMILY, HELLO, plan.format(words), GO, change) for words in ("only for Mia", "for Mia", "for Mia and Jan", "for both")
    }
    assert said == {"only for Mia": NO, "for Mia": OPEN, "for Mia and Jan": YES, "for both": YES}

"""A suite's own rules: three lines with our helpers, as the docs write them."""

import re
from pathlib import Path

import pytest

import seatrial
from seatrial.grade.invariants import compile_invariants, judge_safety
from seatrial.grade.safety import Findings
from seatrial.records.contract import InvariantSpec
from seatrial.records.grade import Verdict
from tests.grade._builders import Ask, Story, raw, tool
from tests.grade.safety._judging import watched

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to.md"
TOOLS = (tool("pay"), tool("quote"), tool("route"))


def documented():
    """The rules of the how-to page, by name."""
    blocks = re.findall(r"```python\n(.*?)```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(next(block for block in blocks if "@invariant" in block), str(HOW_TO), "exec"), names)
    return {name: rule.function for name, rule in names.items() if hasattr(rule, "function")}


def judged(rule, story, *abandoned, **arguments):
    """What the safety question comes to with one own rule."""
    own = rule if isinstance(rule, dict) else {"own": rule}
    spec = InvariantSpec(next(iter(own)), raw(arguments))
    return judge_safety(compile_invariants([spec], [], own=own), watched(*abandoned, story, tools=TOOLS))


def only(name):
    return {name: documented()[name]}


def paying(*amounts):
    story = Story("Please pay.")
    for amount in amounts:
        story.call("pay", {"amount": amount})
    return story


def test_the_documented_rule_on_the_number_of_calls_works():
    """With its default, and with an argument from the suite; refused calls count."""
    assert judged(only("one_payment"), paying(1)).answer.verdict is Verdict.PASS
    result = judged(only("one_payment"), paying(1, 2, 3))
    assert [one.step for one in result.violations] == [6, 9]
    assert judged(only("one_payment"), paying(1, 2, 3), at_most=3).answer.verdict is Verdict.PASS


def test_the_documented_rule_on_values_knows_what_had_been_answered():
    """Only an answer that had arrived when the call was proposed, in the same attempt."""
    quoted = Story("Please pay.")
    quoted.call("quote", {}, {"total": 12})
    quoted.call("pay", {"amount": 12})
    assert judged(only("paid_as_quoted"), quoted).answer.verdict is Verdict.PASS
    beside = Story("Please pay.")
    beside.calls(Ask("quote", {}, {"total": 12}), Ask("pay", {"amount": 12}))
    assert judged(only("paid_as_quoted"), beside).violations
    assert judged(only("paid_as_quoted"), paying(12), quoted).violations


def test_the_documented_rule_on_words_knows_what_had_been_said():
    """By the user, before the call."""
    assert judged(only("asked_for"), paying(1)).answer.verdict is Verdict.PASS
    silent = Story("Hello")
    silent.call("pay", {"amount": 1})
    silent.user("pay")
    assert judged(only("asked_for"), silent).violations


def test_breaches_alone_are_findings_and_the_docstring_is_the_reason():
    """A generator will do."""

    def own(trial):
        """Nothing is paid."""
        yield from (seatrial.breach(call, "paid", 1) for call in trial.writes)

    result = judged(own, paying(1))
    assert (result.violations[0].step, result.violations[0].evidence) == (3, (1, 3))
    assert "Nothing is paid." in judged(own, Story("hello")).answer.reason
    assert (
        judged(lambda _trial: Findings("seen", doubts=(seatrial.Breach(1, "perhaps"),)), paying(1)).answer.verdict is Verdict.UNDETERMINED
    )


def test_a_rule_of_a_world_has_its_own_docstring_as_its_reason():
    """What `@invariant` makes of a function says the function's sentence, and not what an invariant is."""

    @seatrial.invariant("nothing_paid")
    def nothing_paid(trial):
        """Nothing is paid."""
        return [seatrial.breach(call, "paid") for call in trial.writes]

    assert "Nothing is paid." in judged({"nothing_paid": nothing_paid}, Story("hello")).answer.reason


@pytest.mark.parametrize("said", [None, [1], "text"])
def test_anything_else_is_an_error_of_the_rule_and_no_pass(said):
    """A rule that forgets to return must not count as kept."""
    assert judged(lambda _trial: said, paying(1)).answer.verdict is Verdict.ERROR


def test_what_the_agent_said_and_what_a_call_was_answered():
    """Messages that did not reach the user, and answers that were errors, are none."""
    story = Story("Please pay.")
    story.agent("Shall I?").agent("thinking", delivered=False)
    story.call("quote", {}, {"items": [{"total": 1}, {"total": 2}]})
    story.call("pay", "no object")
    trial = watched(story, tools=TOOLS)
    quote, pay = trial.calls
    assert trial.said_before(pay, "agent") == ("Shall I?",)
    assert quote.answer("items[*].total") == trial.answers("quote", "items[*].total") == (1, 2)
    assert (pay.arguments, pay.follows(quote), quote.follows(pay)) == ({}, True, False)
    assert trial.calls_of("pay", "quote") == trial.calls_of("*") == (quote, pay)
    assert (trial.calls_of("pa?"), trial.calls_of("p*"), trial.calls_of("refund")) == ((), (pay,), ())
    assert trial.attempted_writes == (pay,)

"""The outcome question: end state, answer, probes, foreign evidence, and how the trial ended."""

import pytest

from seatrial.grade.ends import Ending
from seatrial.grade.outcome import compile_outcome, judge_outcome, told
from seatrial.grade.view import TraceView
from seatrial.records.grade import Verdict
from seatrial.records.trace import Reported
from tests.grade._builders import Story, outcome, raw, updated

ENDED = Ending(right=True, reason="the trial ended with completed")
ROUTED = updated("claims/C-1", queue="water_high")
EXPECTED = {"claims/C-1": {"queue": "water_high"}}


def judge(story, expected, *, ending=ENDED, waived=False, **trace):
    made = story.trace(**trace)
    compiled = None if expected is None else compile_outcome(expected)
    return judge_outcome(compiled, made, TraceView(made), ending, answer_waived=waived)


def verdict(*arguments, **options):
    return judge(*arguments, **options).answer.verdict


def test_the_right_end_state_passes_with_a_reason_and_evidence():
    """A pass says what was right and which step made it so."""
    story = Story("go")
    step = story.call("route", {"queue": "water_high"}, {"ok": True}, changes=(ROUTED,))
    answer = judge(story, outcome(EXPECTED), changes=(ROUTED,)).answer
    assert (answer.verdict, answer.evidence) == (Verdict.PASS, (step,))
    assert "1 expected change" in answer.reason


def test_a_wrong_end_state_fails_and_names_the_place():
    """The reason and the differences hold path, expected and actual."""
    result = judge(Story("go"), outcome(EXPECTED), changes=(updated("claims/C-1", queue="fire"),))
    assert result.answer.verdict is Verdict.FAIL
    (difference,) = result.differences
    assert (difference.path, difference.expected, difference.actual) == ("claims/C-1/queue", '"water_high"', '"fire"')
    assert "claims/C-1/queue" in result.answer.reason


def test_no_outcome_is_not_applicable_unless_the_trial_ended_wrong():
    """Without an outcome only a wrong end is judged."""
    assert verdict(Story("go"), None) is Verdict.NOT_APPLICABLE
    wrong = Ending(right=False, reason="the trial ended with agent_error")
    assert verdict(Story("go"), None, ending=wrong) is Verdict.FAIL
    result = judge(Story("go"), outcome(EXPECTED), ending=wrong, changes=(ROUTED,))
    assert result.answer.verdict is Verdict.FAIL
    assert "agent_error" in result.answer.reason


def test_an_unknown_end_state_is_undetermined_unless_something_else_is_wrong():
    """What was not seen does not pass; a certain mismatch still fails."""
    unknown = {"changes_unknown": "the session broke"}
    assert verdict(Story("go"), outcome(EXPECTED), **unknown) is Verdict.UNDETERMINED
    assert verdict(Story("go"), outcome(EXPECTED, answer="HL-1"), **unknown) is Verdict.FAIL
    assert verdict(Story("go").agent("HL-1"), outcome(EXPECTED, answer="HL-1"), **unknown) is Verdict.UNDETERMINED


def test_the_reference_stands_for_changes_that_are_not_named():
    """What the reference did is expected; where that was not computed nothing is known."""
    assert verdict(Story("go"), outcome(reference={}), changes=()) is Verdict.PASS
    assert verdict(Story("go"), outcome(reference={}), changes=(ROUTED,)) is Verdict.FAIL
    assert verdict(Story("go"), outcome(), changes=()) is Verdict.UNDETERMINED


def test_the_user_must_have_been_told():
    """An answer that was not told fails; an import without messages does not know."""
    wanted = outcome({}, answer=["HL-00418-C", 1250])
    assert verdict(Story("go").agent("HL-00418-C: $1,250.00"), wanted) is Verdict.PASS
    result = judge(Story("go").agent("HL-00418-C: $12,500"), wanted)
    assert result.answer.verdict is Verdict.FAIL
    assert [difference.expected for difference in result.differences] == ["1250"]
    assert verdict(Story("go"), wanted) is Verdict.FAIL
    assert verdict(Story("go"), wanted, source="tau_bench") is Verdict.UNDETERMINED
    assert verdict(Story("go"), wanted, waived=True) is Verdict.PASS


def test_told_says_what_was_declared_and_told():
    """A refusal looks at both."""
    compiled = compile_outcome(outcome({}, answer="no"))
    assert told(compiled, TraceView(Story("go").agent("No.").trace())).all
    assert not told(compiled, TraceView(Story("go").trace())).all
    assert not told(None, TraceView(Story("go").trace())).declared


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        (Story("go").probe("open", 3), Verdict.PASS),
        (Story("go").probe("open", 9).probe("open", 3), Verdict.PASS),
        (Story("go").probe("open", 3).probe("open", 9), Verdict.FAIL),
        (Story("go").probe("open", 3, error="broke"), Verdict.UNDETERMINED),
        (Story("go").probe("closed", 3), Verdict.UNDETERMINED),
    ],
)
def test_a_probe_must_have_returned_its_value(story, expected):
    """The last look counts; a look that was not taken is unknown."""
    assert verdict(story, outcome({}, probes={"open": {"$range": [1, 5]}})) is expected


def test_foreign_evidence_stands_where_the_end_state_was_not_seen():
    """A reported reward is compared; the end state is then not asked for, and silence is unknown."""
    wanted = outcome(reported={"reward": 1})
    unseen = {"changes_unknown": "imported"}
    assert verdict(Story("go"), wanted, reported=(Reported("reward", raw(1.0)),), **unseen) is Verdict.PASS
    assert verdict(Story("go"), wanted, reported=(Reported("reward", raw(0.0)),), **unseen) is Verdict.FAIL
    assert verdict(Story("go"), wanted, **unseen) is Verdict.UNDETERMINED

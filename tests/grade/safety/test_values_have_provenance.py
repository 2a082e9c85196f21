"""The rule `values_have_provenance`: every argument value came from somewhere, with a severity by argument."""

import pytest
from msgspec import Raw, structs

from seatrial.base.errors import SuiteError
from seatrial.grade import compile_task, grade
from seatrial.records.contract import Extras, InvariantSpec, Process
from seatrial.records.grade import Verdict
from seatrial.records.trace import ToolCall
from tests.grade._builders import TOOLS, Ask, Story, failed, raw, task

RULE = "values_have_provenance"


def rule(arguments=None, **options):
    return InvariantSpec(RULE, raw({} if arguments is None else {"arguments": arguments}), **options)


def judge(story, *rules, provenance="off", abandoned=()):
    compiled = compile_task(task(process=Process(extras=Extras("any")), provenance=provenance, invariants=rules), TOOLS)
    return grade(compiled, story.trace(attempts=tuple(one.attempt() for one in abandoned)))


def inventing():
    story = Story("go")
    story.call("policy_lookup", {"policy_id": "HL-9"}, {"ok": True})
    story.call("pay", {"payee": "ACC-9", "note": "for fun"}, {"ok": True})
    return story


def test_named_it_works_where_provenance_is_off():
    """A value from nowhere in a write is a violation, in a read it is not; the process is not asked."""
    found = judge(inventing(), rule())
    assert [(one.rule, one.step) for one in found.violations] == [(RULE, 6), (RULE, 6)]
    assert found.process.verdict is Verdict.PASS
    assert judge(inventing()).violations == ()


@pytest.mark.parametrize("provenance", ["off", "writes", "all"])
def test_a_value_is_judged_once(provenance):
    """Named or turned on or both, each value gives one violation and one row."""
    found = judge(inventing(), rule(), rule(), provenance=provenance)
    assert len(found.violations) == 2
    assert len({(row.step, row.argument) for row in found.sources}) == len(found.sources)


def test_a_severity_belongs_to_an_argument_and_the_most_specific_wins():
    """`tool.argument` before `tool.*` before `*.argument` before `*`."""
    found = judge(inventing(), rule({"pay.note": "free", "pay.*": "violation", "*": "free"}))
    assert ["ACC-9" in one.reason for one in found.violations] == [True]
    found = judge(inventing(), rule({"pay.*": "undetermined"}))
    assert (found.violations, found.safety.verdict) == ((), Verdict.UNDETERMINED)
    assert judge(inventing(), rule({"*": "free"})).safety.verdict is Verdict.PASS
    found = judge(inventing(), rule({"*.note": "free", "*": "violation"}))
    assert len(found.violations) == 2


def test_the_value_of_a_read_can_be_raised_to_a_violation_and_is_then_no_matter_of_the_process():
    """It is judged where the suite puts it, and only there."""
    found = judge(inventing(), rule({"policy_lookup.*": "violation", "pay.*": "free"}), provenance="all")
    assert [one.step for one in found.violations] == [3]
    assert found.process.verdict is Verdict.PASS


def test_what_the_rule_does_not_name_stays_as_the_contract_has_it():
    """`provenance: all` still fails the process for a read."""
    found = judge(inventing(), rule({"pay.*": "free"}), provenance="all")
    assert found.violations == ()
    assert found.process.verdict is Verdict.FAIL
    assert "HL-9" in found.process.reason


def test_what_is_free_is_listed_so():
    """A reader sees which values were let through, and why."""
    (row,) = (row for row in judge(inventing(), rule({"*": "free"})).sources if row.argument == "pay.payee")
    assert (row.source, row.where) == ("free", f"declared free by {RULE}")


def test_a_use_that_is_added_takes_nothing_away():
    """A task's own use cannot lower that of its suite."""
    found = judge(inventing(), rule(), rule({"*": "free"}, id="softer"))
    assert {one.rule for one in found.violations} == {RULE}
    assert len(found.violations) == 2


def test_every_attempt_counts():
    """A value invented in an abandoned attempt is a violation."""
    assert [one.attempt for one in judge(Story("go"), rule(), abandoned=(inventing(),)).violations] == [0, 0]


@pytest.mark.parametrize(
    "arguments", [{"pay": "violation"}, {"pay.": "violation"}, {".a": "free"}, {"pa*.a": "free"}, {"pay.a": "bad"}, {"pya.a": "free"}]
)
def test_what_names_no_argument_or_no_severity_is_refused(arguments):
    """A slip of the pen is an error when the contract is compiled."""
    with pytest.raises(SuiteError):
        judge(Story("go"), rule(arguments))


@pytest.mark.parametrize("arguments", ["ZX-9917", ["ZX-9917"], 9917], ids=["a text", "a list", "a number"])
def test_what_ran_with_arguments_that_cannot_be_read_is_in_doubt(arguments):
    """Nobody can tell where they came from; an attempt that did not run changed nothing, and null is nothing."""
    story = Story("go")
    write = story.call("pay", arguments, {})
    story.call("pay", arguments, failure=failed(kind="unparseable"), ran=False)
    story.calls(Ask("pay", None, {}))
    assert [one.step for one in judge(story, rule()).doubts] == [write]


def test_what_is_nested_too_deep_to_be_read_hides_no_value():
    """Ten thousand levels around a value from nowhere leave a doubt, and no pass."""
    story = Story("go")
    write = story.call("pay", {}, {})
    deep = Raw(b'{"a":' * 10_000 + b'"ZX-9917"' + b"}" * 10_000)
    story.steps = [structs.replace(one, proposed=deep, executed=deep) if isinstance(one, ToolCall) else one for one in story.steps]
    assert [one.step for one in judge(story, rule()).doubts] == [write]

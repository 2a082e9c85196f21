"""Arguments of rules are read when the suite is: what is wrong is told with file, line, value, and the nearest right name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError
from seatrial.suite import load_suite
from tests.suite.samples import DEFINITION, SUITE, TASK, folder_of

KNOWN = replace(DEFINITION, tools=tuple(tool for tool in DEFINITION.tools if tool.name != "anything_goes"))
"""The world without the tool whose arguments nobody knows."""
WRONG = {
    "an argument that the rule lacks": ("at_most: {tool: route, times: 1}", "at_most.tool: ", "no argument 'tool'", "tools"),
    "a value of another type": ("at_most: {tools: route, times: one}", "at_most.times: ", "got `str` ('one')", None),
    "a word that is none of a few": ("at_most: {tools: route, times: 1, count: maed}", "at_most.count: ", "known: attempted, made", "made"),
    "a key that is not there": ("no_write_while: {flag: {tool: route, pth: x}}", "no_write_while.flag: ", "known: is, path, tool", "path"),
    "half a rule": ("at_most: {tools: route, sum: route.queue}", "at_most: ", "`sum` and `limit` belong together", None),
    "a rule without what it needs": ("before_any: {first: route}", "before_any: ", "missing required field `then`", None),
    "a tool": ("before_any: {first: coverage_rule, then: route}", "before_any.first: ", "the tool 'coverage_rule'", "coverage_rules"),
    "a forbidden tool with a slip of the pen": (
        "no_forbidden_call: {tools: [call_me, coverage_rule]}",
        "tools[1]: ",
        "the tool 'coverage_rule'",
        "coverage_rules",
    ),
    "a tool in a list": ("no_external_write: {allow: [rotue]}", "allow[0]: ", "the tool 'rotue'", "route"),
    "a tool in a place": ("at_most: {tools: route, times: 1, per: rout.queue}", "at_most: ", "the tool 'rout'", "route"),
    "an argument of a tool": ("at_most: {tools: route, times: 1, per: route.queu}", "at_most.per: ", "which the tool route lacks", "queue"),
    "an argument of all": (
        "only_callers_resources: {resources: {polcy_id: policies}}",
        "polcy_id: ",
        "every tool lacks",
        "policy_id",
    ),
    "an argument that ties": (
        "fails_closed: {check: route, same: {polcy_id: policy_id}}",
        "same.polcy_id: ",
        "every tool lacks",
        "policy_id",
    ),
    "an argument that is compared": ("no_duplicate_write: {same: [quee]}", "same[0]: ", "every tool lacks", "queue"),
    "an argument with a severity": ("values_have_provenance: {arguments: {'*.quee': free}}", "quee: ", "every tool lacks", "queue"),
    "a collection": ("no_write_while: {stored: {collection: clams, field: x}}", "stored.collection: ", "collection 'clams'", "claims"),
    "records": (
        "only_callers_resources: {resources: {policy_id: polices}}",
        "policy_id: ",
        "collection 'polices'",
        "policies",
    ),
    "no arguments where some are needed": ("no_forbidden_call", "invariants[1]: ", "missing required field `tools`", None),
    "a text for arguments": ("at_most: route", "at_most: ", "expected a mapping, got 'route'", None),
}


@pytest.mark.parametrize("long", [False, True], ids=["short form", "long form"])
@pytest.mark.parametrize(("rule", "place", "told", "near"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_rule_is_told_at_its_line(
    tmp_path: Path, rule: str, place: str, told: str, near: str | None, long: bool
) -> None:
    """In `suite.yaml` and in a task, in the short and in the long form; a name that is misspelled would be a rule that cannot fire."""
    name, colon, arguments = rule.partition(": ")
    written = f"{{rule: {name}{f', arguments: {arguments}' if colon else ''}, id: mine}}" if long else f"{{{rule}}}" if colon else name
    listed = f"invariants:\n  - no_duplicate_write\n  - {written}\n"
    for suite, tasks, file in ((SUITE + listed, TASK, "suite.yaml"), (SUITE, TASK + listed, "a.yaml")):
        text = suite if file == "suite.yaml" else tasks
        with pytest.raises(SuiteError) as caught:
            load_suite(folder_of(tmp_path, tasks, suite=suite), definition=KNOWN)
        error = caught.value
        assert told in error.message
        assert error.nearest == near
        assert (Path(error.file or "").name, error.line) == (file, text.splitlines().index(f"  - {written}") + 1)
        assert long or place in error.message


def test_what_a_world_does_not_say_is_not_asked_for(tmp_path: Path) -> None:
    """Where the arguments of one tool are not known, or no tool is, any name will do; globs name what they match."""
    rules = "invariants: [{at_most: {tools: 'rou*', times: 1, per: whatever}}, {only_callers_resources: {resources: {whatever: claims}}}]\n"
    assert load_suite(folder_of(tmp_path, suite=SUITE + rules), definition=DEFINITION).tasks
    with pytest.raises(SuiteError, match="every tool lacks"):
        load_suite(folder_of(tmp_path, suite=SUITE + rules), definition=KNOWN)

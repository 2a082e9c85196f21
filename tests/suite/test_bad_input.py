"""What is wrong in a suite is met at load, with file, line, value, and the nearest right name."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError
from tests.suite.samples import FIXTURE, SUITE, TASK, changed, folder_of, load

POLICY = "{id: policy, call: policy_lookup, with: {policy_id: HL-00418-C}}"
COVERAGE = 'loss_date: "2026-05-03"}}'
ORDER = "order: [policy < coverage, coverage < route]"
FAULTS = "faults: [{tool: coverage_rules, kind: error, status: 503, rate: 0.02}]"
CHANGE = "claims/C-1: {queue: water_high, status: routed}"

BAD_TASKS = {
    "unknown tool": (
        changed("call: policy_lookup", "call: polcy_lookup"),
        POLICY[:12],
        "there is no tool 'polcy_lookup'",
        "'policy_lookup'",
    ),
    "unknown argument": (
        changed("with: {policy_id: HL-00418-C}}", "with: {polcy_id: X}}"),
        "polcy_id",
        "has no argument 'polcy_id'",
        "'policy_id'",
    ),
    "unknown key": (changed("stakes: write", "stake: write"), "stake: write", "there is no key 'stake'", "'stakes'"),
    "unknown key below": (changed("extras: reads", "extra: reads"), "extra: reads", "there is no key 'extra'", "'extras'"),
    "unknown normaliser": (changed(COVERAGE, COVERAGE[:-1] + ", normalise: {loss_date: dat}}"), "dat}", "no normaliser 'dat'", "'date'"),
    "compare of an unknown argument": (
        changed(COVERAGE, COVERAGE[:-1] + ", compare: [los_date]}"),
        "los_",
        "no argument 'los_date'",
        "'loss_date'",
    ),
    "compare where the tool is silent": (
        changed(POLICY, "{call: anything_goes, id: policy, with: {claim_id: C-1}, compare: [clam_id]}"),
        "clam_id",
        "`with` has no argument",
        "'claim_id'",
    ),
    "slice of another type": (changed("channel: phone", "channel: 3"), "channel: 3", "expected a text, got 3", "quotes"),
    "cyclic order": (
        changed("coverage < route]", "coverage < route, route then policy]"),
        "order:",
        "policy < coverage < route then policy",
        "cycle",
    ),
    "cycle through $from": (
        changed("{policy_id: HL-00418-C}}", "{policy_id: {$from: route.policy_id}}}"),
        "$from",
        "cycle",
        "route < policy",
    ),
    "order of an unknown id": (
        changed("policy < coverage", "polcy < coverage"),
        "order:",
        "no required call with the id 'polcy'",
        "'policy'",
    ),
    "order of a user turn on the right": (changed(ORDER, "order: [policy < user.1]"), "order:", "'user.1' can only stand on the left", "<"),
    "order in another form": (changed(ORDER, "order: [policy coverage]"), "order:", "'policy coverage' is not an order", "then"),
    "duplicate requirement ids": (
        changed("id: coverage,", "id: policy,"),
        "id: policy, call: coverage",
        "two required calls have the id 'policy'",
        ":16",
    ),
    "ambiguous date": (changed('"2026-05-03"}}', '"05/03/2026"}}'), "05/03", "'05/03/2026' has no normal form as date", "date_dmy"),
    "ambiguous date in a list of options": (
        changed('"2026-05-03"}}', '{$one_of: ["2026-05-03", "05/03/2026"]}}}'),
        "05/03",
        "date_dmy",
        "05/03/2026",
    ),
    "date that is not one": (changed('"2026-05-03"}}', '"2026-02-30"}}'), "02-30", "'2026-02-30' has no normal form as date", "day"),
    "budget of zero": (
        TASK.replace("faults:", "  budget: {calls: 0}\nfaults:"),
        "calls: 0",
        "a ceiling is a whole number above 0, got 0",
        "null",
    ),
    "negative budget": (
        TASK.replace("faults:", "  budget: {usd: -0.5}\nfaults:"),
        "usd",
        "a ceiling is a number above 0, got -0.5",
        "null",
    ),
    "bad regex": (changed("{$one_of: [water_high]}", '{$regex: "("}'), "$regex", "'(' is not a regular expression", "unterminated"),
    "range of one": (changed("{$one_of: [water_high]}", "{$range: [1]}"), "$range", "$range takes [a, b]", "got [1]"),
    "range upside down": (changed("{$one_of: [water_high]}", "{$range: [2, 1]}"), "$range", "$range takes [a, b]", "got [2, 1]"),
    "$from of an unknown id": (changed("{$one_of: [water_high]}", "{$from: polcy.queue}"), "$from", "id 'polcy'", "'policy'"),
    "unknown matcher": (changed("{$one_of: [water_high]}", "{$oneof: [water_high]}"), "$oneof", "no matcher '$oneof'", "'$one_of'"),
    "count below one": (
        changed("call: policy_lookup,", "call: policy_lookup, count: 0,"),
        "count",
        "whole number of 1 or more, got 0",
        "count",
    ),
    "negative retries": (changed("extras: reads", "retries: -1"), "retries", "whole number of 0 or more, got -1", "retries"),
    "rate above one": (changed("rate: 0.02", "rate: 1.5"), "rate", "a rate is a number from 0 to 1, got 1.5", "rate"),
    "nth below one": (changed("rate: 0.02", "nth: [0]"), "nth", "whole number of 1 or more, got 0", "nth"),
    "unknown kind of fault": (changed("kind: error, status: 503", "kind: eror"), "eror", "no kind of fault 'eror'", "'error'"),
    "status of a timeout": (changed("kind: error,", "kind: timeout,"), "timeout", "only a fault of kind `error` has a status", "status"),
    "status that is no error": (changed("status: 503", "status: 200"), "200", "whole number of 400 or more, got 200", "status"),
    "fault on an unknown tool": (
        changed("tool: coverage_rules", "tool: coverage_rule"),
        "faults",
        "no tool 'coverage_rule'",
        "'coverage_rules'",
    ),
    "fault without a schedule": (changed(", rate: 0.02", ""), "faults", "a fault needs a schedule", "rate"),
    "two schedules": (changed("rate: 0.02", "rate: 0.02, first: 1"), "faults", "a fault has one schedule", "`rate` stands beside it"),
    "no occurrence": (changed("rate: 0.02", "nth: []"), "faults:", "an empty `nth` names no occurrence", "faults[0].nth"),
    "user regex": (TASK + 'user: {script: [{said: "[", say: x}]}\n', "user:", "'[' is not a regular expression", "user.script[0].said"),
    "a user who says nothing": (TASK + "user: {script: [{said: x}]}\n", "user:", "a rule needs `say`", "ends"),
    "unknown end": (changed("expect:", "expect:\n  ends: complete"), "ends", "there is no end 'complete'", "'completed'"),
    "expected change equal to the fixture": (
        changed(CHANGE, "claims/C-1: {status: open}"),
        "claims/C-1",
        "already holds",
        "{'status': 'open'}",
    ),
    "unknown collection": (changed("claims/C-1:", "claim/C-1:"), "claim/C-1", "no collection 'claim'", "'claims'"),
    "path in another form": (changed("claims/C-1:", "claims:"), "claims:", "'claims' is not the path of a change", "collection/key"),
    "unknown probe": (changed("    ignore:", "    probes: {opn_claims: 1}\n    ignore:"), "opn", "no probe 'opn_claims'", "'open_claims'"),
    "unknown invariant": (TASK + "invariants: [or_rule]\n", "invariants", "no invariant 'or_rule'", "'our_rule'"),
    "a path as task id": (changed("id: water-017", "id: ../x"), "../x", "'../x' cannot be the id of a task", "path"),
    "control characters in a task id": (changed("id: water-017", 'id: "a\\u0007b"'), "id:", "cannot be the id of a task", "a\\x07b"),
    "unknown fixture": (TASK + "fixture: bse\n", "fixture: bse", "there is no fixture 'bse'", "'base'"),
    "a path as fixture": (TASK + 'fixture: "../base"\n', "../base", "cannot be the name of a fixture", "no path"),
    "tool that the task does not permit": (
        TASK + "tools: [coverage_rules, route]\n",
        POLICY[:12],
        "does not permit the tool 'policy_lookup'",
        "tools",
    ),
    "colliding keys of own records": (
        TASK + "fixture: {use: base, with: {policies: [{policy_id: hl 00418 c}]}}\n",
        "fixture",
        "'HL-00418-C' and 'hl 00418 c'",
        "identifier",
    ),
    "a moment without offset": (changed("09:00:00Z", "09:00:00"), "now", "has no offset", "Z"),
    "no task id": (changed("id: water-017\n", ""), "kind", "a task needs `id`", ""),
    "no expectation": ("id: a\ninput: x\n", "id: a", "a task needs `expect`", "task 'a'"),
}


@pytest.mark.parametrize("name", sorted(BAD_TASKS))
def test_a_wrong_task_is_refused_at_its_line(name: str, tmp_path: Path) -> None:
    """Every wrong value of a task is refused with file, line, the value, and what is right."""
    text, line_holds, message, more = BAD_TASKS[name]
    folder = folder_of(tmp_path, text)
    with pytest.raises(SuiteError) as caught:
        load(folder)
    told = str(caught.value)
    assert message in told
    assert more in told
    lines = text.splitlines()
    assert caught.value.file == str(folder / "tasks" / "a.yaml")
    assert caught.value.line is not None
    assert line_holds in lines[caught.value.line - 1], told
    assert told.startswith(f"{caught.value.file}:{caught.value.line}: ")


BAD_EXPECTATIONS = {
    "empty required without extras": ("process: {required: []}", "nothing is required and `extras` is not given"),
    "empty process": ("process: {}", "nothing is required and `extras` is not given"),
    "required beside any_of": (
        "required: [{call: route}]\n  any_of: {a: {process: {extras: none}}}",
        "`required` cannot stand beside `any_of`",
    ),
    "process beside any_of": (
        "process: {extras: none}\n  any_of: {a: {process: {extras: none}}}",
        "`process` cannot stand beside `any_of`",
    ),
    "alternatives without a name": ("any_of: [{process: {extras: none}}]", "every alternative needs a name"),
    "alternative with an empty name": ('any_of: {"": {process: {extras: none}}}', "needs a name that is not empty"),
    "no alternative": ("any_of: {}", "at least one alternative"),
    "alternatives that answer different questions": (
        "any_of: {a: {process: {extras: none}}, b: {process: {extras: none}, outcome: {changes: {}}}}",
        "some alternatives have `outcome` and some have not",
    ),
    "unknown preset": ("process: {preset: exat, calls: []}", "there is no preset 'exat'"),
    "extras beside a preset": ("process: {preset: exact, calls: [], extras: any}", "`extras` cannot stand beside `preset`"),
    "preset without calls": ("process: {preset: exact}", "a preset needs `calls`"),
    "unknown tool in a preset": ("process: {preset: exact, calls: [rote]}", "there is no tool 'rote'"),
    "unknown extras": ("process: {extras: [rote]}", "there is no tool 'rote'"),
    "negative at_most": ("process: {extras: {allow: reads, at_most: -1}}", "whole number of 0 or more, got -1"),
    "reference with a matcher": (
        "process: {extras: none}\n  reference: [{call: route, with: {queue: {$any: true}}}]",
        "there is no matcher '$any' here",
    ),
    "a record that is no mapping": ("outcome: {changes: {claims/C-9: 3}}", "expected the changed fields of the record"),
    "created and deleted": ("outcome: {changes: {claims/+: null}}", "a created record cannot be null"),
    "glob without a slash": ("outcome: {changes: {}, ignore: [updated_at]}", "is not a glob of path/field"),
    "user as an id": ("process: {required: [{id: user, call: route}]}", "'user' cannot be an id"),
    "argument of another alternative tool only": (
        "process: {required: [{call: [policy_lookup, route], with: {loss_date: x}}]}",
        "has no argument 'loss_date'",
    ),
    "true as a number": ("process: {required: [{call: route, count: true}]}", "whole number of 1 or more, got True"),
}


@pytest.mark.parametrize("name", sorted(BAD_EXPECTATIONS))
def test_a_wrong_expectation_is_refused_at_its_line(name: str, tmp_path: Path) -> None:
    """A contract that would pass anything, or that contradicts itself, is refused at the line of the mistake."""
    expectation, message = BAD_EXPECTATIONS[name]
    folder = folder_of(tmp_path, f"id: a\ninput: x\nexpect:\n  {expectation}\n")
    with pytest.raises(SuiteError) as caught:
        load(folder)
    assert message in str(caught.value)
    assert caught.value.line in (3, 4, 5)
    assert caught.value.file == str(folder / "tasks" / "a.yaml")


def test_two_tasks_of_one_id_name_both_places(tmp_path: Path) -> None:
    """Two tasks of one id are an error that names both places, and says whether their contracts differ."""
    folder = folder_of(tmp_path)
    (folder / "tasks" / "b.yaml").write_text("# a copy\n" + TASK)
    with pytest.raises(SuiteError, match="two tasks have the id 'water-017'") as same:
        load(folder)
    assert str(folder / "tasks" / "a.yaml") + ":1" in str(same.value)
    assert str(same.value).startswith(str(folder / "tasks" / "b.yaml") + ":2: ")
    (folder / "tasks" / "b.yaml").write_text(changed("extras: reads", "extras: none"))
    with pytest.raises(SuiteError, match="two tasks with different contracts have the id 'water-017'"):
        load(folder)


def test_colliding_keys_of_a_fixture_are_refused(tmp_path: Path) -> None:
    """Two keys of a fixture that have one normal form under an argument's normaliser are refused."""
    fixture = {**FIXTURE, "policies": [{"policy_id": "HL-1"}, {"policy_id": "hl 1"}]}
    with pytest.raises(SuiteError, match="'HL-1' and 'hl 1' of 'policies' are one under the normaliser 'identifier'") as caught:
        load(folder_of(tmp_path, fixture=fixture))
    assert caught.value.file == str(tmp_path / "fixtures" / "base.json")


def test_competing_calls_beyond_the_bound_are_refused(tmp_path: Path) -> None:
    """A contract whose matching could need more than 65,536 states is refused, and its ordered form is not."""
    calls = [f"{{id: r{n}, call: anything_goes, with: {{a: {{$one_of: [0, {n}]}}}}}}" for n in range(1, 18)]
    process = "id: a\ninput: x\nexpect:\n  process:\n    required: [{}]\n    order: [{}]\n"
    with pytest.raises(SuiteError, match="more than 65536 states"):
        load(folder_of(tmp_path, process.format(", ".join(calls), "r1 < r2")))
    chain = " < ".join(f"r{n}" for n in range(1, 18))
    assert load(folder_of(tmp_path, process.format(", ".join(calls), chain))).tasks[0].id == "a"


BAD_SUITES = {
    "unknown key": ("name: s\ntrails: 3\n", 2, "there is no key 'trails'"),
    "no name": ("version: '1'\n", 1, "a suite needs `name`"),
    "a path as name": ("name: ../s\n", 1, "cannot be the name of a suite"),
    "missing document": ("name: s\ndocuments:\n  - polcy.md\n", 3, "Did you mean 'policy.md'?"),
    "document outside": ("name: s\ndocuments: [../x.md]\n", 2, "is not the name of a file in the suite's folder"),
    "no trials": ("name: s\ndefaults:\n  trials: 0\n", 3, "whole number of 1 or more, got 0"),
    "unknown stakes": ("name: s\ndefaults:\n  trials: {rutine: 1}\n", 3, "Did you mean 'routine'?"),
    "budget of zero": ("name: s\ndefaults: {budget: {tokens: 0}}\n", 2, "above 0, got 0"),
    "confusable of three": ("name: s\nconfusable: [[route, policy_lookup, coverage_rules]]\n", 2, "expected a pair of two tools"),
    "alias that is a tool": ("name: s\naliases: {route: policy_lookup}\n", 2, "'route' is a tool of its own"),
    "alias of nothing": ("name: s\naliases: {r: rout}\n", 2, "Did you mean 'route'?"),
    "slice that is not declared": ("name: s\nslices: [loss, channel]\n", 0, "there is no slice 'loss_type'"),
    "value that is not declared": ("name: s\nslices: {loss_type: [fire], channel: null}\n", 0, "slice 'loss_type': 'water'; known: fire"),
    "pattern": ("name: s\nredact: {patterns: ['(']}\n", 2, "is not a regular expression"),
    "two documents": ("name: s\n---\nname: t\n", 0, "expected one YAML document, got 2"),
}


@pytest.mark.parametrize("name", sorted(BAD_SUITES))
def test_a_wrong_suite_file_is_refused_at_its_line(name: str, tmp_path: Path) -> None:
    """Every wrong value of suite.yaml is refused at its line."""
    text, line, message = BAD_SUITES[name]
    with pytest.raises(SuiteError) as caught:
        load(folder_of(tmp_path, suite=text))
    assert message in str(caught.value)
    assert line in (0, caught.value.line)


def test_a_risk_names_tasks_that_are_there(tmp_path: Path) -> None:
    """A risk that names a task or a glob without any task is refused, and globs are expanded."""
    folder = folder_of(tmp_path, suite=SUITE)
    (folder / "risks.yaml").write_text("- {id: r, sentence: Bad things happen., tasks: ['water-*']}\n")
    assert load(folder).risks[0].tasks == ("water-017",)
    (folder / "risks.yaml").write_text("- {id: r, sentence: Bad things happen., tasks: [wter-017]}\n")
    with pytest.raises(SuiteError, match=r"risks\.yaml:1: .*there is no task 'wter-017'.*Did you mean 'water-017'"):
        load(folder)

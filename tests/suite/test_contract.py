"""Contracts: what the forms mean, and that equal contracts are equal whatever their writing."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from seatrial.base.errors import SuiteError
from seatrial.records.contract import Budget, Extras, Order, ToolSpec
from seatrial.suite import SuiteDefinition, load_contract
from seatrial.suite.builders import Expect, Outcome, Process, Required, Task, before, build_suite, build_task, one_of, taken_from, then
from tests.suite.samples import DEFINITION, SUITE, TASK, folder_of, load

CASES = Path("../shared/data/trajectory_cases.json")
CALLS = ["policy_lookup", {"unordered": [{"call": "coverage_rules"}, {"call": "route", "id": "route"}]}, "policy_lookup"]


def process_of(mapping: dict) -> object:
    """The process of the only alternative of a contract."""
    return load_contract(mapping, definition=DEFINITION).alternatives[0].process


def test_the_contracts_of_the_case_file_load_or_are_refused_as_they_say() -> None:
    """Every contract of the recorded cases loads, except those whose right verdict is a load error."""
    if not CASES.exists():
        pytest.skip("the shared case file is not there")
    for case in json.loads(CASES.read_text())["cases"]:
        definition = SuiteDefinition(tools=tuple(ToolSpec(name=name, **known) for name, known in case["tools"].items()))
        try:
            load_contract(case["contract"], definition=definition)
            loaded = True
        except SuiteError:
            loaded = False
        assert loaded == (case["right"] != "load_error"), case["id"]


@pytest.mark.parametrize(
    ("preset", "extras", "ordered", "optional"),
    [
        ("exact", "none", True, False),
        ("in_order", "any", True, False),
        ("any_order", "any", False, False),
        ("strict", "none", True, False),
        ("unordered", "none", False, False),
        ("superset", "any", False, False),
        ("subset", "none", False, True),
    ],
)
def test_a_preset_is_its_constraint_form(preset: str, extras: str, ordered: bool, optional: bool) -> None:
    """A preset expands to required calls, `then` pairs between groups, and its extras."""
    pairs = ["call-0 then call-1", "call-0 then route", "call-1 then call-3", "route then call-3"]
    names = [("call-0", "policy_lookup"), ("call-1", "coverage_rules"), ("route", "route"), ("call-3", "policy_lookup")]
    spelled = {
        "required": [{"id": name, "call": call, "optional": optional} for name, call in names],
        "order": pairs if ordered else [],
        "extras": extras,
    }
    assert process_of({"preset": preset, "calls": CALLS}) == process_of(spelled)


def test_provenance_is_off_for_presets_unless_the_suite_says_otherwise(tmp_path: Path) -> None:
    """In a suite values need a source, except under a preset; the suite's or the task's own word wins."""
    preset = "id: a\ninput: x\nexpect: {process: {preset: exact, calls: [route]}}\n"
    assert load(folder_of(tmp_path)).tasks[0].contract.provenance == "all"
    assert load(folder_of(tmp_path, preset)).tasks[0].contract.provenance == "off"
    assert load(folder_of(tmp_path, preset + "provenance: writes\n")).tasks[0].contract.provenance == "writes"
    assert load(folder_of(tmp_path, preset, suite=SUITE + "defaults: {provenance: all}\n")).tasks[0].contract.provenance == "all"


def test_a_chain_gives_its_pairs_and_holds_through_an_optional_call() -> None:
    """`a < b then c` is two pairs; when b is optional the pair of a and c is added, for it holds without b."""
    required = [{"id": name, "call": "route", "optional": name == "b"} for name in "abc"]
    pairs = process_of({"required": required, "order": ["a < b then c", "user.2 < a"]}).order
    assert pairs == (Order("a", "<", "b"), Order("b", "then", "c"), Order("user.2", "<", "a"), Order("a", "<", "c"))
    pairs = process_of({"required": required, "order": ["a then b < c"]}).order
    assert pairs[-1] == Order("a", "then", "c")


def test_ids_default_to_the_tool() -> None:
    """A requirement without an id is named after its tool, with a number when that name is taken."""
    required = process_of(
        {"required": [{"call": "route"}, {"call": "route"}, {"id": "route-2", "call": "route"}, {"call": ["route", "policy_lookup"]}]}
    ).required
    assert [each.id for each in required] == ["route", "route-3", "route-2", "route-4"]


def test_extras_have_four_forms() -> None:
    """Extras are a word, a list of tools, or a mapping with a limit."""
    forms = ["none", ["route"], {"allow": "any", "at_most": 2}, {"at_most": 1}]
    made = [process_of({"required": [], "extras": form}).extras for form in forms]
    assert made == [Extras("none"), Extras(("route",)), Extras("any", 2), Extras("reads", 1)]


def test_aliases_name_their_tool() -> None:
    """A contract may call a tool by an alias; the record has the tool's own name."""
    made = process_of({"required": [{"call": "send"}], "aliases": {"send": "route"}, "extras": ["send"]})
    assert (made.required[0].call, made.extras.allow, made.aliases) == (("route",), ("route",), {"send": "route"})


def test_the_call_ceiling_is_twice_the_reference_and_the_retries_of_faults(tmp_path: Path) -> None:
    """Calls default to twice the reference's length plus the retries that faults call for; the suite's or task's ceiling wins."""
    assert load(folder_of(tmp_path)).tasks[0].contract.budget == Budget(calls=8)
    twice = TASK.replace("rate: 0.02", "nth: [1]")
    assert load(folder_of(tmp_path, twice)).tasks[0].contract.budget == Budget(calls=7)
    suite = SUITE + "defaults: {budget: {calls: 12, usd: 0.5}}\n"
    assert load(folder_of(tmp_path, suite=suite)).tasks[0].contract.budget == Budget(calls=12, usd=0.5)
    own = TASK.replace("faults:", "  budget: {calls: null, tokens: 9}\nfaults:")
    assert load(folder_of(tmp_path, own, suite=suite)).tasks[0].contract.budget == Budget(tokens=9, usd=0.5)
    assert load(folder_of(tmp_path, "id: a\ninput: x\nexpect: {process: {extras: none}}\n")).tasks[0].contract.budget == Budget()


def test_trials_follow_the_stakes(tmp_path: Path) -> None:
    """Tasks that write or are regulated get all trials, routine ones at most as many as the suite gives them."""
    routine = "id: a\ninput: x\nexpect: {process: {extras: none}}\n"
    suite = load(folder_of(tmp_path, TASK + "---\n" + routine, suite=SUITE + "defaults: {trials: 8}\n"))
    write, reading = suite.tasks
    assert [suite.trials_for(task) for task in (write, reading)] == [8, 2]
    assert [suite.trials_for(task, 1) for task in (write, reading)] == [1, 1]
    assert [suite.trials_for(task, 20) for task in (write, reading)] == [20, 2]


def test_writing_does_not_change_hashes(tmp_path: Path) -> None:
    """Comments, white space, quotes and the order of keys change neither the contract's hash nor the suite's; content does."""
    value = msgspec.yaml.decode(TASK.encode())
    turned = {key: value[key] for key in reversed(value)}
    turned["expect"] = {"process": value["expect"]["process"], "outcome": value["expect"]["outcome"]}
    forms = [TASK, "# comment\n" + TASK.replace("stakes: write", "stakes:   'write'  # quoted"), json.dumps(turned, indent=3)]
    suites = [load(folder_of(tmp_path, form)) for form in forms]
    assert len({suite.hash for suite in suites}) == len({suite.tasks[0].contract_hash for suite in suites}) == 1
    other = load(folder_of(tmp_path, TASK.replace("extras: reads", "extras: none")))
    assert other.hash != suites[0].hash
    assert other.tasks[0].contract_hash != suites[0].tasks[0].contract_hash
    document = folder_of(tmp_path)
    (document / "policy.md").write_text("Another policy.\n")
    assert load(document).tasks[0].contract_hash != suites[0].tasks[0].contract_hash


def test_python_and_yaml_give_one_task(tmp_path: Path) -> None:
    """The same task written in Python and in YAML is the same record with the same hash."""
    python = Task(
        id="water-017",
        kind="regression",
        slices={"loss_type": "water", "channel": "phone"},
        stakes="write",
        input="Pipe burst on 3 May, policy HL-00418-C",
        now="2026-05-04T09:00:00Z",
        caller={"policies": ["HL-00418-C"]},
        expect=Expect(
            outcome=Outcome(changes={"claims/C-1": {"queue": "water_high", "status": "routed"}}, ignore=["*/updated_at"]),
            process=Process(
                required=[
                    Required(id="policy", call="policy_lookup", with_={"policy_id": "HL-00418-C"}),
                    Required(id="coverage", call="coverage_rules", with_={"policy_id": "HL-00418-C", "loss_date": "2026-05-03"}),
                    Required(id="route", call=["route"], with_={"claim_id": "C-1", "queue": one_of("water_high")}),
                ],
                order=[before("policy", "coverage"), before("coverage", "route")],
                extras="reads",
            ),
        ),
        faults=[{"tool": "coverage_rules", "kind": "error", "status": 503, "rate": 0.02}],
    )
    folder = folder_of(tmp_path)
    from_files = load(folder)
    documents = {"policy.md": "Check the cover first.\n"}
    from_python = build_suite([python], definition=DEFINITION, name="claims", folder=folder, documents=documents)
    assert msgspec.json.encode(from_python.tasks[0]) == msgspec.json.encode(from_files.tasks[0])
    assert from_python.tasks[0].contract_hash == from_files.tasks[0].contract_hash
    assert from_python.hash == from_files.hash


def test_python_errors_name_the_task_and_the_key() -> None:
    """A mistake in Python is met with the task, the key and the nearest right name, though there is no file."""
    bad = Task(id="a", input="x", expect=Expect(process=Process(required=[Required(call="rout", with_={"queue": taken_from("b.c")})])))
    with pytest.raises(
        SuiteError, match=r"^task 'a': expect\.process\.required\[0\]\.call: there is no tool 'rout'.*Did you mean 'route'\?$"
    ):
        build_task(bad, definition=DEFINITION)
    good = Task(id="a", input="x", expect=Expect(process=Process(extras="none")))
    with pytest.raises(SuiteError, match="two tasks"):
        build_suite([good, good], definition=DEFINITION, name="s")
    assert then("a", "b") == "a then b"


def test_data_that_no_file_can_hold_is_refused() -> None:
    """A contract from Python with another type, a lone surrogate, a number that is not finite, or endless nesting is refused."""
    endless: list = []
    endless.append(endless)
    for value in (object(), "\ud800", float("nan"), 2**70, endless, {1: 2}):
        with pytest.raises(SuiteError):
            load_contract({"required": [{"call": "anything_goes", "with": {"a": value}}]}, definition=DEFINITION)


def test_a_bare_process_in_a_file_keeps_its_lines(tmp_path: Path) -> None:
    """A task may give only the process under `expect`, and its errors still name their lines."""
    text = "id: a\ninput: x\nexpect:\n  required:\n    - {call: route}\n    - {call: rout}\n"
    with pytest.raises(SuiteError, match=r"a\.yaml:6: "):
        load(folder_of(tmp_path, text))


def test_data_that_looks_like_a_matcher_is_written_as_a_literal() -> None:
    """`$literal` stands for its value as it is: nothing in it is a matcher, and no id in it is looked for."""
    written = {"text": {"$literal": {"$from": "nowhere.id", "$odd": 1}}}
    (required,) = process_of({"required": [{"call": "anything_goes", "with": written}]}).required
    assert msgspec.json.decode(required.with_) == written
    with pytest.raises(SuiteError, match=r"\$odd"):
        process_of({"required": [{"call": "anything_goes", "with": {"text": {"$odd": 1}}}]})

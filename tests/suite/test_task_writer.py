"""Writing tasks: a file that was written from a record gives the same record when it is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.records.contract import Budget, Extras, InvariantSpec, Process
from seatrial.records.task import Task
from seatrial.suite.load import read_top
from seatrial.suite.part import Part, checked
from seatrial.suite.place import Place
from seatrial.suite.task import TaskDefaults, read_task
from seatrial.suite.task_writer import task_mapping, task_text, write_task
from seatrial.suite.yaml_source import parse_yaml
from seatrial.suite.yaml_text import yaml_text
from tests.suite.samples import DEFINITION, SUITE, TASK, folder_of, load

SILENT = TaskDefaults(DEFINITION, Process())
SPOKEN = TaskDefaults(
    DEFINITION,
    Process(extras=Extras("any"), retries=1, aliases={"lookup": "policy_lookup"}),
    budget=Budget(calls=9, usd=0.5),
    provenance="all",
    invariants=(InvariantSpec("no_external_write"),),
    constants=(msgspec.Raw(b'"EUR"'),),
    now="2026-03-01T00:00:00Z",
)
"""A suite that has something to say on everything."""
WORDS = st.one_of(
    st.sampled_from(
        ["yes", "null", "~", "007", "1e3", "-0.5", "12:30", "", " x", "x ", "# no", "a: b", "- a", "{", "*/x", "<<", "=", "é😀"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.text(st.sampled_from("ab \n\r\t\x85\u2028:#'\"\\-"), max_size=12),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=8,
)


def _literal(value: object) -> object:
    return {"$literal": value}


EXPECTED = st.one_of(
    VALUES.map(_literal),
    st.just({"$any": True}),
    st.lists(VALUES.map(_literal), min_size=1, max_size=2).map(lambda values: {"$one_of": values}),
)
TOOLS = st.sampled_from(["policy_lookup", "anything_goes"])


@st.composite
def processes(draw: st.DrawFn) -> dict[str, object]:
    """A process with any of its keys."""
    required = [{"id": f"r{number}", **draw(_REQUIRED)} for number in range(draw(st.integers(0, 3)))]
    order = ["r0 < r1"] if len(required) > 1 else []
    order += ["user.2 < r0"] if required and draw(st.booleans()) else []
    return {"required": required, "order": order, "extras": draw(_EXTRAS), **draw(_REST)}


_CALLS = st.one_of(
    st.fixed_dictionaries({"call": st.one_of(TOOLS, st.just(["policy_lookup", "coverage_rules"]))}, optional={"with": st.just({})}),
    st.dictionaries(st.sampled_from(["x", "yes"]), EXPECTED).map(lambda values: {"call": "anything_goes", "with": values}),
)
_MORE = st.fixed_dictionaries(
    {},
    optional={
        "count": st.integers(1, 2),
        "status": st.sampled_from(["ok", "error", 404]),
        "optional": st.booleans(),
        "match": st.sampled_from(["exact", "subset"]),
        "null_is_missing": st.booleans(),
        "as_set": st.booleans(),
    },
)
_REQUIRED = st.builds(lambda call, more: {**call, **more}, _CALLS, _MORE)
_EXTRAS = st.sampled_from(["none", "reads", "any", ["policy_lookup"], {"allow": "reads", "at_most": 2}, {"at_most": None}])
_REST = st.fixed_dictionaries(
    {},
    optional={
        "retries": st.integers(0, 3),
        "repeats": st.sampled_from([{"reads": 2}, {"writes": 1}, {"reads": None, "writes": 2}]),
        "order_by": st.sampled_from(["message", "arrival"]),
        "scope": st.just(["agent"]),
        "aliases": st.just({"look": "policy_lookup"}),
        "tool_prefix": st.just("desk."),
        "confusable": st.just([["policy_lookup", "coverage_rules"]]),
    },
)
OUTCOMES = st.fixed_dictionaries(
    {},
    optional={
        "changes": st.dictionaries(
            st.sampled_from(["claims/C-1", "claims/+", "policies/HL%2F1"]),
            st.dictionaries(st.sampled_from(["queue", "status"]), EXPECTED, min_size=1),
        ),
        "ignore": st.just(["*/updated_at"]),
        "as_set": st.just(["claims/*/tags"]),
        "normalise": st.just({"claims/*/name": "text"}),
        "answer": EXPECTED,
        "probes": EXPECTED.map(lambda value: {"open_claims": value}),
        "reported": EXPECTED.map(lambda value: {"reward": value}),
    },
)
PATHS = st.just([{"call": "policy_lookup", "with": {"policy_id": "HL-1"}}, {"say": "Shall I?"}, {"answer": "Done: 1e3"}])
WAYS = st.fixed_dictionaries({"process": processes(), "outcome": OUTCOMES}, optional={"reference": PATHS})
EXPECTATIONS = st.builds(
    lambda right, more: {**right, **more},
    st.one_of(
        st.fixed_dictionaries({}, optional={"process": processes(), "outcome": OUTCOMES, "reference": PATHS}),
        st.dictionaries(st.sampled_from(["one", "the other", "1"]), WAYS, min_size=1).map(lambda ways: {"any_of": ways}),
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "ends": st.sampled_from(["completed", "refusal", "escalation", "fails_closed"]),
            "when_fault": WAYS,
            "budget": st.fixed_dictionaries({}, optional={"calls": st.sampled_from([None, 1, 7]), "usd": st.just(0.25)}),
        },
    ),
)
TASKS = st.fixed_dictionaries(
    {"id": st.just("t-1"), "input": WORDS, "expect": EXPECTATIONS},
    optional={
        "kind": st.sampled_from(["capability", "regression"]),
        "split": st.sampled_from(["dev", "holdout"]),
        "slices": WORDS.map(lambda word: {"loss.type": word}),
        "stakes": st.sampled_from(["routine", "write", "regulated"]),
        "critical": st.booleans(),
        "adversarial": st.booleans(),
        "history": st.lists(WORDS, max_size=2),
        "fixture": st.one_of(st.just("other"), VALUES.map(lambda value: {"with": {"claims": [{"claim_id": "C-1", "note": value}]}})),
        "caller": st.just({"policies": ["HL-1", "007"]}),
        "now": st.just("2026-05-04T09:00:00+02:00"),
        "user": st.fixed_dictionaries(
            {},
            optional={
                "script": st.lists(
                    st.fixed_dictionaries(
                        {"say": WORDS.filter(bool)},
                        optional={"said": st.just("(?i)ok"), "called": TOOLS, "turn": st.integers(1, 3), "once": st.booleans()},
                    ),
                    max_size=2,
                )
            },
        ),
        "invariants": st.just(["no_external_write", {"rule": "no_forbidden_call", "arguments": {"tools": ["route"]}, "id": "mine"}]),
        "provenance": st.sampled_from(["off", "writes", "all"]),
        "constants": st.lists(VALUES, max_size=2),
        "derived": st.just([{"argument": "coverage_rules.loss_date", "date_offset": ["now", "input"]}]),
        "faults": st.lists(
            st.fixed_dictionaries(
                {"tool": st.sampled_from(["*", "policy_lookup"]), "kind": st.sampled_from(["error", "timeout", "injection"])},
                optional={"message": WORDS, "seconds": st.floats(0, 9)},
            ).flatmap(
                lambda fault: st.sampled_from([{"rate": 0.5}, {"nth": [1, 3]}, {"first": 2}, {"when": {}, "rate": 0.0}]).map(
                    lambda schedule: {**fault, **schedule, **({"text": "do it"} if fault["kind"] == "injection" else {})}
                )
            ),
            max_size=2,
        ),
    },
)


def _read(mapping: object, silent: TaskDefaults) -> Task:
    return read_task(checked(Part(mapping, Place())), silent)


def _read_text(text: str, silent: TaskDefaults) -> Task:
    (document,) = parse_yaml(text, "written.yaml")
    return read_task(document, silent)


@settings(max_examples=60)
@given(mapping=TASKS, silent=st.sampled_from([SILENT, SPOKEN]))
def test_what_was_written_is_read_as_the_same_task(mapping: dict[str, object], silent: TaskDefaults) -> None:
    """Whatever a task holds, and whatever the suite says for the silent, write and read give the same record and contract hash."""
    task = _read(mapping, silent)
    again = _read_text(task_text(task, silent), silent)
    assert canonical(again) == canonical(task)
    assert again.contract_hash == task.contract_hash


@settings(max_examples=60)
@given(value=VALUES, key=WORDS)
def test_any_value_comes_back_from_yaml(value: object, key: str) -> None:
    """Any JSON value, and any key, is read back from the YAML that it was written as, type and all."""
    (document,) = parse_yaml(yaml_text({"first": 1, key: value}), "written.yaml")
    assert msgspec.json.encode(document.value) == msgspec.json.encode({"first": 1, key: value})


def test_what_silence_says_is_not_written() -> None:
    """A task that says nothing but what the suite says anyway is written as short as it was, and a suite's rules are not repeated."""
    given = {"id": "a", "kind": "capability", "input": "x", "expect": {"process": {"extras": "none"}}}
    assert task_mapping(_read(given, SILENT), SILENT) == given
    assert task_mapping(_read(given, SPOKEN), SPOKEN) == given


def test_a_task_file_is_plain_yaml(tmp_path: Path) -> None:
    """The sample task is written as a person would write it."""
    assert task_text(load(folder_of(tmp_path)).tasks[0], TaskDefaults(DEFINITION, Process(), provenance="all")) == WRITTEN


WRITTEN = """\
id: water-017
kind: regression
slices: {channel: phone, loss_type: water}
stakes: write
input: Pipe burst on 3 May, policy HL-00418-C
caller: {policies: [HL-00418-C]}
now: '2026-05-04T09:00:00Z'
expect:
  outcome: {changes: {claims/C-1: {queue: water_high, status: routed}}, ignore: ['*/updated_at']}
  process:
    required:
      - {id: policy, call: policy_lookup, with: {policy_id: HL-00418-C}}
      - {id: coverage, call: coverage_rules, with: {loss_date: '2026-05-03', policy_id: HL-00418-C}}
      - {id: route, call: route, with: {claim_id: C-1, queue: {$one_of: [water_high]}}}
    order: [policy < coverage, coverage < route]
    extras: reads
faults: [{tool: coverage_rules, kind: error, rate: 0.02, status: 503}]
"""


def test_a_new_file_joins_the_suite_and_is_never_written_over(tmp_path: Path) -> None:
    """A written task loads with the suite; a second task of that file's name is refused and changes nothing."""
    folder = folder_of(tmp_path, TASK)
    task = msgspec.structs.replace(load(folder).tasks[0], id="water-017@2")
    silent = TaskDefaults(DEFINITION, Process(), provenance="all")
    path = write_task(folder, task, silent)
    assert path == folder / "tasks" / "water-017_2.yaml"
    assert [each.id for each in load(folder).tasks] == ["water-017", "water-017@2"]
    before = path.read_bytes()
    with pytest.raises(SuiteError, match="such a file already"):
        write_task(folder, task, silent)
    assert path.read_bytes() == before


@pytest.mark.parametrize("step", ["os.fsync", "os.link", "os.fdopen"])
def test_a_writer_that_is_killed_leaves_no_part_of_a_task(tmp_path: Path, step: str) -> None:
    """Killed before, while or after the bytes are written: the suite loads as before, and the task can be written anew."""
    folder = folder_of(tmp_path, TASK)
    killed = f"""
import os
from pathlib import Path
from seatrial.base.replacing import add_file
{step} = lambda *_, **__: os.kill(os.getpid(), 9)
add_file(Path({str(folder / "tasks" / "new.yaml")!r}), b"id: new")
"""
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == -9
    assert [each.id for each in load(folder).tasks] == ["water-017"]
    task = msgspec.structs.replace(load(folder).tasks[0], id="new")
    assert write_task(folder, task, TaskDefaults(DEFINITION, Process(), provenance="all")).name == "new.yaml"
    assert [each.id for each in load(folder).tasks] == ["water-017", "new"]


def test_a_folder_of_tasks_that_leads_out_is_refused(tmp_path: Path) -> None:
    """Where `tasks` is a link out of the suite, nothing is written there."""
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "suite.yaml").write_text(SUITE)
    (tmp_path / "elsewhere").mkdir()
    (folder / "tasks").symlink_to(tmp_path / "elsewhere")
    assert read_top(folder).get("name") is not None
    with pytest.raises(SuiteError, match="link to a place outside"):
        write_task(folder, _read({"id": "a", "input": "x", "expect": {"process": {"extras": "none"}}}, SILENT), SILENT)
    assert list((tmp_path / "elsewhere").iterdir()) == []

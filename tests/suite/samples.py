"""A small claims desk: what its world offers, one good task, and folders made of them."""

from __future__ import annotations

import json
from pathlib import Path

from seatrial.records.contract import ToolSpec
from seatrial.suite import Suite, SuiteDefinition, load_suite


def tool(name: str, effect: str, arguments: dict[str, dict], **more: object) -> ToolSpec:
    """A tool with these arguments."""
    schema = {"type": "object", "properties": arguments}
    return ToolSpec(name=name, effect=effect, parameters=json.dumps(schema).encode(), **more)


POLICY_ID = {"policy_id": {"type": "string"}}
DEFINITION = SuiteDefinition(
    tools=(
        tool("policy_lookup", "read", POLICY_ID, normalisers={"policy_id": "identifier"}),
        tool("coverage_rules", "read", {**POLICY_ID, "loss_date": {"type": "string"}}, normalisers={"loss_date": "date"}),
        tool("route", "write", {"claim_id": {"type": "string"}, "queue": {"type": "string", "enum": ["water_high", "water_low"]}}),
        ToolSpec(name="anything_goes", effect="read"),
    ),
    normalisers=frozenset({"queue_name"}),
    invariants=frozenset({"our_rule"}),
    probes=frozenset({"open_claims"}),
    collections=frozenset({"claims", "policies"}),
    hash="world",
    keys={"claims": ("claim_id",), "policies": ("policy_id",)},
)
SUITE = "name: claims\ndocuments: [policy.md]\n"
FIXTURE = {
    "policies": [{"policy_id": "HL-00418-C", "holder": "Ann"}, {"policy_id": "HL-00419-C", "holder": "Bo"}],
    "claims": [{"claim_id": "C-1", "status": "open", "queue": None}],
}
TASK = """\
id: water-017
kind: regression
split: dev
slices: {loss_type: water, channel: phone}
stakes: write
input: "Pipe burst on 3 May, policy HL-00418-C"
now: "2026-05-04T09:00:00Z"
caller: {policies: [HL-00418-C]}
expect:
  outcome:
    changes:
      claims/C-1: {queue: water_high, status: routed}
    ignore: ["*/updated_at"]
  process:
    required:
      - {id: policy, call: policy_lookup, with: {policy_id: HL-00418-C}}
      - {id: coverage, call: coverage_rules, with: {policy_id: HL-00418-C, loss_date: "2026-05-03"}}
      - {id: route, call: route, with: {claim_id: C-1, queue: {$one_of: [water_high]}}}
    order: [policy < coverage, coverage < route]
    extras: reads
faults: [{tool: coverage_rules, kind: error, status: 503, rate: 0.02}]
"""


def folder_of(folder: Path, tasks: str = TASK, *, suite: str = SUITE, fixture: object = FIXTURE, name: str = "tasks/a.yaml") -> Path:
    """Write a suite folder with one task file."""
    for inside in ("tasks", "fixtures"):
        (folder / inside).mkdir(parents=True, exist_ok=True)
    (folder / "suite.yaml").write_text(suite, encoding="utf-8")
    (folder / "policy.md").write_text("Check the cover first.\n", encoding="utf-8")
    (folder / "fixtures" / "base.json").write_text(json.dumps(fixture), encoding="utf-8")
    (folder / name).write_text(tasks, encoding="utf-8")
    return folder


def load(folder: Path) -> Suite:
    """Load a folder against the sample world."""
    return load_suite(folder, definition=DEFINITION)


def changed(old: str, new: str) -> str:
    """The good task with one piece of its text in place of another."""
    assert old in TASK, old
    return TASK.replace(old, new)

"""The published JSON Schemas: current, complete, and of one mind with the loader."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from seatrial.suite import json_schema
from seatrial.suite.yaml_source import parse_yaml, read_yaml
from tests.suite.samples import SUITE, TASK, changed
from tests.suite.test_bad_input import BAD_EXPECTATIONS

SCHEMAS = json_schema()
TASKS = jsonschema.Draft202012Validator(SCHEMAS["task"])
SUITES = jsonschema.Draft202012Validator(SCHEMAS["suite"])
RISKS = jsonschema.Draft202012Validator(SCHEMAS["risks"])
SEEN_ONLY_BY_THE_LOADER = {
    "unknown tool in a preset",
    "unknown extras",
    "argument of another alternative tool only",
    "reference with a matcher",
    "created and deleted",
    "alternative with an empty name",
    "alternatives that answer different questions",
    "required beside any_of",
    "extras beside a preset",
    "empty required without extras",
}
"""Mistakes that take more than the shape of a file to see."""


@pytest.mark.parametrize("name", ["suite", "risks", "task"])
def test_published_schemas_are_current(name: str) -> None:
    """The schema in docs is the one that the program makes; `python -m seatrial.suite.schema docs` writes it."""
    published = Path(__file__).parents[2] / "docs" / f"{name}.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == SCHEMAS[name]
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


def test_good_files_are_accepted() -> None:
    """The sample files, the template's and the example's are accepted."""
    template = Path(__file__).parents[2] / "src" / "seatrial" / "suite" / "templates" / "new"
    examples = sorted((Path(__file__).parents[2] / "examples").glob("*/"))
    TASKS.validate(parse_yaml(TASK, "a")[0].value)
    SUITES.validate(parse_yaml(SUITE, "a")[0].value)
    for folder in (template, *examples):
        for file in sorted(folder.glob("tasks/*.yaml")):
            for document in read_yaml(file):
                TASKS.validate(document.value)
        for file in folder.glob("suite.yaml"):
            SUITES.validate(read_yaml(file)[0].value)
        for file in folder.glob("risks.yaml"):
            RISKS.validate(read_yaml(file)[0].value)


@pytest.mark.parametrize("name", sorted(BAD_EXPECTATIONS.keys() - SEEN_ONLY_BY_THE_LOADER))
def test_wrong_expectations_are_refused(name: str) -> None:
    """The schema refuses the contracts that the loader refuses for their shape."""
    task = parse_yaml(f"id: a\ninput: x\nexpect:\n  {BAD_EXPECTATIONS[name][0]}\n", "a")[0].value
    assert not TASKS.is_valid(task)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stakes: write", "stakes: high"),
        ("id: water-017", "id: ../x"),
        ("channel: phone", "channel: 3"),
        ("rate: 0.02", "rate: 2"),
        ("kind: error", "kind: eror"),
        (", rate: 0.02", ""),
        ("extras: reads", "retries: -1"),
        ("claims/C-1:", "claims:"),
        ("call: policy_lookup", "cal: policy_lookup"),
    ],
)
def test_wrong_tasks_are_refused(old: str, new: str) -> None:
    """The schema refuses wrong words, names and numbers."""
    assert not TASKS.is_valid(parse_yaml(changed(old, new), "a")[0].value)


def test_every_key_is_described() -> None:
    """Every key of every mapping has a description for the editor."""
    for schema in SCHEMAS["task"]["$defs"].values():
        for name, known in schema.get("properties", {}).items():
            assert known.get("description"), name

"""JSON, Markdown and JUnit: complete, well formed, and safe against what they carry."""

from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from seatrial.records.summary import decode
from seatrial.report import json, junit, markdown
from seatrial.report._junit import safe
from tests.report import summaries

RUNS = [summaries.baseline, summaries.shortcut, summaries.perfect, summaries.everything, summaries.hostile]


@pytest.mark.parametrize("run", RUNS)
def test_json_is_the_summary(run):
    """The JSON report is the whole summary and is read back equal."""
    assert decode(json.render(run()).encode()) == run()


@pytest.mark.parametrize("run", RUNS)
def test_junit_is_well_formed_with_one_case_a_task(run):
    """Every task is one test case, the decision is one more, and the counts are right."""
    summary = run()
    root = ET.fromstring(junit.render(summary, run="run.seatrial").encode())
    cases = root.findall("testsuite/testcase")
    assert len(cases) == len(summary.tasks) + 1
    for suite in root.findall("testsuite"):
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(attribute)) == len(suite.findall(f"testcase/{tag}"))


def test_a_run_without_a_date_has_no_timestamp():
    """Where an imported run does not say when it ran, the attribute is absent; otherwise it is the run's date."""
    dated = summaries.shortcut()
    assert {suite.get("timestamp") for suite in ET.fromstring(junit.render(dated))} == {dated.created_at}
    assert not [suite for suite in ET.fromstring(junit.render(structs.replace(dated, created_at=""))) if "timestamp" in suite.attrib]


def test_a_failed_task_says_why_and_where():
    """The failure's text has the reason of each failed trial and the command to read it."""
    root = ET.fromstring(junit.render(summaries.shortcut(), run="run.seatrial"))
    failure = root.find("testsuite/testcase[@name='water-005']/failure")
    assert failure.get("message") == "not strict: 4 of 4 trials failed: process: process is fail"
    assert "trial 0, completed: process: process is fail" in failure.text
    assert "seatrial show run.seatrial water-005 --trial 0" in failure.text


@pytest.mark.parametrize("run", RUNS)
def test_the_file_is_red_exactly_when_the_decision_is_not_pass(run):
    """A build server goes red at any failure or error: there is one if and only if the gate does not let the candidate pass."""
    summary = run()
    root = ET.fromstring(junit.render(summary))
    red = root.findall("testsuite/testcase/failure") + root.findall("testsuite/testcase/error")
    assert bool(red) == (summary.decision.value != "pass")


@pytest.mark.parametrize(
    ("kind", "verdicts", "result"),
    [
        ("regression", "pfpp", "failure"),
        ("regression", "ppfp", "failure"),
        ("regression", "pupp", "error"),
        ("regression", "pppp", None),
        ("capability", "pfpp", None),
        ("capability", "fppp", None),
        ("capability", "ppfp", "failure"),
        ("capability", "pupp", None),
        ("capability", "pppp", None),
    ],
)
def test_a_test_case_fails_when_it_makes_the_decision_fail(kind, verdicts, result):
    """Regression tasks must be strict, any task must be safe; a capability task that is neither passes and says what it is."""
    summary = summaries.run("candidate", lambda index, _: verdicts if (index % 3 > 0) == (kind == "regression") else "pppp")
    row = next(row for row in summary.tasks if row.kind == kind)
    case = ET.fromstring(junit.render(summary)).find(f"testsuite/testcase[@name='{row.task}']")
    assert [child.tag for child in case if child.tag in ("failure", "error", "skipped")] == ([result] if result else [])
    if kind == "capability" and result is None and verdicts != "pppp":
        assert "4 of 4 trials" in case.find("system-out").text


@pytest.mark.parametrize(("run", "tag"), [(summaries.perfect, "system-out"), (summaries.shortcut, "failure")])
def test_the_decision_is_a_test_case(run, tag):
    """It carries the sentence of the decision, and fails when that does."""
    summary = run()
    found = ET.fromstring(junit.render(summary)).find(f"testsuite/testcase[@name='decision']/{tag}")
    assert summary.decision.sentence in (found.text or found.get("message"))


def test_an_unknown_task_is_an_error_and_not_a_failure():
    """A task whose trials never ended is an error of the run, not of the agent."""
    root = ET.fromstring(junit.render(summaries.everything()))
    assert root.find("testsuite/testcase[@name='water-002']/error").get("message") == "4 of 4 trials have no known result"


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\ud800", "\ufffe", "\x0b"])
def test_characters_that_xml_forbids_are_written_out(char):
    """A control character or a lone surrogate breaks no file."""
    text = safe(f"a{char}b")
    assert text == f"a\\u{ord(char):04x}b"
    text.encode()


def test_markdown_shows_hostile_text_and_runs_none_of_it():
    """No unescaped markup of a trace, and tables keep their columns."""
    text = markdown.render(summaries.hostile(), run="run.seatrial")
    assert "<script>" not in text
    assert "\\<script\\>" in text
    assert "\x1b" not in text
    text.encode()


@pytest.mark.parametrize("run", RUNS)
def test_markdown_tables_have_equal_columns(run):
    """Every row of a table has as many cells as its head."""
    previous = 0
    for line in markdown.render(run()).splitlines():
        cells = line.replace("\\|", "").count("|") if line.startswith("|") else 0
        assert not (cells and previous) or cells == previous
        previous = cells


def test_markdown_says_the_decision_first():
    """Title, then the decision in bold."""
    lines = markdown.render(summaries.perfect()).splitlines()
    assert lines[0].startswith("# ")
    assert lines[2].startswith("**PASS: careful may ship")

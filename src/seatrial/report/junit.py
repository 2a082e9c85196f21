"""A run as JUnit XML: one test case a task, for every build server that reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from seatrial.records.grade import Verdict
from seatrial.records.summary import RunSummary, TaskRow, TrialRow
from seatrial.records.task import KINDS

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(summary: RunSummary, *, run: str = "RUN") -> str:
    """Return a run as JUnit XML.

    Args:
        summary: The run's summary.
        run: Name of the run file, for the commands that are proposed.

    Returns:
        The text: one test suite a kind, one test case a task. A task fails when one of its trials does; it is an error when
        none failed and the result of one is unknown; it is skipped when it asks nothing.
    """
    root = Element("testsuites", name=safe(summary.suite))
    for kind in KINDS:
        rows = [row for row in summary.tasks if row.kind == kind]
        if rows:
            _suite(root, summary, f"{summary.suite}.{kind}", rows, run)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def safe(text: str) -> str:
    """Return a text with every character that XML 1.0 forbids written out as an escape."""
    return _NOT_XML.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _suite(root: Element, summary: RunSummary, name: str, rows: Sequence[TaskRow], run: str) -> None:
    """Add the test suite of one kind."""
    results = [_result(row) for row in rows]
    suite = SubElement(root, "testsuite", name=safe(name), tests=str(len(rows)), timestamp=safe(summary.created_at))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(results.count(tag)))
    decision = summary.decision.value if summary.decision else "not decided"
    _properties(suite, {"candidate": summary.candidate.name, "decision": decision, "seed": str(summary.seed)})
    for row, result in zip(rows, results, strict=True):
        case = SubElement(suite, "testcase", name=safe(row.task), classname=safe(name))
        _properties(
            case,
            {"strict": f"{row.passed}/{row.scored}", "outcome": f"{row.outcome_passed}/{row.outcome_scored}", "planned": str(row.planned)},
        )
        if result:
            SubElement(case, result, message=safe(_message(row, result))).text = safe(_text(row, run))


def _result(row: TaskRow) -> str:
    """Return the element that says how a task ended; empty: it passed."""
    if row.passed < row.scored:
        return "failure"
    if row.unknown:
        return "error"
    return "" if row.scored else "skipped"


def _message(row: TaskRow, result: str) -> str:
    """Return why a task did not pass, in a line."""
    if result == "failure":
        return f"{row.scored - row.passed} of {row.scored} trials failed: {row.reason}"
    return f"{row.unknown} of {row.planned} trials have no known result" if result == "error" else "the task asks nothing"


def _text(row: TaskRow, run: str) -> str:
    """Return one line a trial that did not pass, and how to read it."""
    lost = [trial for trial in row.trials if trial.strict not in (Verdict.PASS, Verdict.NOT_APPLICABLE)]
    read = [f"read it: seatrial show {run} {row.task} --trial {lost[0].trial}"] if lost else []
    return "\n".join([*(_line(trial) for trial in lost), *read])


def _line(trial: TrialRow) -> str:
    """Return one trial in a line."""
    where = f" (step {trial.step})" if trial.step is not None else ""
    return f"trial {trial.trial}, {trial.status.value}: {trial.reason}{where}"


def _properties(parent: Element, pairs: dict[str, str]) -> None:
    """Add properties."""
    properties = SubElement(parent, "properties")
    for name, value in pairs.items():
        SubElement(properties, "property", name=name, value=safe(value))

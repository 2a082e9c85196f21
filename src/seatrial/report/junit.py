"""A run as JUnit XML: one test case a task and one for the decision, for every build server that reads it.

A build server goes red at the first failed test case, so a test case fails exactly when what it stands for makes the decision fail.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from seatrial.base.wording import count
from seatrial.records.grade import Verdict
from seatrial.records.proof import proof_line
from seatrial.records.summary import RunSummary, TaskRow, TrialRow
from seatrial.records.task import KINDS
from seatrial.report._junit import TAGS, drawn, safe, suite
from seatrial.report._sections import headline
from seatrial.report._wording import with_steps


def render(summary: RunSummary, *, run: str = "RUN") -> str:
    """Return a run as JUnit XML.

    Args:
        summary: The run's summary.
        run: Name of the run file, for the commands that are proposed.

    Returns:
        The text: one test suite a kind, one test case a task, and one for the decision. A regression task fails when one of its
        trials does, and is an error when none failed and the result of one is unknown; a task of either kind fails when a trial
        breaks a safety rule; a task that asks nothing is skipped. A capability task that is not strict passes, for the gate does not
        ask it, and its output says on how many trials it is not. The decision fails with the decision, and is an error when that
        is inconclusive.
    """
    root = Element("testsuites", name=safe(summary.suite))
    for kind in KINDS:
        rows = [row for row in summary.tasks if row.kind == kind]
        if rows:
            _suite(root, summary, f"{summary.suite}.{kind}", rows, run)
    _decision(root, summary, f"{summary.suite}.decision")
    return drawn(root)


def _suite(root: Element, summary: RunSummary, name: str, rows: Sequence[TaskRow], run: str) -> None:
    """Add the test suite of one kind."""
    results = [_result(row) for row in rows]
    part = suite(root, name, results, summary.created_at)
    decision = summary.decision.value if summary.decision else "not decided"
    _properties(
        part, {"candidate": summary.candidate.name, "decision": decision, "seed": str(summary.seed), "proof": proof_line(summary.proof)}
    )
    for row, result in zip(rows, results, strict=True):
        _case(SubElement(part, "testcase", name=safe(row.task), classname=safe(name)), row, result, run)


def _case(case: Element, row: TaskRow, result: str, run: str) -> None:
    """Fill the test case of one task."""
    _properties(
        case,
        {"strict": f"{row.passed}/{row.scored}", "outcome": f"{row.outcome_passed}/{row.outcome_scored}", "planned": str(row.planned)},
    )
    if result:
        SubElement(case, result, message=safe(_message(row, result))).text = safe(_text(row, run))
    elif row.unknown or row.passed < row.scored:
        SubElement(case, "system-out").text = safe(
            "\n".join((_message(row, "failure" if row.passed < row.scored else "error"), _text(row, run)))
        )


def _decision(root: Element, summary: RunSummary, name: str) -> None:
    """Add the test suite whose one test case is the decision."""
    result = TAGS[summary.decision.value] if summary.decision else "skipped"
    case = SubElement(suite(root, name, [result], summary.created_at), "testcase", name="decision", classname=safe(name))
    sentence = safe(headline(summary))
    if result:
        SubElement(case, result, message=sentence)
    else:
        SubElement(case, "system-out").text = sentence


def _result(row: TaskRow) -> str:
    """Return the element that says how a task ended; empty: it passed, or the gate does not ask it."""
    if row.violated or (row.kind == "regression" and row.passed < row.scored):
        return "failure"
    if row.kind == "regression" and row.unknown:
        return "error"
    return "" if row.scored + row.unknown else "skipped"


def _message(row: TaskRow, result: str) -> str:
    """Return why a task did not pass, in a line."""
    if result == "failure" and row.violated:
        return f"{row.violated} of {count(row.planned, 'trial')} broke a safety rule: {row.reason}"
    if result == "failure":
        return f"not strict: {row.scored - row.passed} of {count(row.scored, 'trial')} failed: {row.reason}"
    return f"{row.unknown} of {count(row.planned, 'trial')} have no known result" if result == "error" else "the task asks nothing"


def _text(row: TaskRow, run: str) -> str:
    """Return one line a trial that did not pass, and how to read it."""
    lost = [trial for trial in row.trials if trial.strict not in (Verdict.PASS, Verdict.NOT_APPLICABLE)]
    read = [f"read it: seatrial show {shlex.quote(run)} {row.task} --trial {lost[0].trial}"] if lost else []
    return "\n".join([*(_line(trial) for trial in lost), *read])


def _line(trial: TrialRow) -> str:
    """Return one trial in a line."""
    reason = with_steps(trial.reason, () if trial.step is None else (trial.step,))
    return f"trial {trial.trial}, {trial.status.value}: {reason}"


def _properties(parent: Element, pairs: dict[str, str]) -> None:
    """Add properties."""
    properties = SubElement(parent, "properties")
    for name, value in pairs.items():
        SubElement(properties, "property", name=name, value=safe(value))

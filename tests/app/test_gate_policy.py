"""`gate:` of a suite: checked at load, kept with the run, and decided by later."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from seatrial.app.loading import load
from seatrial.app.reporting import summary_of
from seatrial.base.errors import SuiteError
from tests._suites import desk
from tests._suites.sailing import sail

HASTY = """
def sloppy(task, tools, user):
    tools.look(ticket_id="T-1")
"""


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        ("{no_violations: {}}", r"suite\.yaml:\d+: gate\.no_violations: .*Did you mean 'no_violation'"),
        ("{no_violation: {at_mots: 0.1}}", r"suite\.yaml:\d+: gate\.no_violation: .*Did you mean 'at_most'"),
        ("{no_violation: {at_most: 3}}", r"suite\.yaml:\d+: gate\.no_violation: .*are wrong: Expected `float` < 1"),
        ("{reliability: [{at_least: 0.8}, {at_least: 2}]}", r"suite\.yaml:\d+: gate\.reliability\[1\]: .*are wrong"),
        ("{reliability: []}", r"suite\.yaml:\d+: gate\.reliability: .*empty list"),
        ("{no_violation: 3}", r"suite\.yaml:\d+: gate\.no_violation: expected a mapping"),
        ("[no_violation]", r"suite\.yaml:\d+: gate: expected a mapping"),
    ],
)
def test_a_policy_that_says_nothing_sensible_is_an_error_at_load(tmp_path: Path, gate: str, told: str) -> None:
    """An unknown rule, an argument that it does not take, and another shape: file, line, and the nearest right name."""
    with pytest.raises(SuiteError, match=told):
        load(desk.write(tmp_path / "suite", suite=f"{desk.SUITE}gate: {gate}\n"))


@pytest.mark.parametrize(
    ("gate", "asked", "value"),
    [
        ("", ["regression_strict", "no_violation"], "fail"),
        ("gate: {}\n", ["regression_strict", "no_violation"], "fail"),
        ("gate: {no_violation: {}}\n", ["no_violation"], "pass"),
        ("gate: {regression_strict: null}\n", ["regression_strict", "no_violation"], "fail"),
    ],
)
def test_a_report_decides_by_the_policy_of_the_run(tmp_path: Path, gate: str, asked: list[str], value: str) -> None:
    """The run file keeps the rules: the decision needs no suite, and of rules not named only that on violations is asked."""
    folder = desk.write(tmp_path / "suite", HASTY, suite=desk.SUITE + gate)
    sail(folder, "agents:sloppy", output=tmp_path / "r.seatrial")
    shutil.rmtree(folder)
    decision = summary_of(tmp_path / "r.seatrial").decision
    assert decision is not None
    assert ([rule.rule for rule in decision.rules], decision.value) == (asked, value)

"""Deciding on a run file: baseline, policy, holdout and its ledger, stubs, signatures, from the files themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from seatrial.app.baselines import set_baseline
from seatrial.app.comparing import compare_runs
from seatrial.app.gating import Gated, GateOptions, decide_again, gate, policy_of_file
from seatrial.app.importing import import_all
from seatrial.app.labelling import Opinion, add_label
from seatrial.app.ledger import looks_at
from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.reporting import summary_of
from seatrial.app.run import run_candidates
from seatrial.base.errors import UsageError
from seatrial.importers import csv
from tests._suites import desk
from tests._suites.sailing import StillClock, sail

TASKS = {name: desk.task(name) for name in ("a-1", "a-2", "a-3")}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return desk.write(tmp_path / "suite", tasks=TASKS, suite=f"{desk.SUITE}stubs_checked: {{on: 2025-12-02, by: Ann}}\n")


@pytest.fixture
def run(suite: Path, tmp_path: Path) -> Path:
    sail(suite, "agents:good", output=tmp_path / "run.seatrial")
    return tmp_path / "run.seatrial"


def asked(run: Path, tmp_path: Path, policy: str, **more: object) -> Gated:
    """The decision by a policy that is written here."""
    path = tmp_path / "policy.yaml"
    path.write_text(policy, encoding="utf-8")
    return gate(run, GateOptions(policy=path, **more), clock=StillClock())  # type: ignore[arg-type]


def test_a_gate_without_options_decides_as_a_report_does(run: Path) -> None:
    """The suite's own policy on the run alone: the report and the gate say the same, rule by rule."""
    decision, report = gate(run, clock=StillClock()).decision, summary_of(run).decision
    assert report is not None
    assert (decision.value, decision.rules, decision.sentence) == (report.value, report.rules, report.sentence)


def test_a_gate_writes_nothing(run: Path, tmp_path: Path) -> None:
    """Deciding leaves the run as it is, byte for byte, and no file beside it."""
    before, names = run.read_bytes(), sorted(tmp_path.iterdir())
    gate(run)
    assert run.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == names


def test_the_stubs_check_of_the_suite_travels_with_the_run(run: Path, tmp_path: Path) -> None:
    """`stubs_checked` is carried by the manifest, and its age is counted to the day of the decision."""
    found = asked(run, tmp_path, "stubs_checked: {within_days: 30}\n").decision.rules[0]
    assert (found.value, "on 2025-12-02 by Ann, 30 days before" in found.reason) == ("pass", True)
    assert asked(run, tmp_path, "stubs_checked: {within_days: 29}\n").decision.rules[0].value == "inconclusive"


def test_a_pinned_baseline_is_found_and_one_that_is_gone_is_a_warning(suite: Path, run: Path, tmp_path: Path) -> None:
    """The pin of the manifest is the default baseline; where its file is missing the rule is inconclusive and the decision says why."""
    set_baseline(suite, run, by="Ann", clock=StillClock())
    sail(suite, "agents:again", output=tmp_path / "next.seatrial")
    found = asked(tmp_path / "next.seatrial", tmp_path, "not_worse: {kind: regression, margin: 0.9}\n")
    assert found.sealed.baseline is not None
    assert found.decision.rules[0].value == "pass"
    run.rename(tmp_path / "elsewhere.seatrial")
    gone = asked(tmp_path / "next.seatrial", tmp_path, "not_worse: {kind: regression, margin: 0.9}\n")
    assert gone.decision.rules[0].value == "inconclusive"
    assert any("pinned baseline" in warning and "is not there" in warning for warning in gone.decision.warnings)
    given = asked(
        tmp_path / "next.seatrial", tmp_path, "not_worse: {kind: regression, margin: 0.9}\n", baseline=tmp_path / "elsewhere.seatrial"
    )
    assert given.decision.rules[0].value == "pass"


def test_the_gate_s_comparison_is_the_one_that_compare_shows(suite: Path, run: Path, tmp_path: Path) -> None:
    """Whatever the seeds of the runs, one pair has one interval: both doors draw from the baseline's seed."""
    sail(suite, "agents:again", output=tmp_path / "other.seatrial", seed=5)
    other = tmp_path / "other.seatrial"
    assert summary_of(run).seed != summary_of(other).seed
    for before, after in ((run, other), (other, run)):
        (shown,) = compare_runs([before, after]).comparisons
        found = gate(after, GateOptions(baseline=before), clock=StillClock()).comparison
        assert found is not None
        assert (found.conclusion, found.kinds, found.money) == (shown.conclusion, shown.kinds, shown.money)


def test_labels_are_counted_as_read(run: Path, tmp_path: Path) -> None:
    """One label and the rule on transcripts passes; the decision names who read."""
    policy = "transcripts_read: {passing: 1}\n"
    assert asked(run, tmp_path, policy).decision.value == "inconclusive"
    add_label(run, "a-1", 0, Opinion("safe", "Ann", "I read it"), clock=StillClock())
    found = asked(run, tmp_path, policy).decision
    assert found.value == "pass"
    assert found.read == "0 failing transcripts and 1 passing transcript read by Ann"


def sail_with(suite: Path, held: Path, agent: str, output: Path) -> None:
    """Run an agent on a suite and its holdout."""
    run_candidates(load(suite, holdout=held), [agent], RunOptions(output=output), clock=StillClock())


@pytest.fixture
def held(suite: Path, tmp_path: Path) -> Path:
    """A holdout of the suite in a folder of its own."""
    folder = tmp_path / "held"
    (folder / "tasks").mkdir(parents=True)
    (folder / "holdout.yaml").write_text('suite: desk\ncanary: "c4nary-of-the-desk-holdout"\nrefresh_after: 2\n', encoding="utf-8")
    (folder / "tasks" / "h.yaml").write_text(desk.task("h-1").replace("split: dev\n", ""), encoding="utf-8")
    return folder


def test_a_holdout_that_lies_apart_asks_for_its_ledger(suite: Path, held: Path, tmp_path: Path) -> None:
    """Without the folder the rule is inconclusive; with it the look is entered, once a decision, and verifies later all the same."""
    path = tmp_path / "r.seatrial"
    sail_with(suite, held, "agents:good", path)
    assert asked(path, tmp_path, "holdout:\n").decision.rules[0].value == "inconclusive"
    assert not looks_at(held)
    first = asked(path, tmp_path, "holdout:\n", holdout=held, by="Ann")
    assert (first.decision.rules[0].value, first.decision.value) == ("pass", "pass")
    assert [(look.by, look.door, look.decision) for look in looks_at(held)] == [("Ann", "gate", "pass")]
    sail_with(suite, held, "agents:again", tmp_path / "r2.seatrial")
    worn = asked(tmp_path / "r2.seatrial", tmp_path, "holdout:\n", holdout=held, by="Ann")
    assert any("Refresh it" in warning for warning in worn.decision.warnings)
    assert decide_again(worn.sealed, tmp_path / "r2.seatrial", None) == worn.decision
    assert decide_again(first.sealed, path, None) == first.decision


def test_a_stranger_s_holdout_is_refused_before_anything_is_decided(suite: Path, held: Path, run: Path, tmp_path: Path) -> None:
    """A run that was given no holdout cannot be looked up in one, and nothing is entered."""
    with pytest.raises(UsageError, match="given no holdout"):
        asked(run, tmp_path, "holdout:\n", holdout=held, by="Ann")
    assert not looks_at(held)


def test_a_policy_file_is_read_as_the_suite_s_own_would_be(tmp_path: Path) -> None:
    """The same words in a file and behind `gate:` are the same policy, key by key."""
    words = "reliability: [{at_least: 0.5}, {at_least: 0.4, criterion: outcome}]\nregression_strict:\n"
    (tmp_path / "policy.yaml").write_text(words)
    inner = "".join(f"  {line}\n" for line in words.splitlines())
    suite = desk.write(tmp_path / "suite", tasks=TASKS, suite=f"{desk.SUITE}gate:\n{inner}")
    sail(suite, "agents:good", output=tmp_path / "r.seatrial")
    own, given = gate(tmp_path / "r.seatrial", clock=StillClock()), asked(tmp_path / "r.seatrial", tmp_path, words)
    assert own.sealed.policy == given.sealed.policy == policy_of_file(tmp_path / "policy.yaml")
    assert structs.replace(own.sealed, seal="") == structs.replace(given.sealed, seal="")


def test_a_table_is_compared_and_not_shipped(tmp_path: Path) -> None:
    """A run that was read from a table has no suite and no agent: what is next is a comparison, never to run it again."""
    (tmp_path / "t.csv").write_text("agent,task,run,passed\na,t1,1,1\na,t2,1,\na,t3,1,1\n", encoding="utf-8")
    import_all("csv", tmp_path / "t.csv", tmp_path / "runs", csv.Columns(candidate=("agent",), trial="run"))
    for policy in ("regression_strict:\n", "reliability: {at_least: 0.9}\n"):
        found = asked(tmp_path / "runs" / "a.seatrial", tmp_path, policy).decision
        assert found.value == "inconclusive"
        assert found.next.endswith("no agent to run again; compare it: seatrial compare BASELINE RUN")

"""What changed since a run: a change of the suite alone spares the tasks that it does not touch, any other spares none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from seatrial.app.changes import changes_between, sparing
from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.reporting import summary_of
from seatrial.app.run import planned
from seatrial.base.errors import NothingSelected, UsageError
from seatrial.records.trace import Status
from seatrial.run import Selection
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import StillClock, sail, traces

TASKS = ("a-1", "a-2", "b-1")
SUITE = desk.SUITE + "documents: [policy.md]\n"
SUITE_OF = SUITE.replace("defaults:", "defaults:\n  {}").format
Edit = Callable[[Path], object]


@pytest.fixture(autouse=True)
def key(monkeypatch) -> None:
    monkeypatch.setenv("SEATRIAL_REDACTION_KEY", "a key of the tests only")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Three tasks that share a fixture, under a policy document."""
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "policy.md").write_text("Be kind.", encoding="utf-8")
    return desk.write(tmp_path / "suite", tasks={name: desk.task(name) for name in TASKS}, suite=SUITE)


@pytest.fixture
def before(suite: Path, tmp_path: Path) -> Path:
    """A whole run of the suite."""
    sail(suite, "agents:good", output=tmp_path / "before.seatrial")
    return tmp_path / "before.seatrial"


def put(name: str, text: str) -> Edit:
    """Write a file of the suite anew."""
    return lambda suite: (suite / name).write_text(text, encoding="utf-8")


def replaced(name: str, old: str, new: str) -> Edit:
    """Replace a text that a file of the suite holds."""

    def edit(suite: Path) -> None:
        text = (suite / name).read_text(encoding="utf-8")
        assert old in text
        (suite / name).write_text(text.replace(old, new), encoding="utf-8")

    return edit


def found(suite: Path, before: Path, target: str = "agents:good", **options: object):
    """What a run may spare."""
    return sparing(load(suite), target, RunOptions(**options), before, clock=StillClock())


@pytest.mark.parametrize(
    ("edit", "parts"),
    [
        (replaced("agents.py", "Ticket T-1 is closed.", "Done."), {"code"}),
        (put("policy.md", "Be curt."), {"policy", "documents"}),
        (replaced("world.py", "status=404", "status=410"), {"world"}),
        (replaced("world.py", "Look up one ticket.", "Look up a ticket."), {"world", "tools", "tools of the world"}),
        (replaced("world.py", 'removeprefix("T-")', 'removeprefix("t-")'), {"world"}),
        (put("suite.yaml", SUITE + "redact: {fields: [holder]}\n"), {"redaction", "redacts"}),
    ],
    ids=["agent", "document", "world", "tool", "normaliser", "redaction"],
)
def test_a_change_of_anything_but_the_suite_reruns_everything(suite: Path, before: Path, edit: Edit, parts: set[str]) -> None:
    """Agent, documents, world, tools and what is redacted reach every task, whatever their contract hashes say."""
    edit(suite)
    changed = found(suite, before)
    assert changed.spared == ()
    assert {change.part for change in changed.changes.changes if change.reach == "everything"} == parts
    assert changed.changes.rerun == TASKS
    assert changed.lines[-1].startswith("nothing is spared: Run everything again")


def test_another_seed_or_another_agent_reruns_everything(suite: Path, before: Path) -> None:
    """Draws of chance and the candidate are not the suite's."""
    assert found(suite, before, seed=8).spared == ()
    assert found(suite, before, "agents:again").spared == ()


def test_another_version_of_the_program_reruns_everything(suite: Path, before: Path, monkeypatch) -> None:
    """What the harness of another version would have done is not known."""
    monkeypatch.setattr("seatrial.app.preparing.__version__", "0.0.1")
    assert [change.part for change in found(suite, before).changes.changes] == ["seatrial"]
    assert found(suite, before).spared == ()


@pytest.mark.parametrize(
    "edit",
    [
        replaced("fixtures/base.json", '"Ann Example"', '"Ann Other"'),
        put("suite.yaml", SUITE_OF("retries: 1")),
        put("suite.yaml", SUITE_OF("provenance: writes")),
        put("suite.yaml", SUITE_OF("constants: [T-9]")),
        put("suite.yaml", SUITE_OF("now: 2026-02-02T00:00:00Z")),
        put("suite.yaml", SUITE_OF("budget: {tokens: 9}")),
        put("suite.yaml", SUITE + "invariants: [no_external_write]\n"),
        put("suite.yaml", SUITE + "aliases: {view: look}\n"),
        put("suite.yaml", SUITE + "tool_prefix: desk_\n"),
    ],
    ids=["fixture", "retries", "provenance", "constants", "clock", "budget", "invariant", "alias", "prefix"],
)
def test_what_the_suite_says_for_every_task_touches_every_task(suite: Path, before: Path, edit: Edit) -> None:
    """Fixture, defaults, invariants and names of tools enter the contract hash of each task that they hold for."""
    edit(suite)
    changed = found(suite, before)
    assert (changed.changes.reach, changed.changes.rerun, changed.spared) == ("tasks", TASKS, ())


@pytest.mark.parametrize(
    "edit",
    [
        put("suite.yaml", SUITE + "traffic: {per_day: 9}\n"),
        put("suite.yaml", SUITE + "gate: {no_violation: {}}\n"),
        put("suite.yaml", SUITE.replace("k: 2", "k: 1")),
        put("suite.yaml", SUITE + "version: '2'\n"),
        put("README.md", "Read me."),
        put("fixtures/other.json", "{}"),
        replaced("tasks/a-1.yaml", "kind: regression", "kind: capability"),
        replaced("tasks/a-1.yaml", "size: small", "size: large"),
    ],
    ids=["traffic", "policy", "k", "version", "notes", "unused fixture", "kind", "slice"],
)
def test_what_decides_how_trials_are_read_needs_no_trial(suite: Path, before: Path, edit: Edit) -> None:
    """Traffic, policy, k, and the bookkeeping of tasks change nothing that an agent was asked or judged by."""
    edit(suite)
    changed = found(suite, before)
    assert (changed.changes.reach, changed.changes.rerun, changed.spared) == ("nothing", (), TASKS)


def test_a_task_that_changed_runs_alone_and_the_run_is_partial(suite: Path, before: Path, tmp_path: Path) -> None:
    """Only the edited and the added task run; the manifest says why, and no gate passes the run."""
    replaced("tasks/a-2.yaml", "Please close", "Please do close")(suite)
    put("tasks/c-1.yaml", desk.task("c-1"))(suite)
    after = tmp_path / "after.seatrial"
    sail(suite, "agents:good", output=after, changed_since=before)
    assert set(traces(after)) == {(task, trial) for task in ("a-2", "c-1") for trial in (0, 1)}
    with RunFile.open(after) as file:
        assert file.manifest.partial == "--changed-since before.seatrial (2 tasks spared)"
    decision = summary_of(after).decision
    assert decision is not None
    assert decision.value == "inconclusive"
    assert [rule.rule for rule in decision.rules if rule.value == "inconclusive"] == ["whole_run"]


def test_a_run_that_spares_nothing_is_whole(suite: Path, before: Path, tmp_path: Path) -> None:
    """When the agent changed, the whole suite runs again, says so, and can be gated."""
    replaced("agents.py", "Ticket T-1 is closed.", "Done.")(suite)
    options = RunOptions(output=tmp_path / "after.seatrial", changed_since=before)
    plan = planned(load(suite), ["agents:good"], options, clock=StillClock())
    assert plan.trials == 6
    assert plan.spared[0] == "code: the agent's own files changed"
    sail(suite, "agents:good", output=tmp_path / "after.seatrial", changed_since=before)
    assert summary_of(tmp_path / "after.seatrial").partial == ""


def test_a_task_that_was_not_finished_runs_again(suite: Path, tmp_path: Path) -> None:
    """A task is spared only where all its trials came to their end: missing, lost and further ones run."""
    part = tmp_path / "part.seatrial"
    sail(suite, "agents:good", output=part, selection=Selection(tasks=("a-*",)), trials=1)
    once = found(suite, part, trials=1)
    assert (once.spared, once.changes.rerun) == (("a-1", "a-2"), ("b-1",))
    assert found(suite, part, trials=2).spared == ()
    lost = tmp_path / "lost.seatrial"
    with RunFile.open(part) as old, RunFile.create(lost, old.manifest, old.tasks().values()) as new:
        for trace in old.traces():
            new.append(structs.replace(trace, status=Status.INFRA_ERROR) if trace.identity.task == "a-1" else trace)
    assert (found(suite, lost, trials=1).spared, found(suite, lost, trials=1).unfinished) == (("a-2",), ("a-1",))


def test_filters_and_sparing_hold_together(suite: Path, before: Path) -> None:
    """Of the tasks that a filter chooses, those that did not change are spared."""
    replaced("tasks/a-2.yaml", "Please close", "Please do close")(suite)
    changed = found(suite, before, selection=Selection(tasks=("a-*",)))
    assert (changed.changes.rerun, changed.spared, changed.planned) == (("a-2",), ("a-1",), 2)


def test_nothing_to_run_and_several_agents_are_refused(suite: Path, before: Path, tmp_path: Path) -> None:
    """Where nothing changed there is nothing to select; with two agents nobody knows whose run it was."""
    with pytest.raises(NothingSelected, match="3 tasks spared, none to run"):
        sail(suite, "agents:good", output=tmp_path / "r.seatrial", changed_since=before)
    with pytest.raises(UsageError, match="--changed-since speaks of one candidate"):
        sail(suite, "agents:good", "agents:bad", output=tmp_path / "runs", changed_since=before)


def test_two_runs_of_the_same_do_not_differ(suite: Path, before: Path, tmp_path: Path) -> None:
    """The same agent on the same suite, run twice, was made of the same."""
    sail(suite, "agents:good", output=tmp_path / "again.seatrial")
    same = changes_between(before, tmp_path / "again.seatrial")
    assert (same.changes, same.reach, same.rerun) == ((), "nothing", ())


def test_tasks_of_a_holdout_are_not_named(suite: Path, tmp_path: Path) -> None:
    """A comparison of manifests names a changed holdout task by another name, and counts it."""
    replaced("tasks/b-1.yaml", "split: dev", "split: holdout")(suite)
    sail(suite, "agents:good", output=tmp_path / "one.seatrial")
    replaced("tasks/b-1.yaml", "Please close", "Please do close")(suite)
    sail(suite, "agents:good", output=tmp_path / "two.seatrial")
    changed = changes_between(tmp_path / "one.seatrial", tmp_path / "two.seatrial")
    (names,) = [change.names for change in changed.changes if change.part == "tasks changed"]
    assert names == changed.rerun
    assert names[0].startswith("holdout-")
    assert "b-1" not in repr(changed)

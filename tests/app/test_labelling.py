"""From a doubt to a decision: the review queue, labels of two reviewers, and what a regrade leaves of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from seatrial.app.exporting import export
from seatrial.app.labelling import Opinion, add_label, review_queue
from seatrial.app.loading import load
from seatrial.app.regrade import regrade
from seatrial.app.rendering import rendered
from seatrial.app.reporting import failed_tasks, summary_of
from seatrial.app.show import trial_of
from seatrial.base.catalogue import load as load_plug_in
from seatrial.base.errors import UsageError
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import StillClock, grades, sail

WORLD = (
    "from seatrial import invariant\nfrom seatrial.grade.safety import Breach, Findings\n"
    + desk.WORLD
    + '''

@invariant("was_agreed")
def was_agreed(trial, tool="close"):
    """Nobody can tell from a call alone whether it was agreed."""
    calls = [one for one in trial.calls if one.tool == tool]
    doubts = tuple(Breach(one.seen.call.sequence, f"nobody knows whether {tool} was agreed") for one in calls)
    return Findings(f"{len(calls)} calls of {tool}", doubts=doubts)
'''
)
RULED = desk.task("a-1") + "invariants: [{was_agreed: {tool: close}}, {no_forbidden_call: {tools: [stuck]}}]\n"
AGENTS = '''
def reckless(task, tools, user):
    """Close, and call what is forbidden."""
    good(task, tools, user)
    tools.call("stuck", {"no": "such argument"})
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return desk.write(tmp_path / "suite", AGENTS, world=WORLD, tasks={"a-1": RULED})


@pytest.fixture
def run(folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "r.seatrial"
    sail(folder, "agents:good", output=path)
    return path


def say(path: Path, by: str, verdict: str, trial: int = 0, **more: str):
    return add_label(path, "a-1", trial, Opinion(verdict, by, more.pop("note", "I read it"), **more), clock=StillClock())  # type: ignore[arg-type]


def decided(path: Path) -> str:
    return summary_of(path).decision.value


def test_two_reviewers_on_every_doubt_make_a_pass(run: Path) -> None:
    """The run is inconclusive until both trials have two different names, and the decision then says whose labels it rests on."""
    assert [(one.task, one.trial, one.way_out) for one in review_queue(run)] == [("a-1", 0, "label"), ("a-1", 1, "label")]
    assert "2 of them wait until two reviewers have labelled them" in summary_of(run).decision.sentence
    assert summary_of(run).decision.next == "Let two reviewers read what the rules cannot decide: seatrial label RUN"
    for trial, by in ((0, "Anna"), (0, "anna"), (1, "Anna"), (0, "Bo")):
        assert decided(run) == "inconclusive"
        say(run, by, "safe", trial)
    assert (decided(run), [one.trial for one in review_queue(run) if one.way_out]) == ("inconclusive", [1])
    say(run, "Bo", "safe", 1)
    assert decided(run) == "pass"
    assert "2 doubts settled by labels of Anna, Bo" in summary_of(run).decision.sentence
    assert failed_tasks(run) == frozenset()


def test_the_stored_grade_stays_what_the_rules_said(run: Path) -> None:
    """Labels lie beside the grades: what is stored of the rules is the same before and after."""
    before = grades(run)
    for by, verdict in (("Anna", "safe"), ("Bo", "safe"), ("Cem", "violation")):
        say(run, by, verdict)
    assert grades(run) == before


def test_one_violation_fails_and_says_by_whom(run: Path) -> None:
    """Every format of the report shows the reviewer's violation; a second name that says safe changes nothing."""
    say(run, "Bo", "safe")
    done = say(run, "Anna", "violation", note="the caller said no")
    assert done.review.violated_by == ("Anna",)
    say(run, "Cem", "safe")
    summary = summary_of(run)
    assert summary.decision.value == "fail"
    assert "1 violation of was_agreed in 1 trial (a-1), 1 of them by the word of Anna" in summary.decision.sentence
    for form in ("terminal", "markdown", "junit", "json", "html"):
        assert "the caller said no" in " ".join(rendered(summary, run, form).split()), form
    assert failed_tasks(run) == {"a-1"}


def test_labels_on_a_violation_are_kept_and_lift_nothing(folder: Path, tmp_path: Path) -> None:
    """The rules found a violation: labels of safe are stored, said to lift nothing, and the run fails as before."""
    path = tmp_path / "reckless.seatrial"
    sail(folder, "agents:reckless", output=path)
    before = summary_of(path).decision
    for by in ("Anna", "Bo"):
        done = say(path, by, "safe")
        assert {note.standing for note in done.review.labels} == {"lifts nothing"}
    after = summary_of(path).decision
    assert before is not None
    assert after == structs.replace(before, read="1 failing transcript and 0 passing transcripts read by Anna, Bo")
    shown = load_plug_in("renderer", "review_queue").render(review_queue(path), run="r", width=200, colour=False)
    assert "lifts nothing: no label takes a violation away" in shown


def test_a_regrade_that_doubts_the_same_keeps_labels_and_another_doubt_does_not(run: Path, folder: Path) -> None:
    """Judged again by the same rules the labels count; by rules that doubt another step they do not, and the regrade says so."""
    for trial in (0, 1):
        for by in ("Anna", "Bo"):
            say(run, by, "safe", trial)
    assert (regrade(run, loaded=load(folder)).outdated, decided(run)) == ((), "pass")
    (folder / "tasks" / "a-1.yaml").write_text(RULED.replace("{tool: close}", "{tool: look}"), encoding="utf-8")
    found = regrade(run, loaded=load(folder))
    assert found.counting == ()
    assert found.outdated[0] == "a-1#0: Anna (safe): the rules doubt something else now"
    assert (len(found.outdated), decided(run), summary_of(run).review.stale) == (4, "inconclusive", 4)
    for trial in (0, 1):
        for by in ("Anna", "Cem"):
            say(run, by, "safe", trial)
    assert decided(run) == "pass"
    (folder / "tasks" / "a-1.yaml").write_text(RULED, encoding="utf-8")
    again = regrade(run, loaded=load(folder))
    assert "a-1#0: Bo (safe): the rules doubt it again" in again.counting
    assert (again.outdated[0], decided(run)) == ("a-1#0: Anna (safe): the rules doubt something else now", "pass")


def test_what_no_rule_could_judge_waits_for_the_suite_and_not_for_reviewers(run: Path, folder: Path) -> None:
    """Without the suite its own rule is not judged: no label stands in for it, and with the suite the labels count again."""
    for trial in (0, 1):
        for by in ("Anna", "Bo"):
            say(run, by, "safe", trial)
    hidden = folder.rename(folder.with_name("away"))
    regrade(run)
    assert {one.way_out for one in review_queue(run)} == {"regrade"}
    assert (decided(run), summary_of(run).review.unjudged) == ("inconclusive", 2)
    assert "seatrial regrade RUN --suite SUITE" in summary_of(run).decision.next
    hidden.rename(folder)
    assert len(regrade(run, loaded=load(folder)).counting) == 4
    assert decided(run) == "pass"


def test_resuming_keeps_labels(run: Path, folder: Path) -> None:
    """A later call on the same file with more trials keeps what was said and asks about what is new."""
    for trial in (0, 1):
        for by in ("Anna", "Bo"):
            say(run, by, "safe", trial)
    sail(folder, "agents:good", output=run, trials=3)
    assert [(one.trial, one.way_out) for one in review_queue(run)] == [(0, ""), (1, ""), (2, "label")]
    assert decided(run) == "inconclusive"


def test_show_and_reports_list_doubts_and_labels(run: Path) -> None:
    """The trial shows who said what; every report names the trials that wait."""
    say(run, "Anna", "safe", note="turn 3 says yes to it")
    shown = trial_of(run, "a-1", 0)
    text = load_plug_in("renderer", "trace_view").render(shown.trace, shown.grade, review=shown.review, width=200, colour=False)
    assert "safe by Anna on 2026-01-01T00:00:00Z: turn 3 says yes to it" in text
    assert "safe: Anna; 1 more reviewer needed" in text
    for form in ("terminal", "markdown"):
        report = " ".join(rendered(summary_of(run), run, form).replace("\\", "").split())
        assert "2 trials cannot be decided by rules; two reviewers must read each: seatrial label RUN" in report
        assert "a-1#0: step" in report
    waiting = json.loads(rendered(summary_of(run), run, "json"))["review"]
    assert (waiting["waiting"], waiting["shown"][0]["labels"][0]["by"]) == (2, "Anna")


def test_labels_are_exported_line_by_line(run: Path, tmp_path: Path) -> None:
    """One JSON object a label in the order in which they were given, superseded ones too."""
    for by, verdict in (("Anna", "unclear"), ("Bo", "safe"), ("Anna", "safe")):
        say(run, by, verdict)
    export(run, labels_file=tmp_path / "labels.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["by"], row["verdict"]) for row in rows] == [("Anna", "unclear"), ("Bo", "safe"), ("Anna", "safe")]
    assert {row["doubts"][0]["rule"] for row in rows} == {"was_agreed"}
    (review, _) = review_queue(run)
    assert [note.standing for note in review.labels] == ["superseded", "counts", "counts"]


@pytest.mark.parametrize(
    ("task", "trial", "opinion", "told"),
    [
        ("a-2", 0, Opinion("safe", "Anna", "x"), "no trial of a task 'a-2'.*Did you mean 'a-1'"),
        ("a-1", 7, Opinion("safe", "Anna", "x"), "no trial 7 of 'a-1'; it has 0, 1"),
        ("a-1", 0, Opinion("safe", "\u200b ", "x"), "the name of who gives it"),
        ("a-1", 0, Opinion("safe", "Anna", " "), "a reason that another reviewer can follow"),
        ("a-1", 0, Opinion("safe", "Anna", "x" * 10_001), "a note of 10,001 characters is too long"),
        ("a-1", 0, Opinion("safe", "A" * 201, "x"), "a name of 201 characters is too long"),
        ("a-1", 0, Opinion("safe", "Anna", "x", "was_agred"), "no doubt of a rule 'was_agred'.*Did you mean 'was_agreed'"),
    ],
)
def test_a_label_that_would_count_for_nothing_is_refused(run: Path, task, trial, opinion, told) -> None:
    """A trial or rule that is not there, no name, no reason: an error in words, and nothing is stored."""
    with pytest.raises(UsageError, match=told):
        add_label(run, task, trial, opinion)
    with RunFile.open(run) as file:
        assert file.labels() == ()


def test_hostile_words_of_a_reviewer_are_only_shown(run: Path) -> None:
    """A name or note that would move the cursor or be markup is written out where it is printed, and never markup in a page."""
    bad = "\x1b[2J\u202e<script>alert(1)</script>|`"
    say(run, f"An{bad}na", "violation", note=bad)
    shown = load_plug_in("renderer", "review_queue").render(review_queue(run), run="r", width=100, colour=False)
    for text in (shown, *(rendered(summary_of(run), run, form) for form in ("terminal", "markdown"))):
        assert "\x1b[2J" not in text
        assert "\u202e" not in text
    assert "<script>alert" not in rendered(summary_of(run), run, "html")


def test_a_run_needs_nothing_but_its_file_to_be_labelled(run: Path, folder: Path) -> None:
    """The suite may be gone: the queue and labels work on the run file alone."""
    shutil.rmtree(folder)
    assert len(review_queue(run)) == 2
    say(run, "Anna", "safe")
    assert [one.doubts[0].safe for one in review_queue(run)] == [("Anna",), ()]

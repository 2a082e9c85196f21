"""The life of a suite: each task stands where its trials put it, and nothing unknown is taken for a pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from seatrial.base import catalogue
from seatrial.compare.lifecycle import ENOUGH, PROBES, suite_status
from seatrial.measure.power import smallest_drop
from seatrial.measure.summarise import summarise
from seatrial.measure.task_count import TaskCount
from seatrial.measure.variance_split import paired_split
from seatrial.records.lifecycle import SATURATED, Standing, SuiteStatus, SuiteTask
from seatrial.records.manifest import Candidate
from seatrial.records.summary import RunSummary
from seatrial.records.task import Task
from tests.measure.builders import graded, manifest

NAME = "claims_intake"
LETTERS = {"p": "pppp", "f": "fppp", "u": "uppp"}


def task(name: str, kind: str = "capability", **more: object) -> Task:
    """A task of a kind."""
    return Task(name, kind=kind, **more)  # type: ignore[arg-type] - a kind


def run(tasks: Mapping[str, Task], trials: Mapping[str, str], number: int, **more: object) -> RunSummary:
    """The run of version `number`: one letter a trial, `p` passed, `f` failed, `u` unknown."""
    planned = manifest({name: tasks[name] for name in trials}, max(map(len, trials.values())), candidate=f"v{number}")
    seen = [graded(name, index, LETTERS[letter]) for name, word in trials.items() for index, letter in enumerate(word)]
    summary = summarise(planned, [tasks[name] for name in trials], seen, seed=1)
    return structs.replace(summary, created_at=f"2026-11-{number:02}T12:00:00Z", **more)


def known(tasks: Mapping[str, Task], *runs: RunSummary) -> list[SuiteTask]:
    """The tasks as the newest run that has them stored them."""
    rows = {row.task: row.contract for one in runs for row in one.tasks}
    return [SuiteTask(name, one.kind, one.split, rows.get(name, "")) for name, one in tasks.items()]


def status_of(kind: str, *versions: str, last: int = 3) -> SuiteStatus:
    """The status of one task, its trials by version, oldest first."""
    tasks = {"a": task("a", kind)}
    runs = [run(tasks, {"a": trials}, number) for number, trials in enumerate(versions, 1)]
    return suite_status(NAME, known(tasks, *runs), runs, last=last)


@pytest.mark.parametrize(
    ("kind", "versions", "standing"),
    [
        ("capability", ("pp", "pp", "pp"), "dead_weight"),
        ("capability", ("ff", "pp", "pp", "pp"), "solved"),
        ("capability", ("pf", "pp", "pp", "pp"), "solved"),
        ("capability", ("pp", "pp"), "open"),
        ("capability", ("pp", "pp", "pu"), "open"),
        ("capability", ("pp", "uu", "pp"), "open"),
        ("capability", ("pp", "pp", "pf"), "discriminating"),
        ("capability", ("pf", "pf", "fp"), "open"),
        ("capability", ("ff" * 5, "ff" * 5), "never_passed"),
        ("capability", ("ff" * 5, "ff" * 4 + "f"), "not_yet_passed"),
        ("capability", ("f" * 20, "fu"), "never_passed"),
        ("capability", ("uu", "uu"), "not_run"),
        ("regression", ("pp", "pp", "pp"), "holding"),
        ("regression", ("ff", "pp", "pp", "pp"), "holding"),
        ("regression", ("pp", "ff"), "discriminating"),
        ("regression", ("f" * 20,), "never_passed"),
    ],
)
def test_a_task_stands_where_its_trials_put_it(kind: str, versions: tuple[str, ...], standing: str) -> None:
    """Solved takes the last three versions and every trial; never passed takes no pass of anybody in twenty trials."""
    assert [one.standing for one in status_of(kind, *versions).tasks] == [standing]


def test_no_built_in_agent_counts_as_a_version() -> None:
    """Every built-in agent shows what a suite tests; only those that call somebody's own code are candidates."""
    assert set(catalogue.built_in("agent")) - PROBES == {"python"}


@given(versions=st.lists(st.text("pfu", min_size=1, max_size=12), min_size=1, max_size=5), last=st.integers(1, 4))
def test_what_is_unknown_is_never_a_pass(versions: list[str], last: int) -> None:
    """A saturated task has only known passes in each of the last versions; a never passed one has none and trials enough."""
    found = status_of("capability", *versions, last=last)
    (one,) = found.tasks
    assert one.standing in get_args(Standing)
    assert (one.passed, one.scored - one.passed, one.unknown) == tuple(sum(trials.count(letter) for trials in versions) for letter in "pfu")
    newest = versions[::-1][:last]
    assert (one.standing in SATURATED) == (len(newest) == last and all(set(trials) == {"p"} for trials in newest))
    assert (one.standing == "never_passed") == (one.passed == 0 and one.scored >= ENOUGH)
    assert found.missing == max(0, last - len(versions))


def test_versions_are_ordered_by_time_and_runs_of_one_are_put_together() -> None:
    """The order of the files does not matter, and two runs of one candidate are one version with the trials of both."""
    tasks = {"a": task("a")}
    old, new = run(tasks, {"a": "ff"}, 1), run(tasks, {"a": "pp"}, 2)
    again = structs.replace(run(tasks, {"a": "pf"}, 2), created_at="2026-11-09T12:00:00Z")
    found = suite_status(NAME, known(tasks, old), [again, old, new])
    assert [(one.candidate, one.runs) for one in found.versions] == [("v2", 2), ("v1", 1)]
    assert found.tasks[0].rates == (0.75, 0.0)


def test_what_says_nothing_of_the_suite_is_left_out_and_named() -> None:
    """Agents that only show what is tested, other suites, other contracts and tasks that are gone are counted nowhere, and said."""
    tasks = {"a": task("a"), "b": task("b"), "gone": task("gone")}
    runs = [run(tasks, {"a": "pp", "b": "pp", "gone": "ff"}, 1), run(tasks, {"a": "ff"}, 2), run(tasks, {"a": "ff"}, 3)]
    runs[1] = structs.replace(runs[1], candidate=Candidate("null", agent="null"))
    runs[2] = structs.replace(runs[2], suite="other")
    now = [SuiteTask("a", "capability", "dev", "another contract"), known(tasks, *runs)[1]]
    found = suite_status(NAME, now, runs, last=1)
    assert [one.standing for one in found.tasks] == ["not_run", "solved"]
    assert len(found.versions) == 1
    told = " | ".join(found.left_out)
    assert "of null shows what the suite tests" in told
    assert "is of the suite other" in told
    assert "no such task any more: gone" in told
    assert "1 contract changed say nothing of the task of today: a" in told


def test_kinds_are_as_the_suite_has_them_now() -> None:
    """A task that went over to regression since the run is a regression task, and no longer part of the capability rate."""
    tasks = {name: task(name) for name in "ab"}
    runs = [run(tasks, {"a": "pp", "b": "fp"}, number) for number in (1, 2, 3)]
    now = [structs.replace(one, kind="regression") if one.task == "a" else one for one in known(tasks, *runs)]
    found = suite_status(NAME, now, runs)
    assert [(one.task, one.standing) for one in found.of("regression", "holding")] == [("a", "holding")]
    assert found.headroom is not None
    assert found.headroom.rate.value == 0.5
    assert found.headroom.rate.tasks == 1


def two_versions(failing: int, tasks: int = 60, trials: int = 8) -> tuple[SuiteStatus, list[list[TaskCount]]]:
    """Two versions on as many tasks of which some fail in up to three trials, and the counts of both."""
    all_ = {f"t{index:03}": task(f"t{index:03}") for index in range(tasks)}
    lost = [[(index * number + index // 7) % 4 if index < failing else 0 for index in range(tasks)] for number in (1, 2)]
    words = [{name: "f" * row[at] + "p" * (trials - row[at]) for at, name in enumerate(all_)} for row in lost]
    runs = [run(all_, each, number) for number, each in enumerate(words, 1)]
    counts = [[TaskCount(trials - each, trials, trials) for each in row] for row in lost]
    return suite_status(NAME, known(all_, *runs), runs), counts


def test_a_set_that_everybody_passes_is_saturated() -> None:
    """When all trials of all tasks passed there is headroom by its interval only, and no comparison could see it used."""
    found = two_versions(0)[0].headroom
    assert found is not None
    assert found.rate.value == 1.0
    assert found.saturated is True
    assert found.headroom is not None
    assert found.detectable is not None
    assert 0 < found.headroom < found.detectable


def test_a_set_with_room_is_not_saturated_and_the_power_formula_says_so() -> None:
    """With many differing tasks the smallest detectable difference is that of the power formula for these tasks and trials."""
    status, (before, after) = two_versions(60)
    found, parts = status.headroom, paired_split(before, after)
    assert found is not None
    assert found.detectable is not None
    assert parts.between is not None
    assert parts.within_before is not None
    assert parts.within_after is not None
    formula = smallest_drop(
        tasks=60,
        between=parts.between,
        within_before=parts.within_before,
        within_after=parts.within_after,
        trials_before=8,
        trials_after=8,
    )
    assert found.detectable == pytest.approx(formula)
    assert found.saturated is False
    assert found.headroom is not None
    assert found.headroom > found.detectable


def test_one_version_alone_never_shows_room() -> None:
    """How versions differ from task to task is unknown with one version: saturated may be said, not saturated may not."""
    tasks = {f"t{index}": task(f"t{index}") for index in range(40)}
    half = [run(tasks, dict.fromkeys(tasks, "pfpf"), 1)]
    found = suite_status(NAME, known(tasks, *half), half).headroom
    assert found is not None
    assert found.saturated is None
    all_ = [run(tasks, dict.fromkeys(tasks, "pppp"), 1)]
    found = suite_status(NAME, known(tasks, *all_), all_).headroom
    assert found is not None
    assert found.saturated is True


@given(versions=st.lists(st.lists(st.sampled_from(["ppp", "pff", "fff"]), min_size=3, max_size=3), min_size=1, max_size=2))
def test_no_gain_over_the_whole_is_ever_spoken_of(versions: list[list[str]]) -> None:
    """Where tasks are so few that only a gain above 1 would be found, it is not known what would, and nothing is called saturated."""
    tasks = {name: task(name) for name in "abc"}
    runs = [run(tasks, dict(zip(tasks, words, strict=True)), number) for number, words in enumerate(versions, 1)]
    found = suite_status(NAME, known(tasks, *runs), runs).headroom
    assert found is not None
    assert found.detectable is None or 0 < found.detectable <= 1
    if found.detectable is None:
        assert (found.saturated, found.note) == (None, "3 tasks are too few to see any gain")


def test_few_tasks_that_differ_much_are_too_few_and_not_saturated() -> None:
    """Three tasks of which one got better and one worse: no gain below 1 would be found, which says nothing of saturation."""
    tasks = {name: task(name) for name in "abc"}
    runs = [
        run(tasks, dict(zip(tasks, words, strict=True)), number)
        for number, words in enumerate([["ppp", "fff", "fff"], ["fff", "ppp", "fff"]], 1)
    ]
    found = suite_status(NAME, known(tasks, *runs), runs).headroom
    assert found is not None
    assert (found.detectable, found.saturated, found.note) == (None, None, "3 tasks are too few to see any gain")


def test_nothing_run_is_nothing_known() -> None:
    """Without a run no task stands anywhere and nothing is said of saturation; without capability tasks there is none to say."""
    tasks = {"a": task("a")}
    found = suite_status(NAME, known(tasks), [])
    assert found.tasks[0].standing == "not_run"
    assert found.headroom is not None
    assert (found.headroom.headroom, found.headroom.saturated) == (None, None)
    assert suite_status(NAME, known({"a": task("a", "regression")}), []).headroom is None

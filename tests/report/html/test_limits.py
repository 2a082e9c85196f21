"""A report holds as much of a run as fits: failed trials first, in the order of the run, and says what is left out."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.measure.summarise import summarise
from seatrial.records.task import Task
from seatrial.records.trace import AgentMessage
from seatrial.report import html
from tests.measure.builders import manifest
from tests.report import summaries
from tests.report.html import voyages
from tests.report.html.document import Document

TASK = Task("t-1", kind="regression")
SUMMARY = summaries.decided(summarise(manifest({"t-1": TASK}), [TASK], [], seed=1))
EXAMPLES = settings(deadline=None, max_examples=40)
RANKS = {"ffpp": 0, "pupp": 1, "pppp": 2}
"""Verdicts of a trial, and how early it is taken."""


def kept(voyage, limits: html.Limits) -> list[int]:
    """Return the trials of a task that are in the report."""
    return [trial for _, trial in Document(html.render(SUMMARY, trials=iter(voyage), limits=limits)).traces()]


def size(trial: voyages.Trial) -> int:
    """Return how many bytes a trial takes."""
    trace, grade = trial
    return len(msgspec.json.encode({"trace": trace, "grade": grade}))


def sized(verdicts: str, index: int, characters: int) -> voyages.Trial:
    """Return a trial with a message of so many characters."""
    return voyages.trace(trial=index, steps=[AgentMessage(1, "x" * characters)]), voyages.grade(trial=index, verdicts=verdicts)


def test_failed_trials_come_first():
    """Under a limit, failed trials take the place of unknown and passed ones, and stand in the order of the run."""
    voyage = voyages.trials("pppp", "ffpp", "pupp", "pppp", "pfpp", "pppp")
    assert kept(voyage, html.Limits(traces=1)) == [1]
    assert kept(voyage, html.Limits(traces=2)) == [1, 4]
    assert kept(voyage, html.Limits(traces=3)) == [1, 2, 4]
    assert kept(voyage, html.Limits(traces=4)) == [0, 1, 2, 4]
    assert kept(voyage, html.Limits(traces=0)) == []


def test_what_is_left_out_is_counted():
    """The document says how many traces it holds and how many it does not."""
    report = Document(voyages.page(voyages.trials("pppp", "ffpp", "pppp"), limits=html.Limits(traces=2))).report()
    assert (report["embedded"], report["left_out"]) == (2, 1)


@EXAMPLES
@given(st.lists(st.sampled_from(sorted(RANKS)), max_size=12), st.integers(0, 12))
def test_the_first_of_the_worst_are_kept(verdicts, most):
    """Of any run, the kept trials are the worst ones, and among equals the earlier ones."""
    voyage = voyages.trials(*verdicts, steps=())
    worst = sorted(range(len(voyage)), key=lambda index: (RANKS[verdicts[index]], index))[:most]
    assert kept(voyage, html.Limits(traces=most)) == sorted(worst)


@EXAMPLES
@given(st.lists(st.tuples(st.sampled_from(sorted(RANKS)), st.integers(0, 2_000)), max_size=10), st.integers(0, 8_000))
def test_bytes_are_never_above_the_limit(trials, most):
    """However large the trials are, those that are kept fit, and a trial that fits beside all of them is not left out."""
    voyage = [sized(verdicts, index, characters) for index, (verdicts, characters) in enumerate(trials)]
    found = kept(voyage, html.Limits(size=most))
    taken = sum(size(voyage[index]) for index in found)
    assert taken <= most
    if sum(map(size, voyage)) <= most:
        assert found == list(range(len(voyage)))


def test_a_trial_that_can_never_fit_drives_out_none():
    """A failed trial larger than the limit costs no other trial its place."""
    voyage = [sized("pppp", 0, 10), sized("ffpp", 1, 50_000), sized("pppp", 2, 10)]
    assert kept(voyage, html.Limits(size=10_000)) == [0, 2]


def test_a_large_failed_trial_takes_the_place_of_several():
    """As many passed trials as a failed one needs leave, the later ones first."""
    voyage = [sized("pppp", 0, 1_000), sized("pppp", 1, 1_000), sized("pppp", 2, 1_000), sized("ffpp", 3, 1_500)]
    limit = size(voyage[0]) + size(voyage[3]) + 500
    assert kept(voyage, html.Limits(size=limit)) == [0, 3]


@pytest.mark.parametrize("count", [1, 5])
def test_large_runs_stand_in_groups(count):
    """Traces stand in groups that a reader unpacks one at a time; the groups' keys say where each trial is."""
    voyage = [sized("pppp", index, 300_000) for index in range(count)]
    document = Document(html.render(SUMMARY, trials=voyage))
    groups = document.report()["chunks"]
    assert [key for group in groups for key in group] == [["t-1", index] for index in range(count)]
    assert len(groups) == len(document.data) - 1 == count

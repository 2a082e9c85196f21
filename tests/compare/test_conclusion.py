"""The sentence, the warnings, and what to do next."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from seatrial.base.errors import UsageError
from seatrial.compare import compare
from seatrial.compare.wording import points, signed
from seatrial.records.comparison import Comparison
from tests.compare.runs import always, never, run, some, tasks


def said(before: dict[str, int], after: dict[str, int]) -> Comparison:
    """Return the comparison of tasks by their passed trials."""
    found = tasks(len(before))
    return compare(run(found, some(before)), run(found, some(after), name="candidate"))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=14))
def test_the_sentence_never_says_more_than_was_seen(pairs):
    """It gives the difference with its interval and the smallest drop found; it never says equal, no regression, or a p value."""
    names = [one.id for one in tasks(len(pairs))]
    found = said({n: old for n, (old, _) in zip(names, pairs, strict=True)}, {n: new for n, (_, new) in zip(names, pairs, strict=True)})
    assert not re.search(r"\b(equal|same|no regression|p =|p value|significant)\b", found.conclusion)
    assert points(found.kinds[0].strict.estimate.value) in found.conclusion
    assert "80 % power" in found.conclusion
    assert found.conclusion.count(". ") == 0


@pytest.mark.parametrize(("after", "word"), [(4, "better"), (0, "worse"), (2, "no difference detected")])
def test_the_word_is_that_of_the_interval(after, word):
    """Better and worse are said where the interval lies on one side of nothing, and only there."""
    names = [one.id for one in tasks(12)]
    found = said(dict.fromkeys(names, 2), dict.fromkeys(names, after))
    assert f"on 12 tasks: {word};" in found.conclusion


def test_the_next_step_reads_what_was_lost_and_names_the_run():
    """A lost task is read first; where nothing was lost the gate decides."""
    found = said({"t-000": 4}, {"t-000": 1})
    assert found.next == "Read what t-000 does now: seatrial show CANDIDATE t-000 --trial 1"
    assert said({"t-000": 4}, {"t-000": 4}).next == "Let the gate decide: seatrial gate CANDIDATE --baseline BASELINE"


def test_what_else_may_be_behind_a_difference_is_a_warning():
    """Other seed, other world, other suite, a part of a suite, another model than was asked for: each is said, and nothing else."""
    before = run(tasks(2), always, world="w1")
    assert compare(before, run(tasks(2), never, name="candidate", world="w1")).warnings == ()
    changes = {
        "different seeds": {"seed": 8},
        "different worlds": {"world": "w2"},
        "two versions of the suite": {"suite_hash": "other"},
        "of two suites": {"suite": "other"},
        "only a part of its suite: --task t": {"partial": "--task t"},
        "The same model was asked for and others answered": {"models": ("m-2",)},
        "More than one model answered candidate": {"models": ("m-1", "m-2")},
        "Only one of the runs was witnessed": {"source": "csv"},
    }
    for words, change in changes.items():
        after = structs.replace(run(tasks(2), never, name="candidate", world="w1"), **change)
        assert any(words in line for line in compare(before, after).warnings), words


def test_a_model_that_was_not_asked_for_is_named():
    """The provider's own word on which model answered is held against the one that was asked for."""
    after = run(tasks(2), always, name="candidate")
    asked = structs.replace(after, candidate=structs.replace(after.candidate, model="m-9"))
    assert "candidate asked for m-9 and was answered by m-1." in compare(run(tasks(2), always), asked).warnings


def test_two_runs_of_one_candidate_are_told_apart():
    """They have two names, and a warning says that what differs is chance."""
    found = compare(run(tasks(2), always), run(tasks(2), always))
    assert (found.baseline.name, found.candidate.name) == ("baseline", "baseline #2")
    assert any("the same candidate" in line for line in found.warnings)


def test_a_k_below_1_is_refused():
    """k is a number of trials."""
    with pytest.raises(UsageError, match="k must be 1 or more, not 0"):
        compare(run(tasks(1), always), run(tasks(1), always), k=0)


@pytest.mark.parametrize(("value", "text"), [(3.14, "+3.1"), (-3.14, "−3.1"), (0.04, "0.0"), (-0.04, "0.0"), (1234.5, "+1,234.5")])
def test_a_signed_number_has_a_sign_unless_it_is_nothing(value, text):
    """What rounds to nothing is written without a sign."""
    assert signed(value) == text


def test_without_a_known_result_the_next_step_is_to_get_one():
    """A gate cannot decide on shared tasks of which one run knows nothing."""
    both = tasks(3)
    found = compare(run(both, always), run(both, lambda _task, _trial: "", name="candidate"))
    assert found.next.startswith("Get the results that are not known")


def test_a_kind_on_which_no_drop_could_be_found_is_not_passed_over():
    """The smallest drop is that of its kind; where a kind has too few tasks for any, the sentence says so."""
    both = [*tasks(30), *tasks(2, "r", "regression")]
    found = compare(run(both, lambda one, trial: "pppp" if sometimes(one, trial) else "fppp"), run(both, always, name="candidate"))
    assert re.search(r"is [0-9.]+ points on capability, and on regression too few tasks are shared to find any\.$", found.conclusion)


def sometimes(one: str, trial: int) -> bool:
    """Return a verdict that is neither always nor never a pass."""
    return (int(one[-3:]) + trial) % 3 > 0


def test_seeds_of_runs_that_were_not_witnessed_drew_nothing():
    """An imported run had no faults or users of ours, so that its seed explains nothing."""
    before, after = run(tasks(2), always), structs.replace(run(tasks(2), always, name="candidate"), seed=8)
    assert any("different seeds" in line for line in compare(before, after).warnings)
    for one, other in ((before, structs.replace(after, source="csv")), (structs.replace(before, source="csv"), after)):
        assert not any("different seeds" in line for line in compare(one, other).warnings)


def test_no_interval_hides_a_task_that_falls():
    """A task that always passed and fails half of its trials or more is named, whatever the interval says; one that loses less is not."""
    passed = {"t-000": 4, "t-001": 4, "t-002": 4, "t-003": 3}
    sentence = said(passed, {"t-000": 0, "t-001": 2, "t-002": 3, "t-003": 0}).conclusion
    assert "no difference detected" in sentence
    assert "2 tasks that always passed fail half or more now (t-000, t-001)" in sentence
    assert "half or more" not in said(passed, passed).conclusion


def test_a_fallen_task_falls_by_the_criterion_of_the_sentence():
    """What still ends right by the wrong way has fallen under strict, and has not by outcome alone."""
    before, after = run(tasks(3), always), run(tasks(3), lambda _task, _trial: "pfpp", name="candidate")
    assert "3 tasks that always passed fail half or more now" in compare(before, after).conclusion
    assert "half or more" not in compare(before, after, criterion="outcome").conclusion


def test_a_required_call_that_stopped_running_is_in_the_sentence():
    """With its trials on both sides, though every answer is right; where every call still runs nothing is said of them."""
    found = tasks(3)
    sentence = compare(run(found, always), run(found, lambda _task, _trial: "pfpp", name="candidate")).conclusion
    assert "the required call coverage never ran in 12 trials of 3 tasks (0 before)" in sentence
    assert "required call" not in compare(run(found, always), run(found, never, name="candidate")).conclusion

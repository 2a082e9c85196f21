"""The decision as a whole: coverage, what was read, what is next, and the sentence of a policy with many rules."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw, structs

from seatrial.base.canonical import content_hash
from seatrial.base.catalogue import built_in
from seatrial.gate import Evidence, Policy, RuleUse, decide, read_policy
from seatrial.measure.summarise import summarise
from seatrial.records.decision import Decision
from seatrial.records.graded import GradedTrial
from seatrial.records.label import LabelNote, TrialReview
from seatrial.records.task import Task
from tests.gate.made import evidence, many
from tests.measure.builders import graded, manifest

MANY = read_policy(
    Raw(
        b'{"reliability": [{"at_least": 0.5}, {"at_least": 0.4, "criterion": "outcome"}], "critical_tasks": null, "holdout": {},'
        b' "proof": {}, "unknown_trials": {}, "stubs_checked": {"within_days": 9}, "transcripts_read": {}, "slices": {},'
        b' "not_worse": {"margin": 0.1}, "budget": {"unit": "calls", "at_most": 9}, "regression_strict": null}'
    )
)
CAPABILITY = Policy((RuleUse("reliability", Raw(b'{"at_least": 0.1}')),))


@pytest.mark.parametrize(("lost", "value"), [(0, "pass"), (5, "pass"), (6, "inconclusive")])
def test_under_95_percent_of_known_trials_nothing_passes(lost, value):
    """Five lost trials of a hundred leave a pass, six do not, whatever the rules say."""
    results = {f"t{n:02}": "u" if n < lost else "p" for n in range(100)}
    found = decide(evidence(results), CAPABILITY)
    assert found.value == value
    assert [rule.rule for rule in found.rules if rule.value != "pass"] == (["coverage"] if value != "pass" else [])


def test_a_holdout_that_lost_its_trials_does_not_pass_for_the_others():
    """The judged tasks must be covered by themselves."""
    results = many(100, "p", "d") | many(9, "p", "h") | {"hx": "u"}
    found = decide(evidence(results), CAPABILITY)
    assert found.rules[-1].rule == "coverage"
    assert found.rules[-1].subject == "holdout"


def test_a_policy_asks_a_rule_as_often_as_it_is_listed():
    """A list of arguments is as many uses; each has its own result."""
    found = decide(evidence(many(40, "pp")), MANY)
    assert [rule.rule for rule in found.rules].count("reliability") == 2


def test_the_sentence_of_many_rules_names_them_and_gives_one_reason():
    """A policy of twelve rules does not put twelve reasons into one sentence."""
    found = decide(evidence(many(40, "pp")), MANY)
    assert "rules are inconclusive (" in found.sentence
    assert found.sentence.count(";") < 3


def test_every_rule_of_the_catalogue_is_in_the_policy_of_these_tests():
    """A new rule is added here, so that what follows speaks of it too."""
    assert {use.rule for use in MANY.rules} == set(built_in("gate_rule"))


@pytest.mark.parametrize("before", [None, many(40, "pf")])
def test_a_decision_is_the_same_when_it_is_read_back(before):
    """A decision written as JSON and read again is equal and has the same hash, so that a seal holds."""
    for results in (many(40, "pp", "h"), many(3, "pv", "t"), {}):
        found = decide(evidence(results, before), MANY)
        again = msgspec.json.decode(msgspec.json.encode(found), type=Decision)
        assert again == found
        assert content_hash(again) == content_hash(found)


def labelled(trial: GradedTrial, *notes: LabelNote) -> GradedTrial:
    review = TrialReview(trial.grade.task, trial.grade.trial, "", labels=notes)
    return GradedTrial(trial.grade, trial.facts, review)


def note(by: str, standing: str = "no doubt") -> LabelNote:
    return LabelNote("safe", by, "read", "2026-12-01T00:00:00Z", standing)  # type: ignore[arg-type]


def test_every_decision_says_how_many_transcripts_were_read_and_by_whom():
    """A labelled trial counts once, on its side; a label on a trial that ran again since does not count."""
    tasks = {"a": Task("a", kind="regression")}
    trials = [
        labelled(graded("a", 0, "fppp"), note("Bo"), note("bo ", "superseded")),
        labelled(graded("a", 1), note("Ann")),
        labelled(graded("a", 2, "pupp"), note("Ann")),
        labelled(graded("a", 3), note("Cem", "other trace")),
    ]
    summary = summarise(manifest(tasks, 4), tasks.values(), trials)
    review = summary.review
    assert (review.read_failing, review.read_passing, review.read_open, review.readers) == (1, 1, 1, ("Ann", "Bo"))
    found = decide(Evidence(summary))
    assert found.read == "1 failing transcript and 1 passing transcript, and 1 with no known result, read by Ann, Bo"
    assert decide(evidence({"a": "p"})).read == "Nobody has read a transcript of this run"


def test_what_is_decided_on_the_holdout_alone_says_so():
    """The sentence and what is next speak of holdout tasks, of which more are needed, not of the suite's."""
    budget = Policy((RuleUse("budget", Raw(b'{"unit": "calls", "at_most": 9}')),))
    found = decide(evidence(many(40, "pp") | {"h1": "pp", "h2": "pp"}), budget)
    assert found.value == "inconclusive"
    assert "may ship: holdout: " in found.sentence
    assert found.next.startswith("Holdout: Run more tasks")


def test_a_baseline_that_is_not_there_is_asked_for_first():
    """Before anything is run again the baseline's file is named: more tasks would not bring it back."""
    uses = (RuleUse("not_worse", Raw(b'{"margin": 0.1}')), RuleUse("reliability", Raw(b'{"at_least": 0.5, "k": 7}')))
    found = decide(evidence(many(40, "pp")), Policy(uses))
    assert found.next == "Say which run is the baseline, with all other options as they were: seatrial gate RUN --baseline BASELINE"


def test_what_is_next_is_the_largest_number_of_trials_that_a_rule_asks_for():
    """Of several needs the one with the most trials is what to run; the rules say the rest."""
    uses = tuple(RuleUse("reliability", Raw(b'{"at_least": 0.5, "k": %d}' % k)) for k in (3, 7, 5))
    found = decide(evidence(many(40, "pp")), Policy(uses))
    assert found.next == "Run more trials: seatrial run SUITE --agent AGENT --trials 7 -o RUN"


@pytest.mark.parametrize(
    ("kind", "arguments", "told"),
    [
        ("capability", b'{"at_least": 0.5, "k": 7}', "Record 7 trials of each task where the recording comes from"),
        ("regression_strict", b"{}", "and judge again: seatrial regrade RUN --suite SUITE"),
    ],
)
def test_of_a_recording_nobody_is_told_to_run_it_again(kind, arguments, told):
    """No agent of a recording is at hand: what is next is more of the recording, or to judge it again."""
    rule = RuleUse("reliability" if kind == "capability" else kind, Raw(arguments))
    recorded = evidence(many(40, "pp"))
    recorded = structs.replace(recorded, summary=structs.replace(recorded.summary, source="openai_messages"))
    found = decide(recorded, Policy((rule,)))
    assert told in found.next
    assert "seatrial run" not in found.next


@pytest.mark.parametrize(("lost", "warned"), [(0, False), (4, False), (9, True)])
def test_trials_that_one_run_lost_by_more_than_chance_are_a_warning(lost, warned):
    """Nine of a hundred trials lost against one is no chance (Fisher); four against one may be."""
    after = {f"t{n:02}": "u" if n < lost else "p" for n in range(100)}
    before = {f"t{n:02}": "u" if n < 1 else "p" for n in range(100)}
    found = decide(evidence(after, before), CAPABILITY)
    assert any("Fisher" in warning for warning in found.warnings) == warned

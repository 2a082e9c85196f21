"""The gate: each rule passes, fails and is inconclusive when it must, and the decision is the worst of them."""

import pytest
from msgspec import Raw

from seatrial.base.catalogue import built_in, load
from seatrial.base.errors import UsageError
from seatrial.gate import PLAIN, Evidence, Policy, RuleUse, decide, read_arguments, read_policy
from seatrial.measure.summarise import summarise
from seatrial.records.task import Task
from seatrial.records.trace import Status
from tests.measure.builders import graded, manifest


def run(verdicts, *, kind="regression", planned=2, status=Status.COMPLETED, **more):
    """Return the summary of one task with these trials."""
    tasks = {"a": Task("a", kind=kind)}
    trials = [graded("a", index, one, status=status if index else Status.COMPLETED) for index, one in enumerate(verdicts)]
    return summarise(manifest(tasks, planned, **more), tasks.values(), trials)


LEAST = {
    "budget": b'{"unit": "calls", "at_most": 5}',
    "not_worse": b'{"margin": 0.05}',
    "reliability": b'{"at_least": 0.8}',
    "stubs_checked": b'{"within_days": 30}',
}
"""Arguments of the rules that cannot do without any."""


def says(rule, summary):
    use = RuleUse(rule, Raw(LEAST.get(rule, b"{}")))
    return load("gate_rule", rule).evaluate(Evidence(summary), read_arguments(use))


@pytest.mark.parametrize(
    ("verdicts", "value"),
    [
        (["pppp", "pppp"], "pass"),
        (["pppn", "pnnp"], "pass"),
        (["pppp", "fppp"], "fail"),
        (["pfpp", "pppp"], "fail"),
        (["ppfp", "pppp"], "fail"),
        (["pppf", "pupp"], "fail"),
        (["pupp", "pppp"], "inconclusive"),
        (["eppp", "pppp"], "inconclusive"),
        (["pppp"], "inconclusive"),
        (["nnnn", "nnnn"], "inconclusive"),
        ([], "inconclusive"),
    ],
)
def test_regression_strict(verdicts, value):
    """Every planned trial strict passes; one failed trial fails; a lost or undetermined one decides nothing."""
    assert says("regression_strict", run(verdicts)).value == value


def test_regression_strict_looks_at_regression_tasks_only():
    """A run without a regression task is inconclusive, however good it is."""
    found = says("regression_strict", run(["pppp", "pppp"], kind="capability"))
    assert (found.value, found.reason) == ("inconclusive", "the run has no regression task")


def test_regression_strict_is_inconclusive_after_an_infrastructure_error():
    """A trial that the harness ended is neither passed nor failed."""
    found = says("regression_strict", run(["pppp", "fppp"], status=Status.INFRA_ERROR))
    assert found.value == "inconclusive"
    assert found.evidence == ("a#1",)


@pytest.mark.parametrize(
    ("verdicts", "value"),
    [
        (["pppp", "pppp"], "pass"),
        (["fppp", "pfpp"], "pass"),
        (["ppfp", "pppp"], "fail"),
        (["ppfp", "ppup"], "fail"),
        (["ppup", "pppp"], "inconclusive"),
        (["ppep", "pppp"], "inconclusive"),
        (["pppp"], "inconclusive"),
        (["ppnp", "ppnp"], "inconclusive"),
        ([], "inconclusive"),
    ],
)
def test_no_violation(verdicts, value):
    """One violation fails; safety that is unknown or not asked decides nothing; whatever else failed is not its business."""
    assert says("no_violation", run(verdicts)).value == value


def test_no_violation_names_trials_and_the_rate_that_remains():
    """A fail names task and trial; a pass says what rate of violations none still allows."""
    assert says("no_violation", run(["pppp", "ppfp"])).evidence == ("a#1",)
    assert "with 95 % confidence" in says("no_violation", run(["pppp", "pppp"])).reason


def test_no_violation_sees_abandoned_and_cut_trials():
    """A violation in a trial that the machinery ended still fails the run."""
    assert says("no_violation", run(["pppp", "ppfp"], status=Status.INFRA_ERROR)).value == "fail"


@pytest.mark.parametrize("rule", built_in("gate_rule"))
def test_every_rule_that_looks_at_nothing_is_inconclusive_and_refuses_what_it_does_not_know(rule):
    """A rule without evidence never passes, and an argument it does not take is an error."""
    assert says(rule, summarise(manifest({}), [], [])).value == "inconclusive"
    with pytest.raises(UsageError, match="'bogus'"):
        decide(Evidence(run(["pppp", "pppp"])), Policy((RuleUse(rule, Raw(b'{"bogus": 1}')),)))


def test_the_decision_is_the_worst_of_the_rules():
    """Fail before inconclusive before pass."""
    assert decide(Evidence(run(["pppp", "pppp"]))).value == "pass"
    assert decide(Evidence(run(["pppp", "ppup"]))).value == "inconclusive"
    found = decide(Evidence(run(["ppfp", "ppup"])))
    assert found.value == "fail"
    assert found.sentence.startswith("FAIL: baseline must not ship: 1 of 1 regression task failed a trial (a); 1 violation")


def test_a_partial_run_cannot_pass():
    """A run of some of the suite is at best inconclusive and says so; it can still fail."""
    found = decide(Evidence(run(["pppp", "pppp"], partial="slice loss_type=water")))
    assert found.value == "inconclusive"
    assert "only a part of the suite was run: slice loss_type=water" in found.sentence
    assert decide(Evidence(run(["fppp", "pppp"], partial="slice"))).value == "fail"


def test_a_policy_without_rules_decides_nothing():
    """No rule asked is inconclusive and never pass."""
    assert decide(Evidence(run(["pppp", "pppp"])), Policy()).value == "inconclusive"


def test_an_unknown_rule_names_the_nearest():
    """A typing error in a policy is answered with the right name."""
    with pytest.raises(UsageError, match="'no_violation'"):
        decide(Evidence(run(["pppp"])), Policy((RuleUse("no_violations"),)))


def test_a_policy_is_read_by_name_and_an_empty_one_is_the_plain_one():
    """`gate:` maps rules to their arguments; nothing in it is the plain policy."""
    assert read_policy(Raw(b"{}")) == PLAIN
    assert read_policy(Raw(b'{"no_violation": null}')) == Policy((RuleUse("no_violation"),))


def test_no_policy_goes_without_the_rule_on_violations():
    """A policy that does not name the safety rule asks it all the same, so that a violation fails the run."""
    policy = read_policy(Raw(b'{"regression_strict": {}}'))
    assert [use.rule for use in policy.rules] == ["regression_strict", "no_violation"]
    assert decide(Evidence(run(["ppfp"])), policy).value == "fail"


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        (b'{"no_violations": {}}', "Did you mean 'no_violation'"),
        (b'{"no_violation": {"at_mots": 0.1}}', "no argument 'at_mots'.*Did you mean 'at_most'"),
        (b'{"no_violation": {"at_most": 1}}', "the arguments of the gate rule 'no_violation' are wrong"),
        (b'{"reliability": []}', "an empty list of arguments"),
        (b'{"reliability": [3]}', "a mapping of rules"),
        (b'["no_violation"]', "a mapping of rules"),
        (b'{"no_violation": 3}', "a mapping of rules"),
    ],
)
def test_a_policy_that_says_nothing_sensible_is_refused(gate, told):
    """An unknown rule, an argument that a rule does not take, and another shape are errors in words."""
    with pytest.raises(UsageError, match=told):
        read_policy(Raw(gate))

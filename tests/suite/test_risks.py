"""The risk list: what it may name, and what a suite must have for each risk."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError
from seatrial.records.risk import CATEGORIES
from seatrial.suite import Suite, lint
from tests.suite.samples import SUITE, TASK, folder_of, load

RULED = SUITE + "invariants: [{rule: no_forbidden_call, arguments: {tools: [anything_goes]}, id: no_gossip}, our_rule]\n"
RISK = "id: r, sentence: Bad things happen."


def listed(folder: Path, risk: str, *, suite: str = RULED, tasks: str = TASK) -> Suite:
    """Load a suite whose risk list is one risk."""
    folder_of(folder, tasks, suite=suite)
    (folder / "risks.yaml").write_text(f"- {{{risk}}}\n", encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize(
    ("risk", "told"),
    [
        ("id: r", "a risk needs `sentence`"),
        ("sentence: s", "a risk needs `id`"),
        ("id: '', sentence: s", "a risk needs `id`"),
        ("id: r, sentence: ' '", "a risk needs `sentence`"),
        (f"{RISK}, category: Data privacy", "no category of NIST AI 600-1 'Data privacy'.*Did you mean 'Data Privacy'"),
        (f"{RISK}, category: Privacy of data", "known: Data Privacy, [^,]*, [^,]* and 9 more"),
        (f"{RISK}, category: Confabulations", "Did you mean 'Confabulation'"),
        (f"{RISK}, severity: hihg", "Did you mean 'high'"),
        (f"{RISK}, invariants: [our_rul]", "no invariant 'our_rul'.*Did you mean 'our_rule'"),
        (f"{RISK}, invariants: [no_gosip]", "Did you mean 'no_gossip'"),
        (f"{RISK}, faulty_agent: [x]", "no key 'faulty_agent' here.*Did you mean 'faulty_agents'"),
        (f"{RISK}, faulty_agents: hasty", "expected a list"),
    ],
)
def test_what_a_risk_may_not_say(tmp_path: Path, risk: str, told: str) -> None:
    """Missing keys, and wrong categories, severities, rules and keys, are refused with file, line and the nearest right word."""
    with pytest.raises(SuiteError, match=rf"risks\.yaml:1: .*{told}"):
        listed(tmp_path, risk)


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_of_the_profile_is_taken(tmp_path: Path, category: str) -> None:
    """All twelve names are known as the profile spells them."""
    assert listed(tmp_path, f'{RISK}, category: "{category}"').risks[0].category == category


def test_two_risks_need_two_ids(tmp_path: Path) -> None:
    """The second risk of one id is refused."""
    folder_of(tmp_path)
    (tmp_path / "risks.yaml").write_text(f"- {{{RISK}}}\n- {{{RISK}}}\n", encoding="utf-8")
    with pytest.raises(SuiteError, match="two risks have the id 'r'"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("named", "reported"),
    [
        ("no_forbidden_call", ("no_gossip",)),
        ("no_gossip", ("no_gossip",)),
        ("our_rule", ("our_rule",)),
        ("values_have_provenance", ("values_have_provenance",)),
        ("our_rule, no_forbidden_call, no_gossip", ("no_gossip", "our_rule")),
    ],
)
def test_a_rule_is_found_under_the_name_it_is_reported_by(tmp_path: Path, named: str, reported: tuple[str, ...]) -> None:
    """A risk may name a rule or its id; violations are found under the id where there is one."""
    assert listed(tmp_path, f"{RISK}, invariants: [{named}]").risks[0].reported_as == reported


GOOD = f"{RISK}, invariants: [no_gossip], tasks: ['water-*'], faulty_agents: [echo]"
ADVERSARIAL = TASK + "adversarial: true\n"


@pytest.mark.parametrize(
    ("risk", "tasks", "rules"),
    [
        (GOOD, ADVERSARIAL, set()),
        (GOOD.replace("invariants: [no_gossip], ", ""), ADVERSARIAL, {"risk_without_rule"}),
        (GOOD, TASK, {"risk_untried"}),
        (GOOD.replace("tasks: ['water-*'], ", ""), ADVERSARIAL, {"risk_untried"}),
        (GOOD.replace(", faulty_agents: [echo]", ""), ADVERSARIAL, {"risk_unproven"}),
        (GOOD.replace("no_gossip", "no_write_while"), ADVERSARIAL, {"risk_not_asked"}),
        (RISK, TASK, {"risk_without_rule", "risk_untried", "risk_unproven"}),
    ],
)
def test_check_says_what_a_risk_lacks(tmp_path: Path, risk: str, tasks: str, rules: set[str]) -> None:
    """No rule, no adversarial task, no faulty agent, a rule that none of its adversarial tasks asks: a warning each, with a way out."""
    found = [one for one in lint(listed(tmp_path, risk, tasks=tasks)) if one.rule.startswith("risk_")]
    assert {one.rule for one in found} == rules
    assert all(one.level == "warning" and one.fix and "'r'" in one.message and one.file.endswith("risks.yaml") for one in found)


def test_another_risk_is_another_suite(tmp_path: Path) -> None:
    """A change of the risk list changes the hash of the suite, so that runs under two lists are not mixed."""
    hashes = {listed(tmp_path / str(index), risk).hash for index, risk in enumerate((RISK, GOOD, GOOD.replace("echo", "refuser")))}
    assert len(hashes) == 3


EXCEPTION = "rule: no_forbidden_call, what: Gossip is allowed on Fridays., why: Nobody works., by: Ann Example, on: '2026-11-02'"


def test_an_accepted_exception_is_a_record_and_part_of_the_suite(tmp_path: Path) -> None:
    """It is read, told in one sentence, and makes another suite; the invariants and contracts are as without it."""
    plain = load(folder_of(tmp_path / "plain", suite=RULED))
    with_it = load(folder_of(tmp_path / "with", suite=RULED + f"exceptions: [{{{EXCEPTION}}}]\n"))
    told = "Accepted exception to no_forbidden_call, by Ann Example on 2026-11-02: Gossip is allowed on Fridays. Nobody works."
    assert [one.note for one in with_it.exceptions] == [told]
    assert with_it.hash != plain.hash
    assert (with_it.invariants, with_it.tasks) == (plain.invariants, plain.tasks)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("no_forbidden_call", "no_forbiden_call", "Did you mean 'no_forbidden_call'"),
        ("2026-11-02", "2 Nov 2026", "is not a date; write YYYY-MM-DD"),
        (", by: Ann Example", "", "needs `by`: who accepted it"),
        ("Nobody works.", "' '", "needs `why`"),
        ("why:", "because:", "no key 'because' here"),
    ],
)
def test_an_exception_needs_a_rule_a_reason_a_name_and_a_date(tmp_path: Path, old: str, new: str, told: str) -> None:
    """Whatever is missing or wrong is an error with file and line."""
    folder = folder_of(tmp_path, suite=RULED + f"exceptions: [{{{EXCEPTION.replace(old, new)}}}]\n")
    with pytest.raises(SuiteError, match=rf"suite\.yaml:4: .*{told}"):
        load(folder)

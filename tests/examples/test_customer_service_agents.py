"""The agents of customer service: one keeps every rule, and each of the others shows that one rule can fail."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from examples.customer_service.agents import FAULTY
from examples.customer_service.faulty import Bench, Row, main

from seatrial.records.trace import AgentMessage
from tests.examples._sailing import EXAMPLES, sail, suite, voyage

FOLDER = EXAMPLES / "customer_service"


@cache
def bench() -> Bench:
    """Return the suite, ready to try agents on."""
    return Bench()


def row(name: str) -> Row:
    """Return what becomes of one faulty agent."""
    return bench().row(name)


def test_the_good_agent_passes_every_trial_of_every_task():
    """The agent that keeps every rule is strict on all tasks, and no rule doubts."""
    failed = [
        (trial.task.id, trial.grade.safety.reason) for trial in voyage("customer_service", "agents:good") if trial.grade.strict != "pass"
    ]
    assert failed == []


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_agent_is_failed_by_its_rule_on_every_task_meant_for_it(name):
    """The rule that a habit breaks finds a violation on every adversarial task of its attacks."""
    found = row(name)
    assert len(found.meant) >= 2
    assert set(found.meant) - set(found.caught) == set()


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_agent_breaks_no_other_rule_on_any_task(name):
    """One habit, one rule: on none of all tasks does another rule find a violation."""
    assert row(name).others == ()


def test_every_invariant_of_the_suite_has_a_faulty_agent():
    """No rule of the suite goes without an agent that it fails."""
    named = {spec.rule for task in suite("customer_service").suite.tasks for spec in task.contract.invariants}
    assert {rule for rule, _ in FAULTY.values()} == named | {"values_have_provenance"}


def test_every_attack_is_meant_for_some_faulty_agent():
    """No adversarial task is there for nothing."""
    attacks = {task.slices["attack"] for task in suite("customer_service").suite.tasks if task.adversarial}
    assert attacks == {attack for _, attacks in FAULTY.values() for attack in attacks}


def test_who_presses_on_is_never_safe_where_somebody_refuses_in_another_language():
    """A rule that reads English never takes a refusal in another language for a yes."""
    tasks = [task for task in suite("customer_service").suite.tasks if task.slices["language"] != "english"]
    assert tasks
    assert [
        trial.task.id for trial in sail(suite("customer_service"), "agents:presses_on", tasks, trials=1) if trial.grade.safety == "pass"
    ] == []


def test_the_table_is_printed_with_a_line_for_each_agent(capsys):
    """The command prints rule, agent, tasks meant and tasks failed, and says whether all is as it should be."""
    assert main(bench())
    printed = capsys.readouterr().out
    assert all(re.search(rf"^{rule} +{name} +(\d+) +\1 *$", printed, re.MULTILINE) for name, (rule, _) in FAULTY.items())


def test_the_table_in_the_readme_is_the_one_that_is_printed():
    """For each faulty agent the README names its rule, the tasks meant for it, and how many of them its rule fails."""
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in (FOLDER / "README.md").read_text().splitlines()]
    told, rule = {}, ""
    for named, agent, *_, meant, failed in (cells for cells in rows if len(cells) == 5 and cells[-1].isdigit()):
        rule = named or rule
        told[agent] = (rule, int(meant), int(failed))
    assert told == {name: (rule, len(row(name).meant), len(row(name).caught)) for name, (rule, _) in FAULTY.items()}


def test_a_trial_repeats_exactly():
    """The agents use no chance: a second run leaves the same steps and the same end state."""
    loaded = suite("customer_service")
    once, again = (sail(loaded, "agents:good", loaded.suite.tasks[::10], trials=1) for _ in range(2))
    assert [(trial.trace.steps, trial.trace.changes) for trial in once] == [(trial.trace.steps, trial.trace.changes) for trial in again]


def test_no_agent_knows_a_task():
    """The agents' code names no customer, policy, postcode, payment method or task of the suite."""
    code = "\n".join(path.read_text() for path in sorted((FOLDER / "agents").glob("*.py")))
    fixture = msgspec.json.decode((FOLDER / "fixtures" / "base.json").read_bytes())
    named = ("customer_id", "policy_id", "method_id", "document_id", "name", "postcode", "address", "email", "payout_account", "birth_date")
    values = {row[name] for rows in fixture.values() for row in rows for name in named if name in row}
    assert not [value for value in values if value in code]
    assert not [task.id for task in suite("customer_service").suite.tasks if task.id in code]


def test_habits_are_one_switch_each():
    """Every faulty agent differs from the good one in one habit."""
    text = Path(FOLDER / "agents" / "habits.py").read_text()
    switches = set(re.findall(r"^    (\w+): bool = False$", text, re.MULTILINE))
    assert switches == set(FAULTY)


def test_the_good_agent_waits_for_an_answer_after_every_list():
    """Between a list of changes and the first of them stands a turn of the customer, in every conversation."""
    for trial in voyage("customer_service", "agents:good"):
        kinds = [
            type(step).__name__ if not isinstance(step, AgentMessage) or "Shall I go ahead?" not in step.text else "List"
            for step in trial.trace.steps
        ]
        assert ("List", "ToolCall") not in set(pairwise(kinds)), trial.task.id


def test_what_is_for_our_eyes_only_stays_with_the_good_agent():
    """No security answer and no internal note stands in anything that the good agent says or writes."""
    fixture = msgspec.json.decode((FOLDER / "fixtures" / "base.json").read_bytes())
    secrets = {row[name] for row in fixture["customers"] for name in ("security_answer", "internal_note")}
    for trial in voyage("customer_service", "agents:good"):
        told = [step.text for step in trial.trace.steps if isinstance(step, AgentMessage)]
        told += [bytes(call.proposed).decode() for call in trial.trace.calls]
        assert not [secret for secret in secrets for text in told if secret in text], trial.task.id

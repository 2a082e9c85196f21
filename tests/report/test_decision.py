"""A decision in every format: each rule with its evidence, nothing green that is not a pass, nothing from outside that becomes markup."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from msgspec import Raw, structs

from seatrial.base.catalogue import load
from seatrial.records.decision import BaselinePin, Decision, Need, RuleResult, RunHashes, SealedDecision, SealedRun
from tests.report.summaries import HOSTILE

RULES = (
    RuleResult("reliability", "pass", "capability strict pass^1 0.900 ≥ bar 0.800", subject="holdout"),
    RuleResult("reliability", "inconclusive", "pass^4 is not known", need=Need("Run 4 trials of each", trials=4)),
    RuleResult("slices", "fail", "channel=phone fell", ("a-1", "a-2#3")),
)


def sealed(value="fail", rules=RULES, text="a-1 fell", **more) -> SealedDecision:
    """A sealed decision; `text` stands wherever a text from outside can."""
    decision = Decision(value, f"{value.upper()}: {text}", rules, (text,), f"Read it: seatrial show RUN {text}", f"3 read by {text}")
    run = SealedRun(text, RunHashes(*"mtrgls"), text, text, "s", text, "c", 1, text, text)
    return SealedDecision(decision, Raw(b"{}"), "p", run, "2026-12-01", "0.1.0", "2", **more)


def drawn(form: str, of: SealedDecision, **more: object) -> str:
    return load("renderer", f"decision{form}").render(of, **more)


@pytest.mark.parametrize("form", ["", "_markdown", "_junit", "_github"])
def test_every_format_tells_the_rules_that_did_not_pass_with_reason_and_need(form):
    """Reason, need and warning are in each of them."""
    found = drawn(form, sealed())
    for words in ("pass^4 is not known", "Run 4 trials of each", "channel=phone fell", "a-1 fell"):
        assert words in found.replace("\\", "")


def test_the_terminal_says_the_decision_first_and_last_and_the_worst_rules_first():
    """A reader who sees only the top or only the end knows the decision."""
    found = drawn("", sealed(), width=100, colour=False)
    lines = found.splitlines()
    assert lines[0] == "FAIL: a-1 fell"
    assert "FAIL: a-1 fell" in lines[-4:]
    assert found.index("slices  ") < found.index("inconclusive") < found.index("pass  ")
    assert "slices: a-1, a-2#3" in found


@pytest.mark.parametrize("form", ["", "_markdown"])
def test_a_decision_by_nobodys_policy_says_so(form):
    """The plain policy, which asks two rules because nobody wrote another, is called by its name; any other is not."""
    written = structs.replace(sealed(), policy=Raw(b'{"regression_strict":{}}'))
    plain, other = (" ".join(drawn(form, each).split()) for each in (sealed(), written))
    assert ("the plain policy" in plain, "the plain policy" in other) == (True, False)


@pytest.mark.parametrize("form", ["", "_markdown", "_junit", "_github"])
@pytest.mark.parametrize("pinned", [True, False])
def test_only_the_pinned_run_is_said_to_be_approved(form, pinned):
    """A baseline that was given in place of the pinned one was approved by nobody, whoever approved the other."""
    against = SealedRun("b.seatrial", RunHashes(*"MTRGLS"), "s", "1", "h", "c0", "ch", 0, "2026", "0.1.0")
    pin = BaselinePin("p.seatrial", against.hashes.content if pinned else "another", "c", "Ann", "2026-11-30T12:00:00Z")
    found = " ".join(drawn(form, sealed(baseline=against, pin=pin)).split())
    assert ("approved by Ann" in found) == (pinned and form in ("", "_markdown"))


@pytest.mark.parametrize(("value", "failures", "errors"), [("pass", 1, 1), ("fail", 2, 1), ("inconclusive", 1, 2)])
def test_junit_is_green_for_a_pass_only(value, failures, errors):
    """One test case a rule and one for the decision; fail is a failure, inconclusive an error, and names differ."""
    suite = ET.fromstring(drawn("_junit", sealed(value)).split("\n", 1)[1])[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", str(failures), str(errors))
    assert [case.get("name") for case in suite] == ["reliability", "reliability 2", "slices", "decision"]


def test_a_run_without_a_date_has_no_timestamp():
    """Where the run does not say when it ran, as an imported one, the attribute is absent; otherwise it is the run's date."""
    dated = sealed()
    undated = structs.replace(dated, run=structs.replace(dated.run, created_at=""))
    found = [ET.fromstring(drawn("_junit", one))[0].get("timestamp") for one in (dated, undated)]
    assert found == [dated.run.created_at, None]


@pytest.mark.parametrize("form", ["", "_markdown", "_junit", "_github"])
def test_nothing_from_outside_moves_a_cursor_or_becomes_markup(form):
    """Hostile names, reasons and warnings are shown, and do nothing."""
    rules = (RuleResult("slices", "fail", HOSTILE, (HOSTILE,), need=Need(HOSTILE)),)
    found = drawn(form, sealed("fail", rules, HOSTILE))
    assert "\x1b" not in found
    assert "\u202e" not in found or form == "_junit"
    if form == "_markdown":
        assert "<script>" not in found
    if form == "_junit":
        ET.fromstring(found.split("\n", 1)[1])


def test_an_annotation_stays_one_command():
    """A line break, a percent sign or a second command within a text does not end the annotation."""
    text = "50 % lost\n::error::pwned"
    found = drawn("_github", sealed("fail", (), text))
    assert len(found.splitlines()) == 2
    assert all(line.startswith(("::error title=", "::warning title=")) for line in found.splitlines())
    assert "50 %25 lost" in found


def test_what_is_next_can_be_copied():
    """The run's name, the agent's and the baseline's are filled in where they are known."""
    decision = Decision("inconclusive", "INCONCLUSIVE: x", next="Run more trials: seatrial run SUITE --agent AGENT --trials 5 -o RUN")
    run = SealedRun("my run.seatrial", RunHashes(*"mtrgls"), "s", "1", "h", "c", "ch", 0, "2026", "0.1.0")
    found = SealedDecision(decision, Raw(b"{}"), "p", run, "2026-12-01", "0.1.0", "2")
    text = drawn("", found, agent="agents:restored", colour=False)
    assert "seatrial run SUITE --agent agents:restored --trials 5 -o 'my run.seatrial'" in text


@pytest.mark.parametrize("form", ["", "_markdown", "_junit", "_github"])
def test_what_it_would_take_can_be_copied(form):
    """Files are filled into a command where they are known, and nothing stands glued to its end."""
    need = Need("Sign: seatrial sign RUN --slice a=b --baseline BASELINE --name NAME && seatrial sign RUN --slice a=c")
    against = SealedRun("b.seatrial", RunHashes(*"MTRGLS"), "s", "1", "h", "c0", "ch", 0, "2026", "0.1.0")
    of = sealed("inconclusive", (RuleResult("slices", "inconclusive", "a=b fell", need=need),), "r.seatrial", baseline=against)
    found = " ".join(drawn(form, of).replace("\\", "").replace("&amp;", "&").split())
    assert "seatrial sign r.seatrial --slice a=b --baseline b.seatrial --name NAME && seatrial sign r.seatrial --slice a=c" in found
    assert "a=c." not in found


@pytest.mark.parametrize("form", ["", "_markdown", "_junit", "_github"])
def test_what_it_would_take_of_the_holdout_says_so(form):
    """Tasks that are needed of the holdout are not taken for tasks of the suite."""
    rule = RuleResult("budget", "inconclusive", "no limit", subject="holdout", need=Need("Run more tasks: at least 5"))
    assert "holdout: Run more tasks: at least 5" in " ".join(drawn(form, sealed("inconclusive", (rule,))).split())

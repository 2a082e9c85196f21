"""A trial on the page: what is missing, and everything that is pinned to a step."""

from __future__ import annotations

import json

import pytest
from msgspec import Raw
from playwright.sync_api import expect

from seatrial.records.grade import CallClass
from seatrial.records.trace import AgentMessage, ToolCall, UserTurn
from seatrial.report import html
from tests.report.html import voyages
from tests.report.html.reading import pins, stray_words, unfold

OPEN = "task=t-1&trial=0"


def test_a_wrong_reason_is_shown_where_it_is(read, claims):
    """The mark of a trial that was right for the wrong reason opens it: the missing call is named, each met one pinned to its step."""
    page = read(claims.page)
    page.locator("#tasks").get_by_role("button", name="water-003 trial 1: right for the wrong reason").click()
    expect(page.locator("#trace-title")).to_have_text("water-003 trial 1")
    missing = page.locator("#trace .problems li")
    expect(missing.first).to_contain_text("coverage")
    expect(missing.first).to_contain_text("coverage_rules was never called")
    assert page.locator("#trace .answers .tag").all_inner_texts() == ["pass", "fail", "fail", "pass"]
    calls = claims.grades["water-003", 1].calls
    met = {call.step: f"meets {call.requirement}" for call in calls if call.kind == "met"}
    assert len(met) >= 2
    assert {step: text for step, texts in pins(page).items() for text in texts if text.startswith("meets")} == met
    assert stray_words(page, values=False) == []


def test_every_step_of_a_real_trace_is_shown(read, claims):
    """A trace is shown step by step in its order, the command that shows it in a terminal above it."""
    page = read(claims.page, "task=water-002&trial=0")
    expect(page.locator("#trace .command")).to_have_text("seatrial show claims.seatrial water-002 --trial 0")
    steps = [int(one) for one in page.locator("#trace .sequence").all_inner_texts()]
    assert steps == sorted(steps)
    assert len(steps) >= 4
    assert page.locator("#trace .who").first.inner_text() == "user"
    unfold(page)
    assert stray_words(page, values=False) == []


def test_everything_is_pinned_to_its_step(read):
    """Classes, near misses, violations, missing and late calls, differing arguments, sources and faults stand at their steps."""
    page = read(voyages.page([voyages.everything()]), OPEN)
    assert pins(page) == {
        3: ["extra, near miss of policy_lookup", "out of order: lookup: ran too late"],
        4: ["fault error: recovered"],
        6: ["meets flags"],
        8: ["violates no forbidden call: delete_claim is forbidden", "refused: not permitted"],
        12: [
            "nearest to the missing route: another queue",
            'queue: expected "water_high", found "water_low"',
            "route.queue has no source: said by nobody",
        ],
    }


def test_what_belongs_to_no_step_stands_above_the_steps(read):
    """Missing calls, broken order and a differing end state are listed, and a missing call's nearest one is a link to its step."""
    page = read(voyages.page([voyages.everything()]), OPEN)
    problems = page.locator("#trace .problems")
    for text in ("coverage_rules was never called", "coverage < route", "claims/C-1/queue", '"water_high"'):
        expect(problems).to_contain_text(text)
    problems.get_by_role("button", name="go to step 12").click()
    expect(page.locator("#trace li[aria-current]")).to_have_attribute("data-step", "12")


def test_each_kind_of_step_says_what_it_is(read):
    """Badges of a call and the words of every other step are there: fault, retry, refusal, approval, handoff, probe, not delivered."""
    page = read(voyages.page([voyages.everything()]), OPEN)
    items = page.locator("#trace > .content > ol.steps > li")
    shown = dict(items.evaluate_all("(all) => all.map((item) => [Number(item.dataset.step), item.innerText])"))
    said = {
        2: ("model", "m-1", "1,200/? tokens in/out, $0.2500"),
        3: ("policy_search", "agent/clerk", "[1, [], {}]"),
        4: ("fault error 503", "status 503, transient", "busy", "beside 3"),
        6: ("retry of 4",),
        8: ("by user", "refused", "not permitted"),
        9: ("refused the call of step 8: not among the task's tools",),
        10: ("yes to the call of step 8",),
        12: ("write", "updated claims/C-1"),
        14: ("unparseable arguments", '"{oops"'),
        16: ("agent → agent/writer",),
        17: ("open_claims", "2"),
        18: ("broken", "no such table"),
        19: ("not delivered",),
    }
    assert [(step, text) for step, texts in said.items() for text in texts if text not in shown[step]] == []


def test_abandoned_attempts_are_kept(read):
    """An attempt that the harness abandoned is there with its reason, its steps and its own violations."""
    page = read(voyages.page([voyages.everything()]), OPEN)
    attempt = page.locator("#trace details", has_text="attempt 0 was abandoned")
    expect(attempt).to_contain_text("the disk was full")
    attempt.locator("summary").click()
    expect(attempt.locator("li[data-step='3'] .pin")).to_have_text("violates no forbidden call: then")


def test_keys_lead_through_the_steps(read):
    """j and k move by one step, f and F by one that has a fault pinned to it, and none moves past an end."""
    page = read(voyages.page([voyages.everything()]), OPEN)
    for key, step in [
        ("k", 20),
        ("k", 19),
        ("F", 12),
        ("F", 8),
        ("f", 12),
        ("f", 12),
        ("j", 14),
        ("F", 12),
        ("F", 8),
        ("F", 3),
        ("F", 3),
        ("k", 2),
    ]:
        page.keyboard.press(key)
        expect(page.locator("#trace li[aria-current]")).to_have_attribute("data-step", str(step))
    expect(page.locator("#trace li[aria-current]")).to_be_focused()


def test_a_search_can_start_from_a_trace(read):
    """`/` closes the trace and goes to the search."""
    page = read(voyages.page([voyages.everything()]), OPEN)
    page.keyboard.press("/")
    expect(page.locator("#trace")).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_large_numbers_are_shown_as_they_are(read):
    """Whole numbers beyond a double are shown digit by digit, and a name that scripts know is only a name."""
    value = Raw(b'{"id":9007199254740993,"share":0.1,"__proto__":{"x":1},"constructor":2}')
    steps = [ToolCall(2, "look", 2, proposed=value, executed=Raw(b"{}"), observation=value)]
    page = read(voyages.page([(voyages.trace(steps=steps), voyages.grade())]), OPEN)
    wanted = '{"id": 9007199254740993, "share": 0.1, "__proto__": {"x": 1}, "constructor": 2}'
    assert page.locator("#trace .payload code").all_inner_texts() == [wanted, wanted]


def test_a_trace_of_ten_thousand_steps_opens(read):
    """A very long trace is drawn around one place: its end is reached by a link, a key, and on demand, and never drawn whole."""
    steps = [
        ToolCall(2 * index + 1, "look", 2 * index + 1, proposed=Raw(b'{"at":%d}' % index), executed=Raw(b"{}")) for index in range(10_000)
    ]
    grade = voyages.grade(verdicts="pfpp", calls=tuple(CallClass(step, "extra", fault="too many") for step in (3, 19_999)))
    page = read(voyages.page([(voyages.trace(steps=steps), grade)]), OPEN)
    items, current = page.locator("#trace ol.steps > li"), page.locator("#trace li[aria-current]")
    expect(items).to_have_count(200)
    page.get_by_role("button", name="show 200 of 9,800 later steps").click()
    expect(items).to_have_count(400)
    page.keyboard.press("f")
    page.keyboard.press("f")
    expect(current).to_have_attribute("data-step", "19999")
    assert items.count() <= 400
    page.keyboard.press("F")
    expect(current).to_have_attribute("data-step", "3")


def test_a_megabyte_of_text_is_shown_on_demand(read):
    """A very long answer and a very long message are cut at first, say how long they are, and are shown whole when asked for."""
    text = "<b>water</b> " * 80_000
    steps = [
        UserTurn(1, text),
        ToolCall(2, "look", 2, executed=Raw(b"{}"), observation=Raw(json.dumps({"text": text}).encode())),
        AgentMessage(3, "done"),
    ]
    document = voyages.page([(voyages.trace(steps=steps), voyages.grade())])
    assert 'data-form="gzip"' in document
    page = read(document, OPEN)
    expect(page.locator("#trace li[data-step='3']")).to_contain_text("done")
    assert len(page.locator("#trace").text_content()) < 20_000
    page.locator("#trace details.payload > summary").first.click()
    whole = page.get_by_role("button", name="show all 1,040,0")
    expect(whole).to_have_count(2)
    whole.first.click()
    whole.first.click()
    assert len(page.locator("#trace .said").first.text_content()) == len(text)
    assert text in page.locator("#trace pre").first.text_content()
    expect(page.locator("#trace b b")).to_have_count(0)


@pytest.mark.parametrize("status", ["not embedded", "no trial"])
def test_a_trace_that_is_not_in_the_file_can_be_found(read, status):
    """The page says how many traces are left out and how to see one; opening such a trial gives its verdicts and its command."""
    voyage = voyages.trials("pfpp", "pppp", "pppp", task="it's one")
    page = read(voyages.page(voyage, run="/folder/of/ann/run.seatrial", limits=html.Limits(traces=1)))
    left_out = page.locator("#left-out")
    expect(left_out).to_contain_text("2 traces of 3 are not part of this file")
    expect(left_out).to_contain_text("failed trials were taken first")
    expect(left_out.locator("code")).to_have_text("seatrial show run.seatrial TASK --trial N")
    trial = 2 if status == "not embedded" else 7
    page.evaluate('(trial) => { location.hash = new URLSearchParams({ task: "it\'s one", trial }).toString(); }', trial)
    panel = page.locator("#trace")
    if status == "no trial":
        expect(panel).to_contain_text("no such trial")
        return
    expect(panel).to_contain_text("The trace of this trial is not part of this file.")
    expect(panel.locator("code")).to_have_text("seatrial show run.seatrial 'it'\\''s one' --trial 2")
    assert panel.locator(".answers .tag").all_inner_texts() == ["pass"] * 4
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(panel.locator("ol.steps")).to_be_visible()


def test_many_groups_of_traces_are_found(read):
    """A compressed report of several groups opens any of its trials."""
    voyage = [(voyages.trace(trial=index, steps=[AgentMessage(1, f"{index}" * 400_000)]), voyages.grade(trial=index)) for index in range(5)]
    document = voyages.page(voyage)
    assert document.count('data-form="gzip"') > 2
    page = read(document, "task=t-1&trial=4")
    expect(page.locator("#trace .said")).to_contain_text("4444")
    page.keyboard.press("p")
    expect(page.locator("#trace .said")).to_contain_text("3333")

"""The page where it is not at home: narrow screens, paper, no scripts, and texts that mean harm."""

from __future__ import annotations

import json

import pytest
from msgspec import Raw, structs
from playwright.sync_api import expect

from seatrial.measure.facts import facts_of
from seatrial.measure.summarise import summarise
from seatrial.records.grade import CallClass, Difference, OrderRow, RequirementRow, ValueSource, Violation
from seatrial.records.graded import GradedTrial
from seatrial.records.manifest import Candidate
from seatrial.records.task import Task
from seatrial.records.trace import AgentMessage, Change, Handoff, ModelCall, Probe, ToolCall, ToolFailure, UserTurn
from seatrial.report import html
from tests.measure.builders import manifest
from tests.report import summaries
from tests.report.html import voyages
from tests.report.html.reading import HIDDEN, change_address, matching, unfold

HARM = "</script><img src=x onerror=alert(1)>\u202e\u2028\x1b[2J"
"""Would be markup, turns the reading direction, breaks a script's line, clears a screen."""


def harmful() -> str:
    """Return a report in which every text from outside means harm."""
    value = Raw(json.dumps({HARM: [HARM]}).encode())
    steps = (
        UserTurn(1, HARM),
        ModelCall(2, HARM),
        ToolCall(
            3, HARM, 3, proposed=value, executed=value, observation=value, actor=HARM, changes=(Change(HARM, "created", after=value),)
        ),
        ToolCall(5, HARM, 5, proposed=Raw(b'""'), raw=HARM, validity="unparseable", failure=ToolFailure(HARM, HARM), by=HARM),
        Handoff(7, HARM, HARM),
        Probe(8, HARM, value),
        Probe(9, HARM, error=HARM),
        AgentMessage(10, HARM, actor=HARM),
    )
    judged = voyages.grade(
        HARM,
        verdicts="ffff",
        alternative=HARM,
        requirements=(RequirementRow(HARM, HARM, "missing", None, 3, (Difference(HARM, HARM, HARM),), HARM),),
        order=(OrderRow(HARM, "violated", HARM),),
        calls=(CallClass(3, "extra", near_miss_of=HARM, fault=HARM), CallClass(5, "met", HARM)),
        differences=(Difference(HARM, HARM, HARM),),
        violations=(Violation(HARM, 3, HARM),),
        sources=(ValueSource(3, HARM, "none", HARM),),
    )
    trace = voyages.trace(HARM, steps=steps, status_reason=HARM, changes_unknown=HARM)
    task = Task(HARM, kind="regression", slices={HARM: HARM})
    planned = structs.replace(manifest({HARM: task}, 2, partial=HARM), candidate=Candidate(HARM, HARM, model=HARM))
    summary = summaries.decided(summarise(planned, [task], [GradedTrial(judged, facts_of(trace))], seed=1))
    noted = structs.replace(summary, notes=(HARM,), warnings=(HARM,), not_measured=(HARM,))
    return html.render(noted, run=HARM, trials=[(trace, judged)])


def test_harmful_texts_stay_texts(read):
    """Whatever a run says is shown as text, in the list and in the trace: no element, no script, no mark that turns the reading."""
    page = read(harmful())
    strangers = "[...document.querySelectorAll('img, iframe, object, embed, base, style, script:not([type])')].map((one) => one.nodeName)"
    assert page.evaluate(strangers) == ["STYLE", "SCRIPT"]
    assert matching(page, HIDDEN) == []
    page.locator("#tasks button.mark").first.click()
    expect(page.locator("#trace > .content > ol.steps > li")).to_have_count(8)
    unfold(page)
    assert page.evaluate(strangers) == ["STYLE", "SCRIPT"]
    assert matching(page, HIDDEN) == []
    assert "\u202e" not in page.title()
    written_out = "</script><img src=x onerror=alert(1)>\\u202e\\u2028\\x1b[2J"
    assert page.locator("#trace .said").first.inner_text() == written_out
    assert page.locator("#trace .tool").first.inner_text() == written_out


def test_a_harmful_name_can_be_linked_to(read):
    """An address that names a task full of marks opens that task."""
    page = read(harmful())
    page.locator("#tasks button.mark").first.click()
    address = page.evaluate("location.hash")
    again = read(harmful(), address[1:])
    expect(again.locator("#trace ol.steps > li")).to_have_count(8)


@pytest.mark.parametrize("name", ["claims", "everything", "harmful", "shortcut"])
def test_a_narrow_screen_needs_no_sideways_scroll(read, claims, name):
    """At 390 pixels neither the page nor an open trace is wider than the screen."""
    documents = {
        "claims": lambda: claims.page,
        "everything": lambda: html.render(summaries.everything(), run="run.seatrial", trials=[voyages.everything("water-001")]),
        "harmful": harmful,
        "shortcut": lambda: html.render(summaries.shortcut()),
    }
    page = read(documents[name](), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("#tasks button.mark").first.click()
    expect(page.locator("#trace")).to_be_visible()
    unfold(page)
    assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById('trace'))") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("name", ["everything", "reviewed", "unknown"])
def test_a_usual_screen_cuts_nothing(read, name):
    """At 1,200 pixels every section link is on the screen, and neither a cell nor the table of shares is too narrow for what it holds."""
    summary = summaries.run(name, lambda *_: "uuuu") if name == "unknown" else getattr(summaries, name)()
    page = read(html.render(summary, run="run.seatrial"), width=1200)
    cut = "(found) => found.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"
    assert page.locator("nav ul").evaluate_all(cut) == []
    assert page.locator(".scroll:has(.figures), table :is(td, th)").evaluate_all(cut) == []
    edges = page.locator("nav a").evaluate_all("(links) => links.map((link) => link.getBoundingClientRect().right)")
    assert max(edges) <= 1200


def test_four_trials_stand_in_one_row_on_a_narrow_screen(read, claims):
    """At 390 pixels the four marks of a task are beside one another."""
    page = read(claims.page, width=390)
    marks = "(strips) => strips.map((strip) => [...strip.querySelectorAll('.mark')].map((mark) => mark.getBoundingClientRect().top))"
    heights = page.locator("#tasks .strip").evaluate_all(marks)
    assert [(len(row), len(set(row))) for row in heights] == [(4, 1)] * 9


def test_paper_has_no_buttons(read, claims):
    """On paper the page is without filters, navigation and help, and an open trace is printed alone, without its buttons."""
    page = read(claims.page)
    page.keyboard.press("?")
    page.emulate_media(media="print")
    for name in ("nav", ".filters", ".skip", "#help", "#trace"):
        expect(page.locator(name)).to_be_hidden()
    for name in (".banner", "#matrix", "#regression", "#tasks ol.tasks"):
        expect(page.locator(name)).to_be_visible()
    page.keyboard.press("Escape")
    change_address(page, "task=water-001&trial=0")
    expect(page.locator("#trace ol.steps")).to_be_visible()
    for name in ("header", "main", "#trace .buttons"):
        expect(page.locator(name)).to_be_hidden()


def test_paper_is_light(read, claims):
    """A reader of dark screens prints dark ink on white paper."""
    page = read(claims.page, scheme="dark")
    ink = "() => [getComputedStyle(document.documentElement).color, getComputedStyle(document.documentElement).backgroundColor]"
    on_screen = page.evaluate(ink)
    page.emulate_media(media="print")
    assert page.evaluate(ink) == ["rgb(23, 34, 46)", "rgb(255, 255, 255)"]
    assert on_screen != page.evaluate(ink)


def test_without_scripts_the_decision_is_still_said(read, claims):
    """With scripts switched off the page says the decision and why there is no more, and shows no data."""
    page = read(claims.page, scripts=False)
    shown = page.locator("body").inner_text()
    assert claims.summary.decision.sentence in shown
    assert "scripts are switched off" in shown
    assert "{" not in shown

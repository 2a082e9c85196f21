"""The page of a comparison in a browser: its sentences, the traces side by side, its keys, and texts that mean harm; and the plane."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec import structs
from playwright.sync_api import Page, expect

from seatrial.compare import compare
from seatrial.compare.plane import plane
from seatrial.report import comparison_html, plane_svg
from tests.compare.runs import always, never, run, task
from tests.report.html import voyages
from tests.report.html.reading import HIDDEN, expect_focus, matching, stray_words, unfold
from tests.report.html.test_reach import HARM
from tests.report.test_comparison import shortcut

FAULTS_ONLY = {"resultTypes": ["violations"]}
NARROW = 390


def harmful() -> str:
    """Return a page on which every text from outside means harm."""
    odd = structs.replace(task("t-1"), id=HARM, slices={HARM: HARM})
    found = compare(run([odd], always, name=HARM), run([odd], never, name=HARM), runs=(HARM, HARM))
    found = structs.replace(found, warnings=(HARM,), added=(HARM,), changed=(HARM,), conclusion=HARM)
    side = voyages.trace(HARM, steps=voyages.EVERY_STEP, status_reason=HARM), voyages.grade(HARM, verdicts="ffff", alternative=HARM)
    return comparison_html.render(found, traces={HARM: (side, side)})


def first_pair(page: Page) -> str:
    """Open the first pair, and return the task's name."""
    button = page.locator("button[data-pair]").first
    name = button.inner_text()
    button.click()
    expect(page.locator("#trace")).to_be_visible()
    return name


def places(page: Page) -> list[tuple[float, float]]:
    """Return where both sides of the open pair begin, from the left and from the top."""
    boxes = [one.bounding_box() for one in page.locator("#trace .sides > section").all()]
    return [(box["x"], box["y"]) for box in boxes if box]


def test_the_gain_that_must_not_be_believed_stands_first(read):
    """A shortcut stands above the sentence, the sentence is that of a failure, and the list of pairs begins with it."""
    page = read(comparison_html.render(shortcut()))
    boxes = [page.locator(name).first.bounding_box() for name in ("main > section", ".banner", "#pairs")]
    heights = [box["y"] for box in boxes if box]
    assert heights == sorted(set(heights))
    expect(page.locator("main > section").first).to_contain_text("Gained without a required step")
    assert page.locator("[data-decision]").get_attribute("data-decision") == "fail"
    assert "gained without a required step" in page.locator("#pairs tbody tr").first.inner_text()


def test_both_traces_of_a_task_open_side_by_side(read, comparison):
    """The baseline's trial stands left with the required call, the candidate's right without it, each with the command that shows it."""
    page = read(comparison)
    name = first_pair(page)
    expect(page.locator("#trace-title")).to_have_text(name)
    before, after = page.locator("#trace .sides > section").all()
    expect(before.locator("h3").first).to_have_text("Before: baseline")
    expect(after.locator("h3").first).to_have_text("After: candidate")
    expect(before.locator(".command")).to_contain_text(f"seatrial show before.seatrial {name} --trial ")
    expect(after.locator(".command")).to_contain_text(f"seatrial show claims.seatrial {name} --trial ")
    assert [side.locator(".tool", has_text="coverage_rules").count() for side in (before, after)] == [1, 0]
    (left, top), (right, beside) = places(page)
    assert left < right
    assert top == beside


def test_keys_open_step_through_and_close_pairs(read, comparison):
    """Enter opens the pair that has the focus, n and p step and stop at the ends, Esc gives the focus back to the pair that was open."""
    page = read(comparison)
    names = page.locator("button[data-pair]").all_inner_texts()
    assert len(names) > 1
    title = page.locator("#trace-title")
    page.locator("button[data-pair]").first.focus()
    for key, index in [("Enter", 0), ("p", 0), ("n", 1), ("p", 0), ("n", 1)]:
        page.keyboard.press(key)
        expect(title).to_have_text(names[index])
    page.keyboard.press("Escape")
    expect(page.locator("#trace")).to_be_hidden()
    expect_focus(page, names[1])


def test_the_first_stop_of_the_keyboard_skips_to_the_traces(read, comparison):
    """Tab shows the link that leads past the sentence, and Enter takes the reader to the list of pairs."""
    page = read(comparison)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#pairs")).to_be_focused()


@pytest.mark.parametrize("document", ["claims", "harmful"])
def test_a_narrow_screen_needs_no_sideways_scroll(read, comparison, document):
    """At 390 pixels neither the page nor an open pair is wider than the screen, and the sides stand one below the other."""
    page = read(comparison if document == "claims" else harmful(), width=NARROW)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == NARROW
    first_pair(page)
    unfold(page)
    assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById('trace'))") == 0
    assert page.evaluate(wide) == NARROW
    (left, top), (below, lower) = places(page)
    assert left == below
    assert top < lower


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_keeps_the_rules_of_accessibility(read, comparison, scheme):
    """Page, open pair, every fold open, and a page with money and a shortcut violate no rule of axe, in light and in dark colours."""
    found = [Axe().run(read(comparison_html.render(shortcut()), scheme=scheme), options=FAULTS_ONLY)]
    page = read(comparison, scheme=scheme)
    found.append(Axe().run(page, options=FAULTS_ONLY))
    first_pair(page)
    unfold(page)
    found.append(Axe().run(page, options=FAULTS_ONLY))
    assert [(one["id"], one["nodes"][0]["html"]) for result in found for one in result.response["violations"]] == []


def test_no_stray_word_of_a_script_is_on_the_page(read, comparison):
    """Nothing that a script writes when it does not know what to write is on the page or in a pair."""
    page = read(comparison)
    first_pair(page)
    unfold(page)
    assert stray_words(page, values=False) == []


def test_harmful_texts_stay_texts(read):
    """Whatever the runs say is shown as text, on the page and in the pair: no element, no script, no mark that turns the reading."""
    page = read(harmful())
    strangers = "[...document.querySelectorAll('img, iframe, object, embed, base, style, script:not([type])')].map((one) => one.nodeName)"
    assert page.evaluate(strangers) == ["STYLE", "SCRIPT"]
    assert matching(page, HIDDEN) == []
    assert "<img src=x" in first_pair(page)
    unfold(page)
    assert page.evaluate(strangers) == ["STYLE", "SCRIPT"]
    assert matching(page, HIDDEN) == []


def test_without_scripts_everything_but_the_traces_is_there(read, comparison):
    """With scripts switched off the sentence, the tables and the tasks can be read, no data is shown, and no button pretends to open."""
    page = read(comparison, scripts=False)
    shown = page.locator("body").inner_text()
    assert "80 % power" in shown
    assert "{" not in shown
    assert page.locator("button:not(:disabled)").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_of_the_plane_can_be_read(read, scheme):
    """In light and in dark colours every text of the picture stands out from its paper, lies within it, and names stay words."""
    names = ("cheap", HARM, "x" * 120)
    runs = [run([task("a"), task("b")], always if index else never, name=name, usd=0.1 * (index + 1)) for index, name in enumerate(names)]
    picture = plane_svg.render(plane(runs, ks=(1, 4)))
    document = f'<!doctype html><html lang="en"><title>plane</title><body data-ready style="margin:0">{picture}</body></html>'
    page = read(document, scheme=scheme, width=1600)
    assert page.locator("svg img, svg script").count() == 0
    assert matching(page, HIDDEN) == []
    dim, ink, paper = page.evaluate(
        """() => ["text.dim", "text.title", "rect.paper"].map((name) => {
          const [red, green, blue] = getComputedStyle(document.querySelector(`svg ${name}`)).fill.match(/\\d+/g).map((part) => {
            const share = Number(part) / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        })"""
    )
    contrasts = [(max(one, paper) + 0.05) / (min(one, paper) + 0.05) for one in (dim, ink)]
    assert min(contrasts) >= 4.5
    assert (paper < ink) == (scheme == "dark")
    outside = """(texts) => { const sheet = document.querySelector("svg").getBoundingClientRect();
      return texts.map((one) => [one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.left < sheet.left || box.right > sheet.right || box.bottom > sheet.bottom).map(([text]) => text); }"""
    assert page.locator("svg text").evaluate_all(outside) == []

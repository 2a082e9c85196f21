"""The page in a browser: what it shows of a run, its list of tasks, its keys, and the address that leads back to a view."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from seatrial.report import html
from seatrial.report._wording import amount, percent, share
from tests.report import summaries
from tests.report.html import voyages
from tests.report.html.reading import change_address, expect_focus, shown_tasks, stray_words, unfold

WRONG = ["water-001", "water-003", "water-005", "water-008"]
"""The claims that the agent gets right for the wrong reason."""

FAULTS_ONLY = {"resultTypes": ["violations"]}


def everything() -> str:
    """Return a report of a run in which everything occurs, with one trace in which everything occurs."""
    return html.render(summaries.everything(), run="run.seatrial", trials=[voyages.everything("water-001")])


@pytest.mark.parametrize("run", [summaries.perfect, summaries.shortcut, summaries.everything, summaries.reviewed, summaries.hostile])
def test_no_stray_word_of_a_script_is_on_the_page(read, run):
    """Whatever a summary lacks, the page says it in words: no `null`, `undefined`, `NaN` or object stands anywhere."""
    page = read(html.render(run()))
    assert stray_words(page) == []
    expect(page.locator("h1")).to_have_count(1)


def test_no_stray_word_of_a_script_is_in_a_trace(read):
    """A trace in which everything occurs is shown, every fold open, without a `null`, `undefined`, `NaN` or object."""
    page = read(everything(), "task=water-001&trial=0")
    unfold(page)
    assert stray_words(page) == []


def test_a_number_is_written_as_in_the_terminal(read):
    """Shares, percents and amounts have the same digits on the page as in the terminal, also where a number lies right between two."""
    parts = [index / whole for whole in (3, 16, 32, 320, 2000) for index in range(whole + 1)]
    large = [*parts, *(1000 * part for part in parts), 1.005, 1234.125, 1234.375, 2.5e6, 123_456_789.5]
    units = ("usd", "tokens", "calls")
    amounts = "...units.map((unit) => large.map((one) => amount(one, unit)))"
    written = f"([parts, large, units]) => [parts.map(share), parts.map(percent), {amounts}]"
    found = read(everything()).evaluate(written, [parts, large, units])
    assert found == [list(map(share, parts)), list(map(percent, parts)), *([amount(one, unit) for one in large] for unit in units)]


def test_a_real_run_is_shown(read, claims):
    """The decision, the title, and each of the tasks with its trials are on the page, and nothing stands between title and facts."""
    page = read(claims.page)
    expect(page).to_have_title("candidate on claims_intake")
    parts = page.evaluate("[...document.getElementById('head').childNodes].map((one) => [one.nodeName, one.textContent])")
    assert [name for name, _ in parts] == ["P", "H1", "UL", "P"]
    assert [text for _, text in parts[:2]] == ["Sea trial", "candidate"]
    expect(page.locator(".banner")).to_contain_text("4 of 9 regression tasks failed a trial")
    expect(page.locator("body")).to_have_attribute("data-decision", "fail")
    assert shown_tasks(page) == [row.task for row in claims.summary.tasks]
    assert page.locator("#tasks .mark").all_inner_texts() == [
        "✓" if trial.strict == "pass" else "≠" for row in claims.summary.tasks for trial in row.trials
    ]
    assert stray_words(page) == []


def test_a_cell_of_the_matrix_filters_the_list(read, claims):
    """A cell shows the tasks that have such a trial, says so, and lets go when it is chosen again or its chip is."""
    page = read(claims.page)
    cell, chip = page.locator("[data-cell='pass fail']"), page.locator("#cell-chip")
    expect(cell).to_contain_text("16")
    cell.click()
    assert shown_tasks(page) == WRONG
    expect(cell).to_have_attribute("aria-pressed", "true")
    expect(chip).to_contain_text("outcome pass, process fail")
    cell.click()
    assert len(shown_tasks(page)) == 9
    cell.click()
    chip.click()
    assert len(shown_tasks(page)) == 9
    expect(chip).to_be_hidden()
    expect(page.locator("[data-cell='fail pass']")).to_be_disabled()


def test_filters_and_search_narrow_the_list(read, claims):
    """A filter and a search word together show the tasks for which both hold, with their number said."""
    page = read(claims.page)
    page.locator("[data-filter='wrong']").click()
    assert shown_tasks(page) == WRONG
    page.get_by_role("searchbox").fill("WATER-003")
    assert shown_tasks(page) == ["water-003"]
    expect(page.get_by_role("status")).to_have_text("1 task of 9")
    page.get_by_role("searchbox").fill("nobody")
    expect(page.get_by_role("status")).to_have_text("0 tasks of 9")
    page.locator("[data-filter='all']").click()
    page.get_by_role("searchbox").fill("loss_type=water")
    assert len(shown_tasks(page)) == 9


def test_a_slice_of_the_table_searches_for_its_tasks(read, claims):
    """A slice's name in the table of groups shows its tasks in the list."""
    page = read(claims.page)
    page.get_by_role("button", name="filter tasks by channel=phone").click()
    wanted = [row.task for row in claims.summary.tasks if row.slices["channel"] == "phone"]
    assert shown_tasks(page) == wanted
    expect(page.get_by_role("searchbox")).to_have_value("channel=phone")


def test_keys_lead_through_the_list_into_traces_and_back(read, claims):
    """`/` searches, Esc leaves, j and k move, Enter opens, n and p change the trial, Esc gives the focus back to the opener."""
    page = read(claims.page)
    press, title = page.keyboard.press, page.locator("#trace-title")
    press("/")
    page.keyboard.type("-00")
    expect(page.get_by_role("searchbox")).to_have_value("-00")
    expect(page.get_by_role("searchbox")).to_be_focused()
    press("Escape")
    expect(page.get_by_role("searchbox")).not_to_be_focused()
    for key, task in (("j", "water-001"), ("j", "water-002"), ("j", "water-003"), ("k", "water-002")):
        press(key)
        expect_focus(page, f"{task} trial 0:")
    press("Enter")
    expect(title).to_have_text("water-002 trial 0")
    for key, trial in (("n", "water-002 trial 1"), ("n", "water-002 trial 2"), ("p", "water-002 trial 1")):
        press(key)
        expect(title).to_have_text(trial)
    press("Escape")
    expect(page.locator("#trace")).to_be_hidden()
    expect_focus(page, "water-002 trial 0:")


def test_next_trial_stays_within_what_is_filtered(read, claims):
    """With a filter on, n goes from a task's last trial to the next task that the filter shows, and the place is counted among these."""
    page = read(claims.page, "filter=wrong&task=water-001&trial=3")
    expect(page.locator("#trace .name")).to_contain_text("4 of 16 shown trials")
    page.keyboard.press("n")
    expect(page.locator("#trace-title")).to_have_text("water-003 trial 0")


def test_a_filtered_trial_stands_out_among_its_task_s_others(read):
    """Of a task that a cell of the matrix shows, the trials that are not in the cell step back, and n leaves them out."""
    page = read(voyages.page(voyages.trials("pfpp", "pppp", "ffpp", "pfpp")), "cell=pass+fail&task=t-1&trial=0")
    expect(page.locator("#trace .name")).to_contain_text("1 of 2 shown trials")
    page.keyboard.press("n")
    expect(page.locator("#trace-title")).to_have_text("t-1 trial 3")
    page.keyboard.press("Escape")
    assert page.locator("#tasks .mark.aside").all_inner_texts() == ["✓", "✗"]


def test_help_names_every_key(read, claims):
    """`?` opens a help that names the keys, Esc closes it, and while it is open no other key acts."""
    page = read(claims.page, "task=water-001&trial=0")
    page.keyboard.press("?")
    box = page.get_by_role("dialog", name="Keyboard")
    assert set(box.locator("kbd").all_inner_texts()) == {"/", "j", "k", "n", "p", "f", "F", "Enter", "Esc", "?"}
    page.keyboard.press("n")
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(page.locator("#trace-title")).to_have_text("water-001 trial 0")


def test_typing_in_the_search_is_no_command(read, claims):
    """Letters that are keys elsewhere are only letters in the search, and a key with a modifier is the browser's."""
    page = read(claims.page)
    page.get_by_role("searchbox").click()
    page.keyboard.type("jknpf?")
    expect(page.get_by_role("searchbox")).to_have_value("jknpf?")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.get_by_role("searchbox").evaluate("(node) => node.blur()")
    page.keyboard.press("Control+j")
    expect(page.locator(".mark:focus")).to_have_count(0)


def test_an_address_leads_back_to_a_view(read, claims):
    """Filter, search text, trial and step of an address are restored when the page opens; the first two stay when the trace is closed."""
    step = claims.grades["water-003", 2].calls[0].step
    page = read(claims.page, f"filter=wrong&text=water-00&task=water-003&trial=2&step={step}")
    expect(page.locator("#trace-title")).to_have_text("water-003 trial 2")
    expect(page.locator("#trace li[aria-current]")).to_have_attribute("data-step", str(step))
    page.keyboard.press("Escape")
    expect(page.locator("#trace")).to_be_hidden()
    expect(page.locator("[data-filter='wrong']")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("searchbox")).to_have_value("water-00")
    assert shown_tasks(page) == WRONG
    expect(page).to_have_url(re.compile("#filter=wrong&text=water-00$"))


def test_a_changed_address_changes_the_view(read, claims):
    """An address typed into the open page opens its trial, and one without a trial closes it and restores filter, text and cell."""
    page = read(claims.page)
    change_address(page, "task=water-005&trial=1")
    expect(page.locator("#trace-title")).to_have_text("water-005 trial 1")
    expect(page).to_have_title("water-005#1 · candidate")
    change_address(page, "text=water-00&cell=pass+fail")
    expect(page.locator("#trace")).to_be_hidden()
    expect(page).to_have_title("candidate on claims_intake")
    expect(page.locator("[data-cell='pass fail']")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("searchbox")).to_have_value("water-00")
    assert shown_tasks(page) == WRONG


def test_the_browser_s_back_closes_a_trace(read, claims):
    """An opened trace is one step of the history, however many trials were looked at."""
    page = read(claims.page, "filter=wrong")
    page.get_by_role("button", name="water-001 trial 1").last.click()
    page.keyboard.press("n")
    expect(page.locator("#trace-title")).to_have_text("water-001 trial 2")
    page.go_back()
    expect(page.locator("#trace")).to_be_hidden()
    expect(page).to_have_url(re.compile("#filter=wrong$"))
    assert shown_tasks(page) == WRONG


def test_an_address_that_means_nothing_shows_the_whole_list(read):
    """What an address says wrongly is as if it were not said, when the page opens and when the address changes."""
    page = read(voyages.page(voyages.trials("pppp", "ffpp")), "filter=constructor&cell=x+y&trial=-1&step=1e9&task=&%E0%A4%A")
    for address in ("cell=pass", "trial=9", "task=", "__proto__=1", "filter=toString&text="):
        assert shown_tasks(page) == ["t-1"]
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator("[data-filter='all']")).to_have_attribute("aria-pressed", "true")
        change_address(page, address)


def test_an_address_of_no_trial_says_so(read):
    """A link to a trial that the run does not have opens a panel that says so."""
    page = read(voyages.page(voyages.trials("pppp")), "task=t-9&trial=0")
    expect(page.locator("#trace")).to_contain_text("This report has no such trial.")


def test_a_rule_of_the_decision_names_its_tasks(read, claims):
    """Each task that decides a rule is a link to the first trial that does, and Esc gives the focus back to the link."""
    page = read(claims.page)
    page.locator(".rules").get_by_role("button", name="open water-005 trial 0").first.click()
    expect(page.locator("#trace-title")).to_have_text("water-005 trial 0")
    page.keyboard.press("Escape")
    expect_focus(page, "open water-005 trial 0")


def test_the_next_step_names_the_run(read):
    """The command to go on with holds the run's name as it is, quoted for a shell, even one full of marks."""
    page = read(voyages.page(voyages.trials("pfpp"), run="runs/$& $1 `x`.seatrial"))
    expect(page.locator(".next code")).to_have_text("seatrial show '$& $1 `x`.seatrial' t-1 --trial 0")


def test_long_lists_are_drawn_in_parts(read):
    """Of very many tasks a part is drawn, the search reaches all, and more are drawn on demand with the focus on the first new one."""
    page = read(voyages.page([(voyages.trace(f"t-{index:03}", steps=()), voyages.grade(f"t-{index:03}")) for index in range(130)]))
    status = page.get_by_role("status")
    expect(status).to_have_text("130 tasks of 130, 100 drawn")
    page.get_by_role("button", name="show more tasks").click()
    expect(status).to_have_text("130 tasks of 130")
    expect_focus(page, "t-100 trial 0")
    page.get_by_role("searchbox").fill("t-129")
    assert shown_tasks(page) == ["t-129"]


def test_capability_and_regression_are_never_pooled(read):
    """Each kind has a section of its own, with its curve by stakes and its table, and no figure spans both."""
    page = read(html.render(summaries.shortcut()))
    for kind in ("capability", "regression"):
        part = page.locator(f"section#{kind}")
        expect(part.locator("svg.curve")).to_have_attribute("aria-label", re.compile(f"{kind} tasks by stakes"))
        expect(part.locator(".series.strict.write polyline")).to_have_count(1)
        expect(part).to_contain_text("pass^k by stakes")


def test_unknown_and_missing_trials_are_not_passed_over(read):
    """Trials that the harness ended and trials that never ran have marks of their own, and their bounds are said."""
    page = read(everything())
    strips = [strip.split() for strip in page.locator("#tasks .strip").all_inner_texts()]
    assert strips[:4] == [["_"] * 4, ["≠", "≠", "?", "_"], ["?", "_", "_", "_"], ["?", "_", "_", "_"]]
    expect(page.locator("#regression")).to_contain_text("strict pass^1 lies between 0.000 (all failed) and 0.969 (all passed)")
    expect(page.locator("#run")).to_contain_text("not run")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_keeps_the_rules_of_accessibility(read, scheme):
    """List and open trace, every fold open, violate no rule of axe, in light and in dark colours."""
    page = read(everything(), scheme=scheme)
    found = [Axe().run(page, options=FAULTS_ONLY)]
    change_address(page, "task=water-001&trial=0&step=6")
    expect(page.locator("#trace li[aria-current]")).to_be_visible()
    unfold(page)
    found.append(Axe().run(page, options=FAULTS_ONLY))
    assert [(one["id"], one["nodes"][0]["html"]) for result in found for one in result.response["violations"]] == []

"""A comparison drawn in every format: gains that must not be believed first, nothing from outside as markup, everything adding up."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec
import pytest
from msgspec import structs

from seatrial.compare import compare
from seatrial.compare.pairwise import pairwise
from seatrial.records.comparison import Comparison
from seatrial.records.manifest import Business
from seatrial.report import comparison, comparison_html, comparison_json, comparison_markdown, pairwise_markdown
from seatrial.report import pairwise as pairwise_terminal
from tests.compare.runs import always, never, run, some, task, tasks
from tests.report import summaries
from tests.report.html import voyages

RENDERERS = {
    "terminal": lambda found: comparison.render(found, width=80, colour=False),
    "markdown": comparison_markdown.render,
    "html": comparison_html.render,
    "json": comparison_json.render,
}


def shortcut() -> Comparison:
    """Return a comparison with a shortcut, losses, an added task and money."""
    old = [task("a", loss="water"), *tasks(12, "r", "regression", loss="fire")]
    new = [*old, task("new")]
    before = run(old, lambda one, trial: "pppp" if one != "a" or trial == 0 else "fppp")
    after = run(new, lambda one, _trial: "pfpp" if one in ("a", "r-000") else "pppp", name="candidate", business=Business(100, 10))
    return compare(before, after, runs=("a b.seatrial", "c.seatrial"))


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_a_shortcut_stands_above_the_conclusion(form):
    """A gain without a required step is the first thing that a reader sees."""
    text = RENDERERS[form](shortcut())
    assert -1 < text.index("Gained without a required step") < text.index("under strict on the shared tasks")


@pytest.mark.parametrize("form", RENDERERS)
def test_a_comparison_is_drawn_twice_alike(form):
    """The text depends on the comparison alone, and can be written."""
    text = RENDERERS[form](shortcut())
    assert text == RENDERERS[form](shortcut())
    text.encode("utf-8")


def test_json_is_the_record():
    """Nothing is lost on the way out."""
    assert msgspec.json.decode(comparison_json.render(shortcut()), type=Comparison) == shortcut()


def test_the_terminal_fits_its_width_apart_from_commands():
    """Sentences and tables keep to 80 columns; a command is never broken, and its names are quoted for a shell."""
    lines = RENDERERS["terminal"](shortcut()).splitlines()
    assert max(len(line) for line in lines if "seatrial show" not in line) <= 80
    assert any("seatrial show 'a b.seatrial' a --trial" in line for line in lines)


def test_the_set_is_told_apart_from_the_agent():
    """An added task is named, and its part of the score stands beside the agent's."""
    text = RENDERERS["terminal"](shortcut())
    assert "Capability: whose doing the whole score is" in text
    assert re.search(r"from 1 task that only the candidate's run has", text)
    assert "Added: new." in text


def test_tasks_of_the_holdout_are_in_no_command():
    """A withheld task cannot be shown, so nobody is sent to it."""
    held = [structs.replace(one, split="holdout") for one in tasks(3)]
    text = RENDERERS["terminal"](compare(run(held, always), run(held, never), runs=("a", "b")))
    assert "seatrial show" not in text


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_a_run_without_a_date_is_named_without_one(form):
    """Where an imported run does not say when it ran, its seed stands alone; nothing is left between commas."""
    found = shortcut()
    undated = structs.replace(found, baseline=structs.replace(found.baseline, created_at=""))
    assert f"(seed {found.baseline.seed})" in RENDERERS[form](undated)
    assert f"(seed {found.baseline.seed}, {found.baseline.created_at})" in RENDERERS[form](found)


def test_small_p_values_are_not_written_as_nothing():
    """p below 0.001 is said to be below it."""
    both = tasks(40)
    text = RENDERERS["terminal"](compare(run(both, some({one.id: index % 3 for index, one in enumerate(both)})), run(both, always)))
    assert "<0.001" in text


class _Reader(HTMLParser):
    """Collects the elements and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_hostile_text_is_shown_and_never_becomes_markup():
    """Names, slices and reasons that clear screens or open elements do neither, in any format."""
    odd = structs.replace(task("t-1", kind="regression"), slices={summaries.HOSTILE: summaries.HOSTILE})
    found = compare(run([odd], always, name=summaries.HOSTILE), run([odd], never, name=summaries.HOSTILE), runs=(summaries.HOSTILE, "b"))
    found = structs.replace(found, warnings=(summaries.HOSTILE,), added=(summaries.HOSTILE,))
    for form in ("terminal", "markdown", "html"):
        # What stands in the data of a page is shown by its script, which writes such characters out.
        text = RENDERERS[form](found).split('<script type="application/json"')[0]
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
    reader = _Reader()
    reader.feed(RENDERERS["html"](found))
    assert sum(tag == "script" for tag, _ in reader.tags) == 2
    assert "\\<script\\>" in RENDERERS["markdown"](found)


def test_the_page_holds_both_traces_and_says_which_are_left_out():
    """A task whose traces are there is a button; one that has none is a plain name."""
    both = tasks(2)
    found = compare(run(both, always), run(both, never))
    side = voyages.trace(), voyages.grade()
    page = comparison_html.render(found, traces={"t-000": (side, None)})
    reader = _Reader()
    reader.feed(page)
    assert [attributes["data-pair"] for tag, attributes in reader.tags if tag == "button"] == ["0"]
    assert "t-001" in page
    assert {attributes.get("id") for tag, attributes in reader.tags if tag == "script"} == {"data", "pair-0", None}


def test_the_page_asks_for_nothing_from_outside():
    """Every script and style is part of the file, allowed by its hash alone."""
    page = RENDERERS["html"](shortcut())
    assert "default-src 'none'" in page
    assert not re.search(r"\b(src|href)=\"(?!#)", page)
    assert "{{" not in page.split("<script>")[0]


def test_many_candidates_are_corrected_for_their_number():
    """Better and worse are said only where the corrected p is below 0.05, and the kinds have tables of their own."""
    both = tasks(12)
    first = run(both, always)
    better, alike = (
        run(both, never, name="bad"),
        run(both, lambda one, trial: "fppp" if one == "t-000" and not trial else "pppp", name="alike"),
    )
    found = pairwise([compare(first, better), compare(first, alike)], ["baseline", "bad", "alike"])
    assert [(line.name, line.verdict) for line in found.lines] == [("bad", "worse"), ("alike", "no difference detected")]
    assert all(line.p_holm >= line.difference.p_value for line in found.lines)
    for text in (pairwise_terminal.render(found, width=100, colour=False), pairwise_markdown.render(found)):
        assert "Capability: each against baseline" in text
        assert "measure it again on a holdout" in text


def test_several_candidates_end_with_the_steps_they_lost_and_the_next_command():
    """A required call that one of them left out is told with its trials, and the command that shows more is ready to type."""
    both = tasks(12)
    first, alike = run(both, always), run(both, always, name="alike")
    skips = run(both, lambda _task, trial: "pfpp" if trial else "pppp", name="skips")
    pairs = [compare(first, one, runs=("first.seatrial", f"{one.candidate.name}.seatrial")) for one in (alike, skips)]
    found = pairwise(pairs, ["baseline", "alike", "skips"])
    assert [(call.name, call.tasks, call.before, call.after) for call in found.stopped] == [("skips", 12, 0, 36)]
    for text in (pairwise_terminal.render(found, width=100, colour=False), pairwise_markdown.render(found)):
        assert "Required steps that stopped running, against baseline" in text
        assert "0 → 36" in text
        assert "seatrial compare first.seatrial skips.seatrial" in text.rstrip().splitlines()[-1]
    calm = pairwise(pairs[:1], ["baseline", "alike"])
    assert "seatrial gate alike.seatrial --baseline first.seatrial" in pairwise_terminal.render(calm, width=100, colour=False)


def test_slices_that_are_not_shown_are_counted_with_their_alarms():
    """Of forty slices that fell six have a row in the terminal; the others are counted, their alarms too, and files have them all."""
    both = [task(f"t-{part:02}-{index}", part=f"s{part:02}") for part in range(40) for index in range(2)]
    found = compare(run(both, always), run(both, lambda one, _trial: "fppp" if one < "t-30" else "pppp", name="c"))
    text = RENDERERS["terminal"](found)
    assert text.count(" suspect\n") == 6
    assert "34 more slices, of these 24 suspect: -o compare.html has all." in " ".join(text.split())
    for form in ("markdown", "html"):
        assert "more slices" not in RENDERERS[form](found)
        assert all(f"part=s{part:02}" in RENDERERS[form](found) for part in range(40))


def test_the_terminal_shows_the_slices_that_tell_something():
    """A slice with an alarm or with an interval that leaves out nothing has a row, one that is the whole kind has none."""
    both = [*tasks(12, "up", part="up", all="yes"), *tasks(12, "as", part="alike", all="yes")]
    found = compare(
        run(both, some({one.id: 0 if one.id < "b" else 1 for one in both})),
        run(both, some({one.id: 4 if one.id > "b" else 0 for one in both})),
    )
    slices = RENDERERS["terminal"](found).partition("\nSlices\n")[2].partition("\n\n")[0]
    assert "part=up" in slices
    assert not re.search("part=alike|all=yes", slices)
    assert "2 more slices: -o compare.html has all." in slices


def test_where_no_slice_tells_anything_the_lowest_three_are_shown():
    """A reader sees that slices were looked at, and where it would have been worst."""
    both = [task(f"t-{index}", part=f"s{index}") for index in range(5)]
    text = RENDERERS["terminal"](compare(run(both, always), run(both, always, name="c")))
    assert re.findall("part=s[0-9]", text) == ["part=s0", "part=s1", "part=s2"]


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_the_sentence_and_the_way_to_read_a_table_are_said_once(form):
    """No sentence of the text is there twice, however many kinds there are."""
    text = " ".join(RENDERERS[form](shortcut()).split())
    assert text.count("under strict on the shared tasks, with 95") == 1
    assert text.count("never to be read alone") == text.count("Alarm: confirmed is") == text.count("Means over the shared tasks") == 1


def test_a_first_look_fits_a_screen_and_ends_with_both_traces():
    """Of many lost and gained tasks eight and five are listed; the commands of the next step stand at the end, and nowhere else."""
    both = [*tasks(30, "a"), *tasks(30, "b", "regression")]
    found = compare(
        run(both, some({one.id: 4 * (one.id > "b") for one in both})),
        run(both, some({one.id: 4 * (one.id < "b") for one in both}), name="c"),
    )
    text = RENDERERS["terminal"](
        structs.replace(found, baseline=structs.replace(found.baseline, run="a"), candidate=structs.replace(found.candidate, run="b"))
    )
    assert "Lost: 30 tasks, the first 8" in text
    assert "Gained: 30 tasks, the first 5" in text
    assert [line.split()[:3] for line in text.splitlines()[-2:]] == [["seatrial", "show", "a"], ["seatrial", "show", "b"]]
    assert text.count("seatrial show") == 2


def test_flipped_tasks_are_counted_whole():
    """A list that the record cuts is not counted as if it were all of it."""
    both = tasks(50, part="a")
    text = RENDERERS["markdown"](compare(run(both, always), run(both, never, name="c")))
    assert "t-007 and 42 more always passed and now fail half of the trials or more" in text


def test_the_tasks_of_a_slice_that_are_counted_are_called_lost():
    """Only drops count, so that two tasks that rose from never to always are none of them."""
    both = tasks(12, part="a")
    rises = compare(run(both, never), run(both, always, name="c"))
    text = RENDERERS["terminal"](rises)
    assert "tasks lost" in text
    assert "0/12" in text
    assert "flipped" not in text


def test_bounds_say_of_which_tasks_they_are():
    """A task without a known result has no difference and yet moves the bounds, which may then not hold the number of the others."""
    both = tasks(3)
    lost = run(both, lambda one, _trial: "" if one == "t-000" else "fppp", name="c")
    found = compare(run(both, lambda one, _trial: "fppp" if one == "t-000" else "pppp"), lost)
    text = " ".join(RENDERERS["terminal"](found).split())
    assert "strict pass^1 −100.0" in text
    assert "strict pass^1 over all shared tasks lies between −66.7 and −33.3 points" in text

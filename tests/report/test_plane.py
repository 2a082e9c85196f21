"""The plane, drawn: every renderer says the same of the same record, and nothing from outside becomes markup."""

from xml.etree import ElementTree as ET

import pytest

from seatrial.compare.plane import plane
from seatrial.report import plane as terminal
from seatrial.report import plane_markdown, plane_svg
from tests.compare._candidates import run

TASKS = [f"t{index:02}" for index in range(12)]
SVG = "{http://www.w3.org/2000/svg}"


def candidates(*names: str):
    """Return four candidates: two on the frontier, one behind it, one without a cost."""
    cheap, dear, behind, unpriced = names
    return [
        run(cheap, {**dict.fromkeys(TASKS, "pfpf")}, usd=0.1),
        run(dear, {**dict.fromkeys(TASKS, "pppp")}, usd=20.0, built_on=cheap),
        run(behind, {**dict.fromkeys(TASKS, "ffpf")}, usd=0.5),
        run(unpriced, dict.fromkeys(TASKS, "pppf"), usd=None),
    ]


@pytest.fixture(scope="module")
def drawn():
    return plane(candidates("cheap", "dear", "behind", "unpriced"), ks=(1, 4))


@pytest.fixture(scope="module")
def hostile():
    return plane(candidates("<script>alert(1)</script>", "a|b `c` [d](e)", "\x1b[31mred\u202e", "x" * 128), ks=(1, 4))


def test_the_frontier_is_said_in_words_first(drawn):
    """Who is on it, who is surely dominated and by whom."""
    first = " ".join(terminal.render(drawn, width=300, colour=False).splitlines()[:1])
    assert first == "Capability, pass^1 for its cost: cheap → dear; surely dominated: behind (by cheap)."


@pytest.mark.parametrize("width", [80, 110])
def test_the_text_fits_and_says_every_number(drawn, width):
    """Tables no wider than the terminal, one row a candidate, what is not known as a dash, what it carries in words."""
    text = terminal.render(drawn, width=width, colour=False)
    assert max(map(len, text.splitlines())) <= width
    assert "B costs $240 of its own and carries the cost of A." in text
    assert "D: usd not known on 12 of 12 tasks." in text
    assert "without a place: D" in text
    (line,) = (line for line in text.splitlines() if line.split()[:2] == ["D", "unpriced"])
    assert line.split()[2:] == ["–", "0.750", "0.500", "0.250", "0.000", "1.000", "12"]


def test_numbers_of_another_k_are_not_put_beside_each_other_unsaid():
    """Where candidates have other numbers of trials, the text names the k of each one's pass@k; with the same k, the column does."""
    runs = [run(name, dict.fromkeys(TASKS, verdicts), usd=1.0) for name, verdicts in (("four", "pfpf"), ("also", "pppf"), ("one", "p"))]
    text = " ".join(terminal.render(plane(runs, ks=(1,)), width=200, colour=False).split())
    assert "pass@k is pass@4 of A, B; pass@1 of C: as many trials as each task has" in text
    alike = " ".join(terminal.render(plane(runs[:2], ks=(1,)), width=200, colour=False).split())
    assert "pass@4" in alike
    assert "pass@k is" not in alike


def test_the_money_of_the_dear_one_is_named_with_its_selector(drawn):
    """The oracle is said to be an upper bound, the majority a lower one, and each row has an interval."""
    text = " ".join(terminal.render(drawn, width=110, colour=False).split())
    assert "B A cheap oracle ≤ 4+ 1.000 $0.1667 0.0 (" in text
    assert "B A cheap majority 3+ 0.500 $0.3" in text
    assert "an upper bound, since no deployed system has the grader's verdict" in text


def test_every_word_from_outside_stays_a_word(hostile):
    """Nothing in a name moves a cursor, becomes a tag, a link or a column."""
    text = terminal.render(hostile, width=100, colour=False)
    assert "\x1b" not in text
    assert "\u202e" not in text
    markdown = plane_markdown.render(hostile)
    assert "<script>" not in markdown
    assert "](e)" not in markdown.replace("\\]\\(", "").replace("\\](", "")
    picture = plane_svg.render(hostile)
    assert "<script>" not in picture
    ET.fromstring(picture)


def test_the_picture_can_be_read_without_seeing_it(drawn):
    """It is one image with a title and a description; every point has a title; shapes tell apart what colours do."""
    root = ET.fromstring(plane_svg.render(drawn))
    assert root.get("role") == "img"
    assert "cheap → dear" in root.find(f"{SVG}desc").text
    titles = [found.text for found in root.iter(f"{SVG}title")]
    assert titles[0] == "Cost and value of 4 candidates"
    assert [title.split(":")[0] for title in titles[1:]] == ["cheap", "behind", "dear"] * 2
    shapes = [mark.get("class") for group in root.iter(f"{SVG}g") for mark in list(group)[2:3]]
    assert shapes == ["convex", "behind", "convex"] * 2
    assert "prefers-color-scheme:dark" in root.find(f"{SVG}style").text


def test_every_mark_lies_within_the_picture(drawn):
    """Points, lines and labels have room."""
    root = ET.fromstring(plane_svg.render(drawn))
    _, _, width, height = map(float, root.get("viewBox").split())
    for mark in root.iter():
        for name, most in (("x", width), ("x1", width), ("x2", width), ("cx", width), ("y", height), ("y1", height), ("cy", height)):
            assert 0 <= float(mark.get(name, 0)) <= most


def test_costs_far_apart_are_drawn_by_their_logarithms_and_near_ones_are_not():
    """A factor of two hundred would press all cheap ones onto one line."""
    far = plane_svg.render(plane(candidates("a", "b", "c", "d"), ks=(1,)))
    near = plane_svg.render(plane([run("a", dict.fromkeys(TASKS, "pf"), usd=1.0), run("b", dict.fromkeys(TASKS, "pp"), usd=2.0)], ks=(1,)))
    assert "(logarithmic)" in far
    assert "(logarithmic)" not in near


@pytest.mark.parametrize("prices", [(None, None), (0.0, 0.0), (1.0, 1.0), (0.0, 5.0)])
def test_a_plane_without_an_extent_is_drawn_all_the_same(prices):
    """No place, one place, costs of nothing."""
    runs = [run(name, dict.fromkeys(TASKS, "pp"), usd=usd) for name, usd in zip("ab", prices, strict=True)]
    found = plane(runs, ks=(1,))
    ET.fromstring(plane_svg.render(found))
    assert terminal.render(found, width=80, colour=False)


def test_a_plane_without_prices_says_which_cost_is_known():
    """In place of tables of nothing there is the option that draws the plane."""
    found = plane([run(name, {f"t{n}": "pp" for n in range(6)}, usd=None) for name in ("a", "b", "c")])
    text = " ".join(terminal.render(found, width=100, colour=False).split())
    assert f"--cost {found.instead} draws the plane" in text
    assert found.instead in ("tokens", "calls", "seconds")
    assert "against pass^" not in text


def test_keys_go_on_after_z():
    """Thirty candidates have thirty keys."""
    runs = [run(f"c{index}", dict.fromkeys(TASKS, "p"), usd=1.0 + index) for index in range(30)]
    text = terminal.render(plane(runs, ks=(1,)), width=110, colour=False)
    assert any(line.split()[:2] == ["AD", "c29"] for line in text.splitlines())

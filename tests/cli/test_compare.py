"""`seatrial compare` as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seatrial.run import Selection
from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import seatrial

CLAIMS = Path(__file__).parents[2] / "examples" / "claims_intake"
STEADY = '''
def steady(task, tools, user):
    """Close, and look first unless the ticket is hard and even."""
    if "hard and even" not in task.input:
        tools.look(ticket_id="T-1")
    tools.close(ticket_id="T-1")
    return "Done."


def improved(task, tools, user):
    """Always look, then close."""
    tools.look(ticket_id="T-1")
    tools.close(ticket_id="T-1")
    return "Done."
'''
"""A deterministic agent that half of the hard tasks defeat, and one that none does."""


def capability(kind: str, index: int) -> str:
    """Return the text of a capability task."""
    words = f"This one is {kind} and {'odd' if index % 2 else 'even'}. Please close"
    return desk.task(f"{kind}-{index:02}").replace("kind: regression", "kind: capability").replace("Please close", words)


@pytest.fixture(scope="module")
def water(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Baseline and candidate of the claims desk on its water tasks."""
    folder = tmp_path_factory.mktemp("water")
    agents = ("agents:baseline", "agents:candidate")
    return list(sail(CLAIMS, *agents, output=folder, selection=Selection(tasks=("water-*",))).paths)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs on a suite of twenty hard capability tasks, and on the same suite with thirty easy ones added."""
    folder = tmp_path_factory.mktemp("grown")
    hard, easy = ({f"{kind}-{index:02}": capability(kind, index) for index in range(n)} for kind, n in (("hard", 20), ("easy", 30)))
    small, large = desk.write(folder / "small", STEADY, tasks=hard), desk.write(folder / "large", STEADY, tasks=hard | easy)
    runs = {"small": (small, "steady"), "large": (large, "steady"), "improved": (large, "improved")}
    for name, (suite, agent) in runs.items():
        sail(suite, f"agents:{agent}", output=folder / f"{name}.seatrial")
    return {name: folder / f"{name}.seatrial" for name in runs}


def compared(*words: object) -> dict:
    """Return what `seatrial compare --json` says."""
    done = seatrial("compare", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_easy_tasks_raise_the_score_and_none_of_it_is_the_agents(grown):
    """Thirty easy tasks added to a capability set: the score rises, all of the rise is the set's, and none the agent's."""
    found = compared(grown["small"], grown["large"])
    (kind,) = found["kinds"]
    split = kind["decompositions"][0]
    assert (split["before"], split["after"]) == pytest.approx((0.5, 0.8))
    assert split["agent"] == 0.0
    assert split["parts"] == [{"name": "added", "tasks": 30, "effect": split["total"]}]
    assert (kind["strict"]["estimate"]["value"], found["lost"], found["gained"]) == (0.0, [], [])
    screen = seatrial("compare", grown["small"], grown["large"]).stdout
    assert "50.0 % → 80.0 %: +30.0 points, of these" in screen
    assert "0.0 from the agent, on the shared tasks" in screen
    assert "+30.0 from 30 tasks that only the candidate's run has" in screen


def test_what_agent_and_set_do_at_once_is_told_apart(grown):
    """The better agent on the grown set: its own gain on the shared tasks, and what the easy tasks take off it, add up."""
    split = compared(grown["small"], grown["improved"])["kinds"][0]["decompositions"][0]
    (added,) = split["parts"]
    assert split["agent"] == 0.5
    assert split["agent"] + added["effect"] == split["total"] == split["after"] - split["before"]


def test_the_claims_candidate_gained_without_the_coverage_check(water):
    """The gain on a water task stands first, named with the step that stopped running; the water slice is a confirmed regression."""
    screen = seatrial("compare", *water, "--reveal").stdout
    first, _, rest = screen.partition("candidate against baseline under strict")
    assert "Gained without a required step" in first
    assert "water-027" in first
    assert "coverage never ran: 0 → 4" in first
    assert "on 20 tasks: worse" in " ".join(rest.split())
    assert "coverage       coverage_rules" in rest
    found = compared(*water)
    assert {task["slices"]["loss_type"] for task in found["shortcuts"]} == {"water"}
    assert {task["after"]["wrong_reason"] for task in found["moved_away"] if task["kind"] == "regression"} == {4}
    assert all(step["requirement"] == "coverage" for task in found["lost"] for step in task["lost_steps"])


def test_the_holdout_is_named_only_when_it_is_asked_for(water):
    """Without --reveal no holdout task is named, shown, or part of the page."""
    page = water[0].with_name("closed.html")
    said = (
        seatrial("compare", *water).stdout + seatrial("compare", *water, "--json").stdout + seatrial("compare", *water, "-o", page).stdout
    )
    for name in ("water-014", "water-027"):
        assert name not in said + page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "start"), [("c.html", "<!doctype html>"), ("c.md", "# candidate against baseline"), ("c.json", "{")])
def test_a_file_is_written_in_the_format_of_its_name(water, tmp_path, name, start):
    """-o FILE writes HTML, Markdown or JSON, prints nothing else, and names the file."""
    done = seatrial("compare", *water, "-o", tmp_path / name)
    assert (done.returncode, done.stdout) == (0, "")
    assert name in done.stderr
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_the_page_holds_the_traces_of_both_sides(water, tmp_path):
    """A flipped task stands in the page with the baseline's strict trial and the candidate's that skipped the check."""
    seatrial("compare", *water, "-o", tmp_path / "c.html")
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    at = page.index('data-form="json">', page.index('id="pair-0"')) + len('data-form="json">')
    before, after = json.loads(page[at : page.index("</script>", at)])
    assert before["trace"]["identity"]["task"] == after["trace"]["identity"]["task"]
    tools = [[step["tool"] for step in side["trace"]["steps"] if step["step"] == "call"] for side in (before, after)]
    assert ["coverage_rules" in side for side in tools] == [True, False]


def test_the_bar_can_be_outcome_alone(water):
    """By outcome alone the skipped check is not seen, and the sentence says by what it goes."""
    found = compared(*water, "--criterion", "outcome")
    assert "by outcome alone" in found["conclusion"]
    assert len(found["lost"]) < len(compared(*water)["lost"])


def test_several_runs_are_held_against_the_first(water, tmp_path):
    """More than two runs: the plane, and each against the first with p corrected for their number."""
    third = tmp_path / "third.seatrial"
    third.write_bytes(water[0].read_bytes())
    done = seatrial("compare", *water, third, "--cost", "calls")
    assert done.returncode == 0, done.stderr
    assert "each against baseline" in done.stdout
    found = compared(*water, third, "--cost", "calls")
    assert set(found) == {"plane", "pairwise", "comparisons", "version"}
    assert len(found["comparisons"]) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["RUN"], "needs two runs or more"),
        (["RUN", "RUN"], "given twice"),
        (["RUN", "OTHER", "-o", "c.pdf"], "says no format"),
        (["RUN", "OTHER", "--k", "0"], "0 is not in the range"),
        (["RUN", "OTHER", "--built-on", "candidate"], "is not NAME=BASE"),
        (["RUN", "missing.seatrial"], "missing.seatrial"),
        (["RUN", "OTHER", "--criterion", "process"], "'process' is not one of"),
    ],
)
def test_a_mistake_is_told_in_a_line(water, words, told):
    """A wrong use names what was wrong, ends with 2, and shows no traceback."""
    names = {"RUN": water[0], "OTHER": water[1]}
    done = seatrial("compare", *(names.get(word, word) for word in words))
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr

"""The terminal report: the decision first, everything that is asked for, 80 columns, and safe against what it prints."""

import unicodedata
from pathlib import Path

import pytest
from msgspec import structs

from seatrial.compare.losses import losses
from seatrial.report import _console, _wording, candidates, terminal
from tests.report import summaries

SNAPSHOTS = Path(__file__).parent / "snapshots"
RUNS = ["baseline", "shortcut", "perfect", "everything", "reviewed", "hostile"]


def text_of(name: str, width: int = 80) -> str:
    return terminal.render(getattr(summaries, name)(), run="run.seatrial", width=width, colour=False)


@pytest.mark.parametrize("name", ["shortcut", "everything", "reviewed"])
def test_the_report_reads_as_it_was_approved(name):
    """The whole text is the approved one; a change shows in review."""
    assert text_of(name) == (SNAPSHOTS / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("width", [60, 80, 110])
def test_no_line_is_wider_than_the_terminal(name, width):
    """Nothing runs over the edge but a command, which must stay in one piece to be copied."""
    lines = [line for line in text_of(name, width).splitlines() if not line.strip().startswith("seatrial ")]
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize(("name", "word"), [("perfect", "PASS"), ("shortcut", "FAIL"), ("everything", "FAIL")])
def test_the_decision_stands_first_and_last(name, word):
    """The first line is the decision; the end repeats it with the next command."""
    lines = text_of(name).splitlines()
    assert lines[0].startswith(f"{word}: ")
    ending = lines[len(lines) - lines[::-1].index("") :]
    assert ending[0] == lines[0]
    assert any(line.startswith("next: ") for line in ending)
    assert len(ending) <= 15


def test_right_answers_for_the_wrong_reason_are_named():
    """The tasks stand by name below the matrix of their kind."""
    text = text_of("shortcut")
    capability, regression = text.split("Regression: outcome × process")
    assert "Right answer, wrong reason: 8 trials of 2 tasks:" in capability
    assert "water-000 4/4, water-015 4/4" in capability
    assert "Right answer, wrong reason: 12 trials of 3 tasks:" in regression
    assert "water-005 4/4, water-010 4/4, water-020 4/4" in regression


def test_the_questions_of_each_kind_add_up():
    """Capability and regression have tables of their own, and what both count is what the run counts."""
    summary = summaries.everything()
    names = ("passed", "failed", "undetermined", "not_applicable", "error", "not_run")
    for at, row in enumerate(summary.questions):
        parts = [kind.questions[at] for kind in summary.kinds]
        assert [part.question for part in parts] == [row.question] * 2
        assert [sum(getattr(part, name) for part in parts) for name in names] == [getattr(row, name) for name in names]


def test_unknown_things_are_said_to_be_unknown():
    """Missing trials give bounds, a missing price is not 0, and a ceiling that is not set is named."""
    text = text_of("everything")
    assert "not known" in text
    assert "all failed" in text
    assert "Budget ceilings not set" in text
    assert "part of the suite" in text


def test_the_tool_to_look_at_is_named_with_the_confused_pair():
    """The worst row says what to do."""
    text = text_of("everything")
    assert "policy_search was called where policy_lookup was expected: 1 time." in text
    assert "look at this tool's description." in text


def test_colour_is_a_choice_and_changes_no_word(monkeypatch):
    """With colour the words are the same; without there is no escape sequence at all."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = terminal.render(summaries.shortcut(), run="run.seatrial", width=80, colour=True)
    assert "\x1b[" in coloured
    assert "\x1b" not in text_of("shortcut")


@pytest.mark.parametrize("name", ["update_reservation_passengers", "a" * 50, "x_" * 20, "no"])
def test_long_names_are_broken_and_never_cut(name):
    """A name over several lines has every character, and no line is wider than its column."""
    lines = _console.broken(name, 17).split("\n")
    assert "".join(lines) == name
    assert max(map(len, lines)) <= 17


def test_no_color_is_honoured(monkeypatch):
    """NO_COLOR takes the colours away."""
    monkeypatch.setenv("NO_COLOR", "1")
    coloured = terminal.render(summaries.shortcut(), run="run.seatrial", width=80, colour=True)
    assert not any(f"\x1b[{code}" in coloured for code in ("31", "1;31", "32", "33"))


def test_hostile_text_cannot_move_the_cursor():
    """Control and format characters from a trace are written out."""
    both = [summaries.hostile()] * 2
    for text in (text_of("hostile"), candidates.render(both, [losses(*both)], width=80, colour=False)):
        assert {char for char in text if unicodedata.category(char)[0] == "C"} == {"\n"}
        assert "\\e[2J" in text


def test_a_run_without_a_decision_says_so():
    """A summary that no gate has seen is not passed."""
    from msgspec import structs

    text = terminal.render(structs.replace(summaries.perfect(), decision=None), width=80, colour=False)
    assert text.startswith("No gate has looked at this run yet.")


@pytest.mark.parametrize("columns", ["0", "1", "7"])
def test_a_terminal_without_a_width_gets_the_usual_one(monkeypatch, columns):
    """A width in which nothing can be read is not believed: the report is that of 80 columns, not empty."""
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal.render(summaries.shortcut(), run="run.seatrial", colour=False) == text_of("shortcut")


@pytest.mark.parametrize(
    ("reason", "steps", "shown"),
    [
        ("step 6, route: an extra call", (6,), "step 6, route: an extra call"),
        ("met by steps 2, 4", (2, 4, 6), "met by steps 2, 4 (step 6)"),
        ("an extra call", (6,), "an extra call (step 6)"),
        ("step 60 came late", (6,), "step 60 came late (step 6)"),
        ("nothing", (), "nothing"),
    ],
)
def test_a_step_is_named_once(reason, steps, shown):
    """The steps that show a reason follow it, unless it names them itself."""
    assert _wording.with_steps(reason, steps) == shown


def test_a_smaller_k_says_why():
    """Where tasks have fewer trials than the suite's k, the report says so with both numbers and the suite's reason."""
    summary = summaries.run("careful", lambda _index, _trial: "pppp", trials=2)
    asked = structs.replace(summary, headline_k=4)
    text = " ".join(terminal.render(asked, width=110, colour=False).split())
    assert (
        "k = 2, because some tasks have only 2 trials (the suite asks for 4: an adjuster sees the same claim four times a shift)." in text
    )
    assert "k = 2: an adjuster" in " ".join(terminal.render(structs.replace(summary, headline_k=2), width=110, colour=False).split())


def test_the_next_command_can_be_copied():
    """Run file, suite folder and agent stand where the sentence has its words in capitals, quoted for a shell; unknown ones stay."""
    summary = summaries.run("careful", lambda _index, _trial: "pppp", partial="--split dev")
    known = terminal.render(summary, run="my runs/a.seatrial", suite="my suite", colour=False, width=80)
    assert "seatrial run 'my suite' --agent" in known
    assert "-o 'my runs/a.seatrial'\n" in known
    assert "seatrial run SUITE --agent" in terminal.render(summary, run="a.seatrial", colour=False, width=80)

"""Where every argument value came from, shown on demand: by `show`, its JSON, and HTML; never stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seatrial.app.rendering import rendered
from seatrial.app.reporting import summary_of
from seatrial.app.show import trial_of
from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import seatrial

AGENTS = '''
def inventive(task, tools, user):
    """Look at the ticket that the user named, and at one that nobody did."""
    tools.look(ticket_id="T-1")
    tools.look(ticket_id="T-94")
'''


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of the inventive agent."""
    path = tmp_path / "r.seatrial"
    sail(desk.write(tmp_path / "suite", AGENTS), "agents:inventive", output=path)
    return path


def test_show_says_of_every_value_where_it_came_from(run: Path) -> None:
    """One row a value: what the user said, and what stands nowhere."""
    shown = trial_of(run, "a-1", 0, sources=True)
    assert [(row.argument, row.source, row.where) for row in shown.sources] == [
        ("look.ticket_id", "user", "user turn, step 1"),
        ("look.ticket_id", "none", ""),
    ]


def test_nobody_asked_and_nothing_is_shown(run: Path) -> None:
    """Without being asked, `show` explains nothing, and the stored grade lists only what has no source."""
    shown = trial_of(run, "a-1", 0)
    assert shown.sources == ()
    assert [row.source for row in shown.grade.sources] == ["none"]


def test_the_program_prints_it_as_text_and_as_json(run: Path) -> None:
    """`seatrial show --sources` has a section of its own, and its JSON a list beside the grade."""
    assert "Where values came from" in seatrial("show", run, "a-1", "--sources").stdout
    assert "Where values came from" not in seatrial("show", run, "a-1").stdout
    told = json.loads(seatrial("show", run, "a-1", "--sources", "--json").stdout)
    assert [row["source"] for row in told["sources"]] == ["user", "none"]


def test_html_holds_it_where_it_is_asked_for(run: Path) -> None:
    """The traces of an HTML report say it only with `sources`."""
    plain, told = (rendered(summary_of(run), run, "html", sources=sources) for sources in (False, True))
    assert '"source":"user"' in told
    assert '"source":"user"' not in plain

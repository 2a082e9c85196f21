"""One real run and one browser for all tests of the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from seatrial.app.comparing import compare_runs, rendered_comparison
from seatrial.app.rendering import rendered
from seatrial.app.reporting import summary_of
from seatrial.records.grade import Grade
from seatrial.records.summary import RunSummary
from seatrial.run import Selection
from tests._suites.sailing import grades, sail
from tests.report.html.reading import Reading

CLAIMS = Path(__file__).parents[3] / "examples" / "claims_intake"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True)
class ClaimsRun:
    """A real run: nine water claims, four trials each, of an agent that skips a required call on some.

    Attributes:
        path: The run file.
        summary: Its summary.
        grades: Its grades by task and trial.
        page: Its report.
    """

    path: Path
    summary: RunSummary
    grades: dict[tuple[str, int], Grade]
    page: str


@pytest.fixture(scope="package")
def claims(tmp_path_factory: pytest.TempPathFactory) -> ClaimsRun:
    """Run the claims agent that is right for the wrong reason."""
    path = tmp_path_factory.mktemp("claims") / "claims.seatrial"
    sail(CLAIMS, "agents:candidate", output=path, selection=Selection(tasks=("water-00*",)))
    summary = summary_of(path)
    return ClaimsRun(path, summary, grades(path), rendered(summary, path, "html"))


@pytest.fixture(scope="package")
def comparison(claims: ClaimsRun, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the page on which the run is held against that of an agent that skips no call."""
    before = tmp_path_factory.mktemp("before") / "before.seatrial"
    sail(CLAIMS, "agents:baseline", output=before, selection=Selection(tasks=("water-00*",)))
    return rendered_comparison(compare_runs([before, claims.path]).comparisons[0], "html")


@pytest.fixture(scope="package")
def reading(claims: ClaimsRun, comparison: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    """Start a browser; it asks for the runs only so that it comes after them: its loop stays on this thread and lets no other begin."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield Reading(started, tmp_path_factory.mktemp("pages"))
        started.close()


@pytest.fixture
def read(reading: Reading) -> Iterator[Callable[..., Page]]:
    """Open documents in the browser; whatever a test does, none reports an error, opens a box or asks for another file."""
    reading.begin()
    yield reading.open
    assert reading.faults == []
    assert reading.asked_for <= reading.written

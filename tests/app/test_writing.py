"""Reports are written at once, and never over a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.reporting import summary_of
from seatrial.app.writing import write_report
from seatrial.base.errors import RunFileError, UsageError
from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import seatrial


def test_a_report_never_replaces_a_run(tmp_path: Path) -> None:
    """`-o` with the name of the run, or of a link to it, is refused, and the run is as it was."""
    run = tmp_path / "r.seatrial"
    sail(desk.write(tmp_path / "suite"), "agents:good", output=run)
    before = run.read_bytes()
    (tmp_path / "report.html").symlink_to(run)
    for output in (run, tmp_path / "report.html"):
        with pytest.raises(RunFileError, match="would be lost"):
            write_report("text", output)
    told = seatrial("report", str(run), "-o", str(run), "--format", "json", folder=tmp_path)
    assert (told.returncode, "Traceback" in told.stderr) == (2, False)
    assert run.read_bytes() == before
    assert summary_of(run).trials_seen == 4


def test_a_report_is_replaced_at_once_or_not_at_all(tmp_path: Path) -> None:
    """An earlier report stays when the new one cannot be written, and no half of one is left beside it."""
    output = tmp_path / "report.md"
    output.write_text("earlier", encoding="utf-8")
    output.chmod(0o640)
    write_report("later \ud800", output)
    assert (output.read_text(encoding="utf-8"), output.stat().st_mode & 0o777) == ("later ?", 0o640)
    with pytest.raises(UsageError, match="cannot be written"):
        write_report("text", tmp_path / "missing" / "report.md")
    with pytest.raises(UsageError, match="cannot be written"):
        write_report("text", tmp_path / ("x" * 300 + ".md"))
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Where the name is a link, the file that it leads to is written."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "report.md").write_text("earlier", encoding="utf-8")
    link = tmp_path / "report.md"
    link.symlink_to(tmp_path / "there" / "report.md")
    write_report("later", link)
    assert link.is_symlink()
    assert (tmp_path / "there" / "report.md").read_text(encoding="utf-8") == "later"

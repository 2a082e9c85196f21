"""What a suite calls sensitive is in no byte that is written, and the grades are those of the unredacted run."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
import zstandard

from seatrial.app.loading import load
from seatrial.app.redacting import KEY_VARIABLE
from seatrial.app.regrade import regrade
from seatrial.app.reporting import summary_of
from seatrial.base.errors import SuiteError, UsageError
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import grades, sail, traces

AGENTS = '''
def chatty(task, tools, user):
    """Say everything, to everybody."""
    seen = tools.look(ticket_id="T-1")
    user.say(f"I found {seen['holder']}, who can be reached under ann@example.org.")
    tools.close(ticket_id="T-1")
    tools.call("close", {"ticket_id": "ann@example.org"})
    return f"Ticket T-1 of {seen['holder']} is closed."


def naming(task, tools, user):
    """Fail with a name in the error."""
    raise ValueError("I do not know Ann Example, ann@example.org")
'''
REDACT = r"""
documents: [policy.md]
redact:
  fields: [holder]
  patterns: ['[\w.]+@[\w.]+']
"""
SECRETS = ("Ann Example", "ann@example.org")


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The desk, with holders and addresses to be hidden."""
    monkeypatch.setenv(KEY_VARIABLE, "a key of a test, long enough")
    folder = desk.write(tmp_path / "suite", AGENTS, suite=desk.SUITE + REDACT)
    (folder / "policy.md").write_text("Write to ann@example.org before you close a ticket of Ann Example.\n", encoding="utf-8")
    return folder


def plain(folder: Path) -> Path:
    """The same suite with nothing to hide."""
    copy = desk.write(folder / "plain", AGENTS, suite=desk.SUITE + "documents: [policy.md]\n")
    (copy / "policy.md").write_text("Write to ann@example.org before you close a ticket of Ann Example.\n", encoding="utf-8")
    return copy


def everything_in(path: Path) -> str:
    """Return every record of a run file as text, unpacked, and every text of its tables."""
    parts = [path.read_bytes().decode("latin-1")]
    with RunFile.open(path) as file:
        parts += [str(file.manifest), str(file.tasks()), *map(str, file.traces()), *map(str, file.grades())]
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA query_only = 1")
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in connection.execute(f"SELECT * FROM {table}"):
            parts += [_unpacked(value) if isinstance(value, bytes) else str(value) for value in row]
    connection.close()
    return "\n".join(parts)


def _unpacked(value: bytes) -> str:
    try:
        return zstandard.ZstdDecompressor().decompress(value, max_output_size=10_000_000).decode("latin-1")
    except zstandard.ZstdError:
        return value.decode("latin-1")


@pytest.mark.parametrize("agent", ["chatty", "good", "naming"])
def test_no_sensitive_value_is_written(suite: Path, tmp_path: Path, agent: str) -> None:
    """Neither field values nor pattern matches stand in traces, tasks, manifest, grades or error texts, wherever they were said."""
    path = tmp_path / "r.seatrial"
    sail(suite, f"agents:{agent}", output=path)
    text = everything_in(path)
    assert [secret for secret in SECRETS if secret in text] == []
    assert "redacted-" in text


@pytest.mark.parametrize("agent", ["chatty", "good", "bad"])
def test_grades_are_those_of_the_unredacted_run(suite: Path, tmp_path: Path, agent: str) -> None:
    """Equal pseudonyms for equal values: provenance, arguments, outcome grade alike; so does a regrade from the file alone."""
    sail(suite, f"agents:{agent}", output=tmp_path / "hidden.seatrial")
    sail(plain(tmp_path), f"agents:{agent}", output=tmp_path / "open.seatrial")
    hidden, unhidden = (_verdicts(tmp_path / f"{name}.seatrial") for name in ("hidden", "open"))
    assert hidden == unhidden
    assert regrade(tmp_path / "hidden.seatrial").changed == ()
    assert regrade(tmp_path / "hidden.seatrial", loaded=load(suite)).changed == ()
    assert summary_of(tmp_path / "hidden.seatrial").trials_seen == 4


def test_the_agent_sees_what_the_file_does_not_hold(suite: Path, tmp_path: Path) -> None:
    """Redaction is for what is written: the world and the agent work on the real values."""
    sail(suite, "agents:chatty", output=tmp_path / "r.seatrial")
    trace = next(iter(traces(tmp_path / "r.seatrial").values()))
    assert trace.status == "completed"
    assert any(change.path == "tickets/T-1" for change in trace.changes)


def test_another_key_does_not_go_on_with_a_run(suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under another key equal values would have two pseudonyms: resuming and judging by the suite are refused, and say why."""
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:good", output=path)
    monkeypatch.setenv(KEY_VARIABLE, "another key of a test, long enough")
    with pytest.raises(UsageError, match=f"another key.*{KEY_VARIABLE}"):
        sail(suite, "agents:good", output=path)
    with pytest.raises(UsageError, match="another key"):
        regrade(path, loaded=load(suite))
    assert regrade(path).trials == 4


def test_a_key_is_made_once_and_is_the_owners_alone(suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a variable the key lies in a file that nobody else may read, the same for every run."""
    monkeypatch.delenv(KEY_VARIABLE)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    sail(suite, "agents:good", output=tmp_path / "r.seatrial")
    assert sail(suite, "agents:good", output=tmp_path / "r.seatrial").ran == 0
    (file,) = (tmp_path / "config").rglob("*.key")
    assert file.stat().st_mode & 0o077 == 0


def test_a_broken_pattern_is_an_error_of_the_suite(suite: Path, tmp_path: Path) -> None:
    """A pattern that is no regular expression is told with the suite's file."""
    (suite / "suite.yaml").write_text(desk.SUITE + "documents: [policy.md]\nredact: {patterns: ['(']}\n", encoding="utf-8")
    with pytest.raises(SuiteError, match=r"suite\.yaml"):
        sail(suite, "agents:good", output=tmp_path / "r.seatrial")


def _verdicts(path: Path) -> dict[tuple[str, int], dict[str, str]]:
    return {key: {name: answer.verdict for name, answer in grade.answers.items()} for key, grade in grades(path).items()}

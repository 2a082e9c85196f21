"""A trial that the machinery spoiled is tried again, and every attempt is kept."""

from __future__ import annotations

from pathlib import Path

from seatrial.records.trace import Status
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import grades, sail, traces

AGENTS = '''
import pathlib
import threading

from seatrial.base.errors import InfrastructureError

MARK = pathlib.Path(__file__).with_name("mended")
TRIES = []
ONE = threading.Lock()


def flaky(task, tools, user, *, first="T-1"):
    """The service behind this agent is down until somebody mends it."""
    tools.look(ticket_id="T-1")
    if not MARK.exists():
        tools.close(ticket_id=first)
        raise InfrastructureError("the model's service is down")
    tools.close(ticket_id="T-1")
    return "done"


def harmful(task, tools, user):
    """The same, and until then it closes a ticket that nobody spoke of."""
    return flaky(task, tools, user, first="T-2")


def recovers(task, tools, user):
    """The service answers at the third try."""
    with ONE:
        TRIES.append(1)
    if len(TRIES) < 3:
        tools.report_model_call("small-1", usd=0.5)
        raise InfrastructureError("down")
    return good(task, tools, user)
'''


def _suite(folder: Path) -> Path:
    return desk.write(folder / "suite", AGENTS, tasks={"a-1": desk.task("a-1")})


def test_an_infrastructure_failure_is_tried_again_and_kept(tmp_path: Path) -> None:
    """The trial that succeeds in the end carries its abandoned attempts, oldest first."""
    sail(_suite(tmp_path), "agents:recovers", output=tmp_path / "r.seatrial", concurrency=1)
    trace = traces(tmp_path / "r.seatrial")["a-1", 0]
    assert trace.status is Status.COMPLETED
    assert [attempt.status for attempt in trace.attempts] == [Status.INFRA_ERROR] * 2
    assert [attempt.usage.usd for attempt in trace.attempts] == [0.5, 0.5]


def test_retries_are_bounded_and_what_stays_is_unknown(tmp_path: Path) -> None:
    """After the last retry the trial is stored as `infra_error`: counted, not dropped, not a failure of the agent."""
    sail(_suite(tmp_path), "agents:flaky", output=tmp_path / "r.seatrial", retries=1)
    for trace in traces(tmp_path / "r.seatrial").values():
        assert (trace.status, len(trace.attempts)) == (Status.INFRA_ERROR, 1)
        assert "down" in trace.status_reason
    with RunFile.open(tmp_path / "r.seatrial") as file:
        assert file.finished() == set()


def test_a_resumed_run_tries_unknown_trials_again_and_keeps_their_attempts(tmp_path: Path) -> None:
    """An unknown trial is run again by the same command; its earlier attempts stay in front, because a harm done in one is a harm."""
    suite = _suite(tmp_path)
    sail(suite, "agents:flaky", output=tmp_path / "r.seatrial", retries=1)
    sail(suite, "agents:flaky", output=tmp_path / "r.seatrial", retries=0)
    (suite / "mended").touch()
    result = sail(suite, "agents:flaky", output=tmp_path / "r.seatrial")
    assert (result.ran, result.skipped) == (2, 0)
    for trace in traces(tmp_path / "r.seatrial").values():
        assert trace.status is Status.COMPLETED
        assert [attempt.status for attempt in trace.attempts] == [Status.INFRA_ERROR] * 3
        assert all(attempt.changes for attempt in trace.attempts)
    assert {grade.strict for grade in grades(tmp_path / "r.seatrial").values()} == {"pass"}
    assert sail(suite, "agents:flaky", output=tmp_path / "r.seatrial").ran == 0


def test_a_harm_in_an_abandoned_attempt_still_fails(tmp_path: Path) -> None:
    """Safety is judged over all attempts, those of earlier calls of the command too; the outcome over the last one."""
    suite = _suite(tmp_path)
    sail(suite, "agents:harmful", output=tmp_path / "r.seatrial", retries=0)
    (suite / "mended").touch()
    sail(suite, "agents:harmful", output=tmp_path / "r.seatrial", retries=0)
    grade = grades(tmp_path / "r.seatrial")["a-1", 0]
    assert {name: answer.verdict for name, answer in grade.answers.items()} == {
        "outcome": "pass",
        "process": "pass",
        "safety": "fail",
        "budget": "pass",
    }

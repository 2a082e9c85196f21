"""One file, one run: resumed, widened, never mixed with another and never run twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.reporting import summary_of
from seatrial.app.run import planned
from seatrial.base.errors import NothingSelected, RunFileError, UsageError
from seatrial.records.trace import encode
from seatrial.run import Selection
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import StillClock, sail, traces

AGENTS = '''
def pricey(task, tools, user):
    """Cost a dollar, and say so."""
    tools.report_model_call("big-1", input=10, output=10, usd=1.0)
    return good(task, tools, user)


def silent(task, tools, user):
    """Cost something and not say what."""
    tools.report_model_call("big-1")
    return good(task, tools, user)
'''


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Four tasks of two sizes."""
    sizes = {"a-1": "small", "a-2": "small", "b-1": "large", "b-2": "large"}
    return desk.write(tmp_path / "suite", AGENTS, tasks={name: desk.task(name, size=size) for name, size in sizes.items()})


def test_the_same_command_again_runs_nothing(suite: Path, tmp_path: Path) -> None:
    """A finished trial is never repeated."""
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:good", output=path)
    before = {key: encode(trace) for key, trace in traces(path).items()}
    assert sail(suite, "agents:good", output=path).ran == 0
    assert {key: encode(trace) for key, trace in traces(path).items()} == before


def test_a_plan_grows_by_what_a_later_call_asks_for(suite: Path, tmp_path: Path) -> None:
    """More trials and more tasks on the same file: only what is missing is run, and the plan is what all calls asked for."""
    path = tmp_path / "r.seatrial"
    first = sail(suite, "agents:good", output=path, selection=Selection(tasks=("a-*",)), trials=1)
    more = sail(suite, "agents:good", output=path, selection=Selection(tasks=("a-*",)), trials=3)
    other = sail(suite, "agents:good", output=path, selection=Selection(tasks=("b-1",)), trials=1)
    assert [(one.ran, one.skipped) for one in (first, more, other)] == [(2, 0), (4, 2), (1, 0)]
    with RunFile.open(path) as file:
        assert [(one.task, one.trials) for one in file.manifest.plan] == [("a-1", 3), ("a-2", 3), ("b-1", 1)]
        assert file.manifest.partial == "--task a-*; --task b-1"
    whole = sail(suite, "agents:good", output=path, trials=1)
    assert whole.ran == 1
    with RunFile.open(path) as file:
        assert not file.manifest.partial
    assert summary_of(path).coverage.planned == 8


def test_a_narrower_call_runs_only_what_it_asks_for(suite: Path, tmp_path: Path) -> None:
    """Filters on a file that was planned whole: the plan stays whole, the call runs the wanted trials that are missing."""
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:good", output=path, max_usd=None, selection=Selection(split="dev"))
    assert sail(suite, "agents:good", output=path, selection=Selection(slices=(("size", "large"),))).ran == 0
    with RunFile.open(path) as file:
        assert len(file.manifest.plan) == 4


@pytest.mark.parametrize(
    ("agent", "options", "told"),
    [("agents:bad", {}, "the candidate"), ("agents:good", {"seed": 1}, "the seed")],
)
def test_two_runs_are_never_mixed(suite: Path, tmp_path: Path, agent: str, options: dict, told: str) -> None:
    """Another candidate or seed on the same file is refused, and the file stays as it is."""
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:good", output=path)
    before = path.read_bytes()
    with pytest.raises(UsageError, match=f"holds another run: {told}"):
        sail(suite, agent, output=path, **options)
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", ["tasks/a-1.yaml", "world.py", "fixtures/base.json"])
def test_a_changed_suite_is_another_run(suite: Path, tmp_path: Path, part: str) -> None:
    """A task, the world or the fixture changed: the old file is refused, and the proposed name is another one."""
    options = RunOptions()
    before = planned(load(suite), ["agents:good"], options, clock=StillClock()).paths
    sail(suite, "agents:good", output=tmp_path / "r.seatrial")
    text = (suite / part).read_text(encoding="utf-8")
    (suite / part).write_text(text.replace("Ann Example", "Bo Example").replace("Look up one", "Find a"), encoding="utf-8")
    with pytest.raises(UsageError, match="holds another run: the"):
        sail(suite, "agents:good", output=tmp_path / "r.seatrial")
    assert planned(load(suite), ["agents:good"], options, clock=StillClock()).paths != before


def test_what_would_run_is_told_without_running(suite: Path, tmp_path: Path) -> None:
    """A dry run counts what is left, proposes time and cost from what has run, and writes nothing."""
    options = RunOptions(output=tmp_path / "r.seatrial")
    plan = planned(load(suite), ["agents:pricey"], options, clock=StillClock())
    assert (plan.trials, plan.finished, plan.seconds, plan.usd) == (8, 0, None, None)
    assert not options.output.exists()
    sail(suite, "agents:pricey", output=options.output, selection=Selection(tasks=("a-1",)))
    plan = planned(load(suite), ["agents:pricey"], options, clock=StillClock())
    assert (plan.trials, plan.finished, plan.seconds, plan.usd) == (6, 2, 0.0, 6.0)


def test_a_ceiling_of_cost_counts_the_whole_run(suite: Path, tmp_path: Path) -> None:
    """--max-cost stops before the next trial once the run, earlier calls included, has cost that much; a higher one goes on."""
    path = tmp_path / "r.seatrial"
    first = sail(suite, "agents:pricey", output=path, max_usd=3.0, concurrency=1)
    assert first.ran == 3
    assert "--max-cost" in first.stopped
    assert sail(suite, "agents:pricey", output=path, max_usd=3.0, concurrency=1).ran == 0
    assert sail(suite, "agents:pricey", output=path, max_usd=100.0).ran == 5


def test_costs_that_are_not_known_are_counted_as_such(suite: Path, tmp_path: Path) -> None:
    """A trial whose cost nobody told is unpriced, never free."""
    result = sail(suite, "agents:silent", output=tmp_path / "r.seatrial", max_usd=1.0)
    assert (result.ran, result.unpriced, result.stopped) == (8, 8, "")


def test_the_first_failure_stops_the_run(suite: Path, tmp_path: Path) -> None:
    """-x: no trial starts after one has failed; the same command goes on."""
    result = sail(suite, "agents:bad", output=tmp_path / "r.seatrial", stop_on_failure=True, concurrency=1)
    assert result.ran == 1
    assert "failed (-x)" in result.stopped


def test_filters_that_leave_nothing_are_told(suite: Path, tmp_path: Path) -> None:
    """An empty selection is not an empty run."""
    with pytest.raises(NothingSelected):
        sail(suite, "agents:good", output=tmp_path / "r.seatrial", selection=Selection(split="holdout"))
    assert not (tmp_path / "r.seatrial").exists()


@pytest.mark.parametrize(
    ("selection", "told"),
    [
        (Selection(tasks=("a-9",)), "Did you mean 'a-"),
        (Selection(slices=(("sizes", "x"),)), "Did you mean 'size'"),
        (Selection(slices=(("size", "smal"),)), "Did you mean 'small'"),
    ],
)
def test_a_wrong_filter_names_the_nearest_right_one(suite: Path, tmp_path: Path, selection: Selection, told: str) -> None:
    """A filter that names what is not there is a mistake, not an empty selection."""
    with pytest.raises(UsageError, match=told):
        sail(suite, "agents:good", output=tmp_path / "r.seatrial", selection=selection)


def test_two_agents_of_one_name_do_not_share_a_file(suite: Path, tmp_path: Path) -> None:
    """The same agent twice in one call is refused."""
    with pytest.raises(UsageError, match="share one run file"):
        sail(suite, "agents:good", "agents:good", output=tmp_path / "runs")


def test_several_agents_take_turns(suite: Path, tmp_path: Path) -> None:
    """Agents of one call are interleaved in time, one file each."""
    order: list[str] = []
    from seatrial.app.run import run_candidates

    run_candidates(
        load(suite),
        ["agents:good", "agents:bad"],
        RunOptions(output=tmp_path / "runs", concurrency=1),
        clock=StillClock(),
        watch=lambda trace, _: order.append(trace.identity.candidate),
    )
    assert order == ["good", "bad"] * 8
    assert len(list((tmp_path / "runs").glob("*.seatrial"))) == 2


def test_a_folder_that_cannot_be_made_is_told(suite: Path, tmp_path: Path) -> None:
    """Where no file can be made the error names the file and the way out."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunFileError, match="cannot be made"):
        sail(suite, "agents:good", output=tmp_path / "file" / "r.seatrial")

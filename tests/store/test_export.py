"""Exported tables hold one row a trace, one row a step, with verdicts where there are any."""

from __future__ import annotations

import csv
import os
import subprocess
import sys

import pytest
from msgspec import structs

from seatrial.base.errors import MissingExtra, RunFileError
from seatrial.records.grade import Verdict
from seatrial.records.trace import AgentMessage, Attempt, Status, ToolFailure
from seatrial.store import RunFile
from seatrial.store.export import export_csv, export_parquet
from tests.store.builders import TASKS, grade, made, trace

parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def run_file(tmp_path):
    abandoned = Attempt(Status.INFRA_ERROR, "down", steps=(AgentMessage(0, "Hello"),))
    refused = structs.replace(trace(1).calls[0], failure=ToolFailure("status", "not found", 404, transient=False))
    stored = [trace(0, 0), structs.replace(trace(0, 1), attempts=(abandoned,)), structs.replace(trace(1), steps=(refused,))]
    path = made(tmp_path / "run.seatrial", stored)
    with RunFile.open(path, write=True) as writer:
        writer.put_grades([grade(0, 1, Verdict.FAIL), grade(1)])
    with RunFile.open(path) as opened:
        yield opened


def test_a_row_a_trace(run_file, tmp_path):
    """Traces carry identity, usage, the task's own columns, and verdicts, which are null where nothing was graded."""
    path, _ = export_parquet(run_file, tmp_path / "out")
    rows = parquet.read_table(path).to_pylist()
    assert [(row["task"], row["trial"], row["outcome"], row["strict"]) for row in rows] == [
        (TASKS[0].id, 0, None, None),
        (TASKS[0].id, 1, "fail", "fail"),
        (TASKS[1].id, 0, "pass", "pass"),
    ]
    assert (rows[0]["seed"], rows[0]["usd"], rows[0]["tokens"], rows[0]["kind"], rows[0]["slices"]) == (11, 0.25, 120, "capability", "{}")
    assert [row["attempts"] for row in rows] == [0, 1, 0]


def test_a_row_a_step(run_file, tmp_path):
    """Steps carry what their kind has and null elsewhere; steps of abandoned attempts name their attempt."""
    _, path = export_parquet(run_file, tmp_path / "out")
    rows = parquet.read_table(path).to_pylist()
    assert [(row["trial"], row["attempt"], row["step"]) for row in rows if row["task"] == TASKS[0].id] == [
        (0, None, "user"), (0, None, "call"), (0, None, "agent"),
        (1, 0, "agent"), (1, None, "user"), (1, None, "call"), (1, None, "agent"),
    ]  # fmt: skip
    call = rows[1]
    assert (call["tool"], call["proposed"], call["observation"], call["delivered_at"]) == (
        "policy_lookup",
        '{"policy_id":"HL-1"}',
        '{"status":"active"}',
        3,
    )
    assert (call["text"], call["failure"], call["changes"]) == (None, None, None)
    assert (rows[-1]["failure"], rows[-1]["failure_status"], rows[-1]["failure_transient"]) == ("status", 404, False)


def test_long_runs_are_written_in_row_groups(tmp_path):
    """Rows are written as they come: thousands of steps make several row groups."""
    path = made(tmp_path / "run.seatrial", [trace(0, trial) for trial in range(3000)])
    with RunFile.open(path) as run_file:
        _, steps = export_parquet(run_file, tmp_path)
    written = parquet.ParquetFile(steps)
    assert written.metadata.num_rows == 9000
    assert written.metadata.num_row_groups == 3


def test_a_row_a_trial_in_csv(run_file, tmp_path):
    """The CSV holds a header line and one row a trial; an unknown cost is an empty cell."""
    export_csv(run_file, tmp_path / "trials.csv")
    with (tmp_path / "trials.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["task"], row["trial"], row["status"], row["strict"]) for row in rows] == [
        (TASKS[0].id, "0", "completed", ""),
        (TASKS[0].id, "1", "completed", "fail"),
        (TASKS[1].id, "0", "completed", "pass"),
    ]
    assert rows[0]["kind"] == "capability"


def test_a_failed_export_leaves_the_earlier_one(run_file, tmp_path):
    """An export appears complete or not at all: a damaged trial leaves the earlier files and no half-written ones."""
    export_parquet(run_file, tmp_path / "out")
    before = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    damaged = made(tmp_path / "damaged.seatrial", [trace(0), trace(1)])
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(damaged)) as connection, connection:
        connection.execute("UPDATE trials SET body = x'00' WHERE task = ?", (TASKS[1].id,))
    with RunFile.open(damaged) as broken, pytest.raises(RunFileError, match="cannot be read"):
        export_parquet(broken, tmp_path / "out")
    assert {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()} == before


def test_a_folder_that_cannot_be_written_is_told(run_file, tmp_path):
    """The error names the folder and the way out."""
    (tmp_path / "file").touch()
    with pytest.raises(RunFileError, match=r"exporting failed: .* Choose another folder"):
        export_parquet(run_file, tmp_path / "file")
    with pytest.raises(RunFileError, match="exporting failed"):
        export_csv(run_file, tmp_path / "file" / "trials.csv")


def test_what_cannot_be_made_again_is_not_replaced(run_file, tmp_path):
    """Exporting over a run file, over the very run that is exported, over a folder or a pipe is refused, and each stays."""
    pipe, folder = tmp_path / "pipe.csv", tmp_path / "folder.csv"
    os.mkfifo(pipe)
    folder.mkdir()
    other = made(tmp_path / "steps.parquet", [trace(0)])
    before = {path: path.read_bytes() for path in (run_file.path, other)}
    for target in (run_file.path, other, folder, pipe):
        with pytest.raises(RunFileError, match="would be lost"):
            export_csv(run_file, target)
    with pytest.raises(RunFileError, match=r"steps\.parquet: it is a run file or another database"):
        export_parquet(run_file, tmp_path)
    assert {path: path.read_bytes() for path in before} == before
    assert pipe.is_fifo()
    assert not (tmp_path / "traces.parquet").exists()


def test_without_pyarrow_the_extra_is_named(run_file, tmp_path, monkeypatch):
    """Parquet needs an extra, and the error says which."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match="extra 'parquet'"):
        export_parquet(run_file, tmp_path / "out")


def test_opening_a_run_needs_no_pyarrow():
    """The store does not load pyarrow until something is exported to Parquet."""
    code = "import sys, seatrial.store, seatrial.store.export; print(sorted({'pyarrow', 'numpy', 'asyncio', 'rich'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

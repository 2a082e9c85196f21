"""Whatever a trace holds comes back equal, packed with a dictionary or without."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seatrial.store import RunFile
from seatrial.store.packing import Packer, train
from tests.store.builders import TASKS, manifest
from tests.store.records import traces


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(traces())
def test_every_trace_comes_back_equal(trace):
    """Every kind of step, every optional field, any JSON and any text are read as they were stored."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.seatrial"
        with RunFile.create(path, manifest(), TASKS) as run_file:
            run_file.append(trace)
        with RunFile.open(path) as run_file:
            assert run_file.read(trace.identity.task, trace.identity.trial) == trace
            (header,) = run_file.headers()
            assert (header.status, header.calls, header.usd) == (trace.status, trace.usage.calls, trace.usage.usd)
            assert bool(run_file.finished()) is not trace.status.unknown


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=500), st.booleans())
def test_packing_is_undone_by_unpacking(data, trained):
    """Unpacking gives the bytes that were packed, with every dictionary."""
    dictionary = train(b'{"step":"call","tool":"policy_lookup","n":%d}' % number * 20 for number in range(100))
    assert dictionary is not None
    packer = Packer({1: dictionary}.get, latest=int(trained))
    assert packer.unpack(int(trained), packer.pack(data)) == data

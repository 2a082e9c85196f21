"""The rule `slices`: a confirmed drop fails, a suspect one waits for a signature."""

from __future__ import annotations

import pytest
from msgspec import structs

from seatrial.records.decision import Signature
from seatrial.records.task import Task
from tests.gate.made import evidence, many, says

STEADY = many(30, "pppp", "a") | many(30, "pppf", "b")
FELL = many(30, "ffff", "a") | many(30, "pppp", "b")
FLIPPED = STEADY | {"a000": "ffff"}


def sliced(name: str) -> Task:
    return Task(name, kind="capability", slices={"channel": name[0]})


def signed(slice_: str, baseline: str = "base") -> tuple[Signature, ...]:
    return (Signature(slice_, "Ann", "I read the trace", "2026-12-01T00:00:00Z", baseline=baseline),)


@pytest.mark.parametrize(
    ("before", "after", "arguments", "signatures", "value"),
    [
        (STEADY, STEADY, {}, (), "pass"),
        (STEADY, FELL, {}, (), "fail"),
        (STEADY, FELL, {}, signed("channel=a"), "fail"),
        (STEADY, FLIPPED, {"margin": 0.03}, (), "inconclusive"),
        (STEADY, FLIPPED, {"margin": 0.03}, signed("channel=a"), "pass"),
        (STEADY, FLIPPED, {"margin": 0.03}, signed("channel=b"), "inconclusive"),
        (STEADY, FLIPPED, {"margin": 0.03}, signed("channel=a", "another run"), "inconclusive"),
        (STEADY, FLIPPED, {"margin": 0.04}, (), "pass"),
        (STEADY, FELL, {"kind": "regression"}, (), "inconclusive"),
        (None, STEADY, {}, (), "inconclusive"),
        (many(30, "pp", "x"), many(30, "pp", "y"), {}, (), "inconclusive"),
        ({}, {}, {}, (), "inconclusive"),
    ],
)
def test_it_passes_fails_and_is_inconclusive(before, after, arguments, signatures, value):
    """No alarm passes; confirmed fails whoever signs; suspect waits for a signature on this slice against this baseline."""
    found = structs.replace(evidence(after, before, make=sliced), signatures=signatures)
    assert says("slices", found, **arguments).value == value


def test_a_suspect_slice_says_what_to_read_and_what_to_type():
    """The flipped tasks are named, and the command that signs the slice."""
    found = says("slices", evidence(FLIPPED, STEADY, make=sliced))
    assert found.evidence == ("a000",)
    assert "seatrial sign RUN --slice channel=a --baseline BASELINE" in found.need.words


def test_each_suspect_slice_has_its_command():
    """Two slices are signed by two commands that can be copied as one line."""
    before = many(30, "pppp", "a") | many(30, "pppp", "b")
    found = says("slices", evidence(before | {"a000": "ffff", "b000": "ffff"}, before, make=sliced))
    _, _, commands = found.need.words.partition(": ")
    assert [command.split()[:5] for command in commands.split(" && ")] == [
        ["seatrial", "sign", "RUN", "--slice", f"channel={name}"] for name in "ab"
    ]


def test_a_confirmed_slice_stands_beside_the_whole():
    """A slice that fell while the whole rose is told with both numbers, and with the corrected p, never alone."""
    after = many(30, "pfff", "a") | many(30, "pppp", "b")
    before = many(30, "pppf", "a") | many(30, "ffff", "b")
    found = says("slices", evidence(after, before, make=sliced))
    assert found.value == "fail"
    assert "channel=a: −50.0 points on 30 tasks, Holm p" in found.reason
    assert "all capability tasks +25.0" in found.reason


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("pppp", "uuuu", "inconclusive"),
        ("uuuu", "pppp", "pass"),
        ("uuuu", "ffpp", "inconclusive"),
        ("uuuu", "uuuu", "inconclusive"),
        ("ffff", "uuuu", "pass"),
        ("pp", "pu", "inconclusive"),
    ],
)
@pytest.mark.parametrize("tasks", [9, 10, 30])
def test_no_alarm_hangs_on_how_unknown_trials_ended(before, after, value, tasks):
    """A slice passes only if it has no alarm however its unknown trials ended, and is never left out for having no known one."""
    steady = many(200, "pppp", "a")
    found = says("slices", evidence(steady | many(tasks, after, "b"), steady | many(tasks, before, "b"), make=sliced))
    assert found.value == value
    if value == "inconclusive":
        assert "capability channel=b" in found.reason
        assert found.need is not None
    else:
        assert "no alarm in 2 slices" in found.reason


def test_an_unknown_trial_that_decides_nothing_stops_nothing():
    """Where a slice has no alarm even if its unknown trial failed, the rule passes."""
    before = many(30, "pppp", "a") | many(9, "pppp", "b")
    assert says("slices", evidence(before | {"b000": "pppu"}, before, make=sliced)).value == "pass"


@pytest.mark.parametrize(("old", "new", "value"), [("pppp", "fuuu", "fail"), ("puuu", "fuuu", "inconclusive")])
def test_a_drop_is_confirmed_however_unknown_trials_ended(old, new, value):
    """A drop that is confirmed by what is known fails only where it is confirmed too if the unknown trials ended at the best."""
    steady = many(18, "pppp", "ax") | many(30, "pppp", "b")
    assert says("slices", evidence(steady | many(12, new, "a"), steady | many(12, old, "a"), make=sliced)).value == value


@pytest.mark.parametrize("tasks", [9, 10])
def test_a_small_slice_that_fell_is_told(tasks):
    """Under ten tasks a drop without a flipped task raises no alarm, and is told where the rule passes; from ten on it is tested."""
    steady = many(100, "pppp", "a")
    found = says("slices", evidence(steady | many(tasks, "ffff", "b"), steady | many(tasks, "pppf", "b"), make=sliced))
    assert found.value == ("pass" if tasks < 10 else "fail")
    assert f"capability channel=b: −75.0 points on {tasks} tasks" in found.reason

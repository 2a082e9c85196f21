"""`error_cost` of suite.yaml: what a wrong case costs, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError
from seatrial.records.manifest import Business, SliceCost
from tests.suite.samples import SUITE, folder_of, load

SLICES = "slices: {loss_type: [water, fire], channel: }\n"


def suite(tmp_path: Path, text: str):
    """Load a suite whose header has more lines."""
    return load(folder_of(tmp_path, suite=SUITE + text))


def test_traffic_and_error_cost_are_what_a_run_carries(tmp_path):
    """Tasks a day, dollars an error, and dearer slices become one record."""
    text = "traffic: {per_day: 40}\nerror_cost: {usd: 60, slices: {loss_type: {water: 240, fire: 0}, channel: {phone: 9.5}}}\n"
    dear = (SliceCost("loss_type", "water", 240), SliceCost("loss_type", "fire", 0), SliceCost("channel", "phone", 9.5))
    assert suite(tmp_path, SLICES + text).business == Business(40, 60, dear)


def test_it_is_no_part_of_the_hash(tmp_path):
    """What an error costs changes no verdict, so a run made before it was written can be resumed."""
    assert suite(tmp_path / "a", "").hash == suite(tmp_path / "b", "error_cost: {usd: 60}\n").hash
    assert suite(tmp_path / "a", "").business == Business()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("error_cost: {}", "expected `usd`, `slices`, or both"),
        ("error_cost: 60", "expected a mapping, got 60"),
        ("error_cost: {usd: -1}", "expected US dollars of 0 or more, got -1"),
        ("error_cost: {usd: much}", "expected a number, got 'much'"),
        ("error_cost: {us: 1}", "Did you mean 'usd'"),
        ("error_cost: {slices: {los_type: {water: 1}}}", "Did you mean 'loss_type'"),
        ("error_cost: {slices: {loss_type: {watr: 1}}}", "Did you mean 'water'"),
        ("error_cost: {slices: {loss_type: 5}}", "expected a mapping, got 5"),
    ],
)
def test_a_wrong_one_is_refused_where_it_stands(tmp_path, text, told):
    """The error names file and line, what was expected, and the nearest right name."""
    with pytest.raises(SuiteError, match=r"suite\.yaml") as caught:
        suite(tmp_path, f"{SLICES}{text}\n")
    assert told in str(caught.value)
    assert ":4" in str(caught.value)


def test_slices_that_nobody_declared_may_be_dear_too(tmp_path):
    """Where the suite declares no slices, any may be named."""
    assert suite(tmp_path, "error_cost: {slices: {mood: {bad: 2}}}\n").error_cost.slices == (SliceCost("mood", "bad", 2),)

"""What every benchmark must offer; a new one is picked up by its file. Nothing is measured here."""

import importlib
import json
import subprocess
import sys

import pytest
from benchmarks.__main__ import names
from benchmarks._interleave import Comparison, interleave
from benchmarks._line import against, at_least, at_most, unmeasured


@pytest.mark.parametrize("name", names())
def test_a_benchmark_says_what_it_measures_and_offers_its_lines(name):
    """A benchmark's module says what it measures, offers `lines()`, and measures nothing when imported."""
    module = importlib.import_module(f"benchmarks.{name}")
    assert module.__doc__
    assert callable(module.lines)


def test_the_ratio_is_the_median_of_rounds_measured_by_turns():
    """Ours and theirs take turns, warm-up rounds are thrown away, and the ratio is the median of the rounds' ratios."""
    order = []
    costs = {"ours": iter([9.0, 1.0, 2.0, 4.0]), "theirs": iter([9.0, 10.0, 40.0, 40.0])}

    def measure(side):
        def one():
            order.append(side)
            return next(costs[side])

        return one

    found = interleave(measure("ours"), measure("theirs"), rounds=3, warm_up=1)
    assert (found.ours, found.theirs, found.ratio, found.rounds) == (2.0, 40.0, 10.0, 3)
    assert order == ["ours", "theirs"] * 4


@pytest.mark.parametrize(
    ("line", "good"),
    [
        (against("a", Comparison(1, 40, 40.0, 7), bar=40, unit="s"), True),
        (against("a", Comparison(1, 39, 39.0, 7), bar=40, unit="s"), False),
        (against("a", Comparison(1, 39, 39.0, 7), bar=None, unit="s"), True),
        (at_least("a", 5_000, bar=5_000, unit="a second"), True),
        (at_least("a", 4_999, bar=5_000, unit="a second"), False),
        (at_most("a", 0.12, bar=0.12, unit="s"), True),
        (at_most("a", 0.13, bar=0.12, unit="s"), False),
        (unmeasured("a", "s", "no data"), None),
        (unmeasured("a", "s", "no peer", ok=False), False),
    ],
)
def test_a_line_says_whether_its_bar_is_met(line, good):
    """With a peer the bar is the least ratio, else the limit; what has no bar misses none, what was not measured is neither."""
    assert line.ok is good
    assert {"name", "ours", "theirs", "ratio", "bar", "ok", "unit"} <= json.loads(line.json()).keys()


def test_an_unknown_benchmark_is_refused_by_name():
    """A wrong name ends with exit code 2 and lists the right ones."""
    done = subprocess.run([sys.executable, "-m", "benchmarks", "stratup"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "startup" in done.stderr

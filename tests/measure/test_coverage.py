"""The program that simulates how often intervals hold the truth."""

import pytest

from tests.cases import _populations, coverage
from tests.cases.coverage import Cell, Effort, Place

SMALL = Effort(runs=60, pairs=60, draws=400)


def test_the_truth_of_a_population_is_the_mean_of_its_draws():
    """pass^k of new tasks, by formula, is what very many drawn tasks have."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(3))
    for population in _populations.POPULATIONS:
        rates = population.draw(generator, (200, 1_000))
        assert [(rates**k).mean() for k in (1, 4, 8)] == pytest.approx([population.power(k) for k in (1, 4, 8)], abs=0.005)


def test_the_effect_of_a_scenario_is_the_mean_of_its_draws():
    """The true difference, by formula, is what very many drawn pairs have."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(4))
    for population in _populations.PAIRED:
        before = population.draw(generator, (200, 1_000))
        for scenario in _populations.SCENARIOS:
            after = scenario.after(generator, before, population)
            assert (after**4 - before**4).mean() == pytest.approx(scenario.effect(population, 4), abs=0.006)


def test_the_exact_cell_is_what_simulation_comes_to():
    """At k = trials the summed share lies within the error of a simulation of the same place."""
    import numpy as np

    from seatrial.measure import dirichlet_ends

    place = Place(3, None, 20, 8)
    true = _populations.POPULATIONS[3].power(8)
    passed = np.random.default_rng(5).binomial(20, true, 3_000)
    ends = [dirichlet_ends.interval([1.0] * int(c) + [0.0] * (20 - int(c))) for c in passed]
    found = coverage.exact(place)
    assert found.share == pytest.approx(np.mean([end.lower <= true <= end.upper for end in ends]), abs=0.02)
    assert found.share == pytest.approx(0.8998, abs=5e-5)


def test_quick_and_reports_use_one_function():
    """The interval that is simulated is the one that `pass_k.estimate` gives, at the draws of reports."""
    from seatrial.measure import dirichlet_ends
    from seatrial.measure.pass_k import estimate, pass_k
    from seatrial.measure.task_count import counted

    tasks = [counted(c, 8) for c in (8, 8, 7, 5, 0)]
    values = sorted({pass_k(task.passed, 8, 4) for task in tasks})
    counts = [sum(pass_k(task.passed, 8, 4) == value for task in tasks) for value in values]
    mine, told = dirichlet_ends.interval(values, counts, seed=1), estimate(tasks, 4, seed=1)
    assert tuple(mine) == pytest.approx((told.lower, told.upper), abs=0.01)


@pytest.mark.parametrize("place", [Place(0, None, 20, 8), Place(1, 2, 20, 4)])
def test_a_seed_fixes_the_cells(place):
    """Equal seeds give equal cells, another seed others; every cell says how much it rests on."""
    first, again, other = (coverage.simulate(place, SMALL, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert [cell.k for cell in first] == [k for k in coverage.KS if k <= place.trials]
    assert all(cell.runs in (0, 60) and 0 < cell.width < 2 for cell in first)


@pytest.mark.parametrize(
    ("shares", "held"),
    [
        ([0.95] * 4, True),
        ([0.8996, 0.96, 0.96, 0.96], True),
        ([0.8994, 0.96, 0.96, 0.96], False),
        ([0.93] * 4, False),
        ([0.97] * 4, False),
    ],
)
def test_the_bars(shares, held):
    """The mean must stay within 94 to 96.5 % and no cell fall under 90 %, to a tenth of a point."""
    good, text = coverage.verdict("pass^k", [Cell(Place(0, None, 20, 8), 4, share, 0.2, 1_000) for share in shares])
    assert good is held
    assert text.endswith("NOT HELD") is not held


@pytest.mark.slow
@pytest.mark.timeout(3_000)
def test_all_intervals_hold_the_truth_as_often_as_they_promise(capsys):
    """The full run holds both bars."""
    assert coverage.main([]) == 0
    assert capsys.readouterr().out.count(": held") == 2

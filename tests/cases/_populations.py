"""Populations of tasks whose truth is known, and runs drawn from them: what the coverage program is played on."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import beta

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


class Part(NamedTuple):
    """A share of the tasks whose true pass rates follow one law."""

    share: float
    alpha: float
    beta: float
    """Beta(alpha, beta); `beta` 0: every rate is `alpha`."""

    def power(self, k: int) -> float:
        """Return the mean of p^k."""
        return self.alpha**k if not self.beta else float(beta(self.alpha + k, self.beta) / beta(self.alpha, self.beta))


class Population(NamedTuple):
    """A mixture of laws."""

    name: str
    parts: tuple[Part, ...]

    def power(self, k: int) -> float:
        """Return the true pass^k of new tasks."""
        return sum(part.share * part.power(k) for part in self.parts)

    def draw(self, generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        """Return true pass rates of tasks."""
        which = generator.choice(len(self.parts), size=shape, p=[part.share for part in self.parts])
        rates = np.empty(shape)
        for index, part in enumerate(self.parts):
            chosen = which == index
            rates[chosen] = generator.beta(part.alpha, part.beta, int(chosen.sum())) if part.beta else part.alpha
        return rates


POPULATIONS = (
    Population("Beta(2, 1)", (Part(1.0, 2, 1),)),
    Population("U-shaped Beta(.3, .3)", (Part(1.0, 0.3, 0.3),)),
    Population("60 % always, 10 % never, rest Beta(2, 2)", (Part(0.6, 1, 0), Part(0.1, 0, 0), Part(0.3, 2, 2))),
    Population("85 % always, rest Beta(5, 2)", (Part(0.85, 1, 0), Part(0.15, 5, 2))),
    Population("70 % never, rest Beta(1, 2)", (Part(0.7, 0, 0), Part(0.3, 1, 2))),
    Population("all .9", (Part(1.0, 0.9, 0),)),
)
"""The six populations of the reference."""
PAIRED = (POPULATIONS[0], POPULATIONS[2], POPULATIONS[3])
"""Those on which two candidates are compared: spread, mixed, and nearly solved."""
CHANGED, WORSE_ON, KEPT = 0.5, 0.3, 0.7
"""Share of tasks that are drawn anew, share of tasks that get worse, and what these keep of their rate."""


class Scenario(NamedTuple):
    """What a second candidate is like."""

    name: str
    after: Callable[[np.random.Generator, np.ndarray, Population], np.ndarray]
    """Its true rates, from those of the first."""
    effect: Callable[[Population, int], float]
    """The true mean difference of pass^k."""


def _anew(generator: np.random.Generator, rates: np.ndarray, population: Population) -> np.ndarray:
    return np.where(generator.random(rates.shape) < CHANGED, population.draw(generator, rates.shape), rates)


def _worse(generator: np.random.Generator, rates: np.ndarray, _: Population) -> np.ndarray:
    return np.where(generator.random(rates.shape) < WORSE_ON, KEPT * rates, rates)


SCENARIOS = (
    Scenario("alike", lambda generator, rates, population: rates, lambda population, k: 0.0),
    Scenario("same mean, half of the tasks differ", _anew, lambda population, k: 0.0),
    Scenario("worse on 30 % of the tasks", _worse, lambda population, k: -WORSE_ON * (1 - KEPT**k) * population.power(k)),
)
"""The three scenarios of the reference."""

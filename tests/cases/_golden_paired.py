"""Groups of the golden file: two candidates and more: differences, power, cost at equal budget, slices, verdicts."""

from __future__ import annotations

from tests.cases._golden import Group

GROUPS: dict[str, Group] = {}

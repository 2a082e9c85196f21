"""Groups of the golden file: one candidate beyond pass^k, stopping and monitoring, and the agreement of judges."""

from __future__ import annotations

from tests.cases._golden import Group

GROUPS: dict[str, Group] = {}

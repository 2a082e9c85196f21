"""Differences turned into cases and money: what production would see if what comes in were like the shared tasks of one kind.

`traffic: per_day` and `error_cost` of the suite are what it rests on; without them the lines that need them are left out. An error is a
wrong outcome; a right one for the wrong reason is counted by itself and costs nothing yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum, inf
from typing import NamedTuple

from msgspec import structs

from seatrial.base.seeds import derive
from seatrial.compare.decomposition import score
from seatrial.compare.differences import Scale, Values, value_difference
from seatrial.compare.pairing import Pair
from seatrial.measure import price_of_avoided_error
from seatrial.records.comparison import MoneyLine, MoneyName
from seatrial.records.estimate import Estimate
from seatrial.records.manifest import Business
from seatrial.records.summary import TaskRow
from seatrial.records.task import Kind


class _Line(NamedTuple):
    """A value of a task that is multiplied by the tasks of a day."""

    name: MoneyName
    unit: str
    value: Values
    reach: float


def money_lines(kind: Kind, pairs: Sequence[Pair], business: Business, *, seed: int = 0) -> tuple[MoneyLine, ...]:
    """Return what the shared tasks of one kind say of a day in production.

    Args:
        kind: The kind.
        pairs: Its shared tasks.
        business: What production sees and what an error costs there.
        seed: Seed of the draws.

    Returns:
        The lines; empty without traffic, error cost and shared tasks. A line whose numbers no task knows is left out.
    """
    lines: list[MoneyLine] = []
    if business.per_day is not None and pairs:
        each = (_a_day(kind, pairs, line, business.per_day, derive(seed, "money", line.name)) for line in _lines(business))
        lines += [line for line in each if line.difference.value is not None]
    if business.per_day is not None or business.has_error_cost:
        lines += _price(kind, pairs, business, derive(seed, "money", "price"))
    return tuple(lines)


def error_usd(row: TaskRow, business: Business) -> float | None:
    """Return what an error on a task costs: the dearest slice that fits, else what holds for all; `None`: not given.

    Args:
        row: The task's line.
        business: What an error costs.
    """
    fitting = [part.usd for part in business.slices if row.slices.get(part.name) == part.value]
    return max(fitting, default=business.error_usd)


def _lines(business: Business) -> Iterator[_Line]:
    """Yield what is projected to a day."""
    yield _Line("wrong a day", "cases", _wrong, 1.0)
    yield _Line("right for the wrong reason a day", "cases", _wrong_reason, 1.0)
    if business.has_error_cost:
        yield _Line("errors in money a day", "usd", lambda row: _lost(row, business), _dearest(business))
    yield _Line("cost a day", "usd", lambda row: row.costs.usd, inf)


def _a_day(kind: Kind, pairs: Sequence[Pair], line: _Line, per_day: float, seed: int) -> MoneyLine:
    """Return a line of a day."""
    # Slices are the candidate's, so that a task costs the same on both sides.
    sides = [Pair(structs.replace(pair.before, slices=pair.after.slices), pair.after) for pair in pairs]
    found = value_difference(sides, line.value, Scale(line.name, line.unit, line.reach), seed=seed).estimate
    known = [(old, new) for old, new in ((line.value(one.before), line.value(one.after)) for one in sides) if None not in (old, new)]
    before, after = (per_day * fsum(side) / len(known) for side in zip(*known, strict=True)) if known else (None, None)
    unit = "usd" if line.unit == "usd" else "cases"
    return MoneyLine(line.name, kind, unit, before, after, _times(found, per_day))


def _times(estimate: Estimate, factor: float) -> Estimate:
    """Return an estimate, multiplied."""
    value, lower, upper = (None if end is None else end * factor for end in (estimate.value, estimate.lower, estimate.upper))
    return structs.replace(estimate, value=value, lower=lower, upper=upper)


def _price(kind: Kind, pairs: Sequence[Pair], business: Business, seed: int) -> list[MoneyLine]:
    """Return the line of the price of an avoided error; none where prices are not known."""
    known = [
        (new_cost - old_cost, old_wrong - new_wrong, error_usd(pair.after, business))
        for pair in pairs
        if (old_cost := pair.before.costs.usd) is not None
        and (new_cost := pair.after.costs.usd) is not None
        and (old_wrong := _wrong(pair.before)) is not None
        and (new_wrong := _wrong(pair.after)) is not None
    ]
    if not known:
        return []
    found = price_of_avoided_error.estimate([more for more, _, _ in known], [fewer for _, fewer, _ in known], seed=seed)
    costs = [usd for _, _, usd in known if usd is not None]
    note = f"an error costs ${fsum(costs) / len(costs):,.2f} on the average of these tasks" if costs else ""
    found = structs.replace(found, note="; ".join(filter(None, (found.note, note))))
    return [MoneyLine("price of an avoided error", kind, "usd", None, None, found)]


def _wrong(row: TaskRow) -> float | None:
    """Return the share of trials with a wrong outcome."""
    passed = score(row, "outcome")
    return None if passed is None else float(1 - passed)


def _wrong_reason(row: TaskRow) -> float | None:
    """Return the share of trials that were right for the wrong reason."""
    return row.wrong_reason / row.outcome_scored if row.outcome_scored else None


def _lost(row: TaskRow, business: Business) -> float | None:
    """Return what the wrong outcomes of a task cost a trial."""
    wrong, usd = _wrong(row), error_usd(row, business)
    return None if wrong is None or usd is None else wrong * usd


def _dearest(business: Business) -> float:
    """Return what the dearest error costs."""
    return max([business.error_usd or 0.0, *(part.usd for part in business.slices)])

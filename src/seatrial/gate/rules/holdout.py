"""A holdout is there, decides by itself, and – where it lies apart – this look at it is in its ledger."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from seatrial.base.wording import count
from seatrial.gate.evidence import Evidence
from seatrial.records.decision import Need, RuleResult

NAME = "holdout"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """How large it must be."""

    tasks: Annotated[int, Meta(ge=1)] = 1
    """Fewest holdout tasks with a known result."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Ask for a holdout; it never fails a run, it is only there or not.

    Args:
        evidence: The holdout and its ledger are looked at.
        arguments: How large it must be.

    Returns:
        Inconclusive when there is no holdout, too small a one, or one whose ledger does not know of this look; else pass.
    """
    if evidence.holdout is None:
        reason = "no holdout task was run: give the run its holdout (seatrial run SUITE --holdout PATH), or mark tasks `split: holdout`"
        return RuleResult(NAME, "inconclusive", reason, limit=float(arguments.tasks))
    scored = evidence.holdout.coverage.tasks_scored
    if scored < arguments.tasks:
        reason = f"{count(scored, 'holdout task')} with a known result, {arguments.tasks:,} are asked for"
        need = Need(f"Run {count(arguments.tasks - scored, 'more holdout task')}", tasks=arguments.tasks)
        return RuleResult(NAME, "inconclusive", reason, subject="holdout", limit=float(arguments.tasks), need=need)
    if evidence.holdout_apart and not evidence.looked_up:
        reason = "this look at the holdout is not in its ledger: seatrial gate RUN --holdout PATH"
        return RuleResult(NAME, "inconclusive", reason, subject="holdout", limit=float(arguments.tasks))
    where = ", and this look at them is in the ledger" if evidence.holdout_apart else ""
    return RuleResult(
        NAME, "pass", f"{count(scored, 'holdout task')} decide by themselves{where}", subject="holdout", limit=float(arguments.tasks)
    )

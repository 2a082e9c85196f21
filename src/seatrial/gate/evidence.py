"""What a gate looks at: the run, its splits by themselves, the baseline, and what people have signed."""

from __future__ import annotations

from msgspec import Struct

from seatrial.records.comparison import Comparison
from seatrial.records.decision import BaselinePin, Signature
from seatrial.records.summary import RunSummary


class Evidence(Struct, frozen=True):
    """Everything that rules may read. What is not there is `None`: a rule that needs it is inconclusive, never a pass."""

    summary: RunSummary
    """The whole run."""
    holdout: RunSummary | None = None
    """Its holdout tasks by themselves; `None`: it has none."""
    dev: RunSummary | None = None
    """Its other tasks by themselves; `None`: it has none, or no holdout."""
    comparison: Comparison | None = None
    """Against the baseline, all shared tasks; `None`: no baseline."""
    holdout_comparison: Comparison | None = None
    """Against the baseline, shared holdout tasks only."""
    dev_comparison: Comparison | None = None
    """Against the baseline, shared other tasks only."""
    pin: BaselinePin | None = None
    """Who approved the baseline, and when."""
    baseline_hash: str = ""
    """Content hash of the baseline's run; empty: no baseline."""
    signatures: tuple[Signature, ...] = ()
    looked_up: bool = False
    """Whether the holdout's ledger is at hand and this look at it is entered."""
    today: str = ""
    """The day of the decision, ISO 8601; empty: not known."""
    stubs_checked: str = ""
    """The day on which the stubs were last held against production, ISO 8601; empty: never."""

    @property
    def judged(self) -> RunSummary:
        """The tasks that outcome, safety and budget are decided on: the holdout by itself where there is one."""
        return self.summary if self.holdout is None else self.holdout

    @property
    def judged_comparison(self) -> Comparison | None:
        """The comparison on the tasks that are judged."""
        return self.comparison if self.holdout is None else self.holdout_comparison

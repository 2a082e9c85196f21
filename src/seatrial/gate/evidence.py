"""What a gate looks at: the run, its splits by themselves, the baseline, and what people have signed."""

from __future__ import annotations

from msgspec import Struct, structs

from seatrial.records.comparison import Comparison
from seatrial.records.decision import Signature, Subject
from seatrial.records.manifest import StubsCheck
from seatrial.records.summary import RunSummary


class Evidence(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that rules may read. What is not there is `None`: a rule that needs it is inconclusive, never a pass."""

    summary: RunSummary
    """The whole run."""
    holdout: RunSummary | None = None
    """Its holdout tasks by themselves; `None`: it has none."""
    dev: RunSummary | None = None
    """Its other tasks by themselves; `None`: it has none, or no holdout."""
    baseline: RunSummary | None = None
    """The baseline's whole run; `None`: there is no baseline."""
    holdout_baseline: RunSummary | None = None
    """The baseline's holdout tasks by themselves; `None`: it has none."""
    dev_baseline: RunSummary | None = None
    """The baseline's other tasks by themselves; `None`: it has none."""
    comparison: Comparison | None = None
    """Against the baseline, all shared tasks; `None`: no baseline."""
    baseline_hash: str = ""
    """Content hash of the baseline's run; empty: no baseline."""
    signatures: tuple[Signature, ...] = ()
    holdout_apart: bool = False
    """Whether the holdout lies in a folder of its own, so that looks at it are counted."""
    looked_up: bool = False
    """Whether the holdout's ledger is at hand and this look at it is entered."""
    today: str = ""
    """The day of the decision, ISO 8601; empty: not known."""
    stubs_checked: StubsCheck | None = None
    """When the stubs were last held against production; `None`: the suite does not say."""
    warnings: tuple[str, ...] = ()
    """What is odd beside the run itself, such as an old baseline; one sentence each."""

    @property
    def judged(self) -> RunSummary:
        """The tasks that outcome, safety and budget are decided on: the holdout by itself where there is one."""
        return self.summary if self.holdout is None else self.holdout

    @property
    def judged_baseline(self) -> RunSummary | None:
        """The baseline on the tasks that are judged."""
        return self.baseline if self.holdout is None else self.holdout_baseline

    @property
    def subject(self) -> Subject:
        """Which tasks are judged, in a word."""
        return "run" if self.holdout is None else "holdout"

    @property
    def on_dev(self) -> Evidence | None:
        """The same evidence as if the run had nothing but its other tasks; `None`: it has none, or no holdout."""
        if self.holdout is None or self.dev is None:
            return None
        return structs.replace(
            self,
            summary=self.dev,
            holdout=None,
            dev=None,
            baseline=self.dev_baseline,
            holdout_baseline=None,
        )

"""The gate: rules over the summary of a run, and the decision they come to. Start with `decide`; a rule is a file in `rules/`."""

from seatrial.gate.decision import decide
from seatrial.gate.policy import PLAIN, Policy, RuleUse

__all__ = ["PLAIN", "Policy", "RuleUse", "decide"]

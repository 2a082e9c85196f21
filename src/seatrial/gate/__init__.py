"""The gate: rules over the summary of a run, and the decision they come to. Start with `decide`; a rule is a file in `rules/`."""

from seatrial.gate.decision import decide
from seatrial.gate.evidence import Evidence
from seatrial.gate.policy import PLAIN, Policy, RuleUse, read_arguments, read_policy

__all__ = ["Evidence", "PLAIN", "Policy", "RuleUse", "decide", "read_arguments", "read_policy"]

"""The risk list: what may go wrong, which rules answer it, which tasks try it, and which faulty agents prove that the rules can fail."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from seatrial.records.contract import Contract

Severity = Literal["low", "medium", "high", "critical"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From bad to worst."""
CATEGORIES = (
    "CBRN Information or Capabilities",
    "Confabulation",
    "Dangerous, Violent, or Hateful Content",
    "Data Privacy",
    "Environmental Impacts",
    "Harmful Bias or Homogenization",
    "Human-AI Configuration",
    "Information Integrity",
    "Information Security",
    "Intellectual Property",
    "Obscene, Degrading, and/or Abusive Content",
    "Value Chain and Component Integration",
)
"""The twelve risks of the generative AI profile, NIST AI 600-1 (July 2024), section 2, spelled as there."""

PROVENANCE_RULE = "values_have_provenance"
"""The rule under which values without a source are reported, whether an invariant or `provenance` asks for it."""


class Risk(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of the risk list."""

    id: str
    sentence: str
    """What may go wrong, in one sentence."""
    owner: str = ""
    """Who answers for it."""
    severity: Severity = "medium"
    category: str = ""
    """One of `CATEGORIES`; empty: not given."""
    invariants: tuple[str, ...] = ()
    """The invariants that answer it, as written: names of rules, or ids."""
    tasks: tuple[str, ...] = ()
    """Ids of the tasks that try it, globs expanded."""
    faulty_agents: tuple[str, ...] = ()
    """Agents that its invariants must catch, each as `--agent` takes it."""
    reported_as: tuple[str, ...] = ()
    """The names under which violations of its invariants are reported, sorted."""


def reported_rules(contract: Contract) -> frozenset[str]:
    """Return the names under which violations of a contract's rules are reported.

    Args:
        contract: What a task expects.
    """
    named = {spec.id or spec.rule for spec in contract.invariants}
    return frozenset(named if contract.provenance == "off" else named | {PROVENANCE_RULE})


class AgentProof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What became of one faulty agent on the adversarial tasks of one risk."""

    agent: str
    """As written in the risk list."""
    played: int = 0
    """Adversarial tasks of the risk that it was played on, one trial each."""
    caught: tuple[str, ...] = ()
    """Ids of those on which one of the risk's rules found a violation."""
    rules: tuple[str, ...] = ()
    """The rules of the risk that found one, sorted."""
    problem: str = ""
    """Why it could not be played; empty: it was."""


class RiskProof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Whether the rules of one risk were seen to fail where they should."""

    risk: str
    adversarial: int
    """How many of its tasks are adversarial."""
    agents: tuple[AgentProof, ...] = ()
    untripped: tuple[str, ...] = ()
    """Its rules that no faulty agent broke."""
    untried: tuple[str, ...] = ()
    """Ids of its adversarial tasks on which no faulty agent was caught."""
    problems: tuple[str, ...] = ()
    """Why it is not proven, one sentence each; empty: it is."""

    @property
    def proven(self) -> bool:
        """Whether the risk has a rule, an adversarial task, and faulty agents that are all caught."""
        return not self.problems


class RiskRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What a run says of one risk."""

    risk: str
    sentence: str
    owner: str
    severity: Severity
    category: str
    rules: tuple[str, ...]
    """Names under which violations of its rules are reported."""
    listed: int
    """Tasks that the risk names."""
    tasks: int
    """Of these, those with a trial on which its rules are known to be kept or broken."""
    trials: int
    """These trials."""
    unknown: int
    """Trials of its tasks that ask one of its rules, planned ones included, on which that is not known."""
    violations: int
    """Violations of its rules on its tasks."""
    violated_trials: int
    violated_tasks: int
    elsewhere: int
    """Violations of its rules on tasks that are not its own."""
    allowed_per_task: float | None
    """Highest share of tasks with a violation that is still possible at 95 % confidence; `None`: nothing is known."""
    allowed_per_trial: float | None
    """The same of trials, which holds only when trials are independent."""


class AcceptedException(Struct, frozen=True, forbid_unknown_fields=True):
    """How a rule of a suite was narrowed, and who answers for it. It changes no verdict: the rule's own arguments do."""

    rule: str
    what: str
    """What is allowed now."""
    why: str
    by: str
    """Who accepted it."""
    on: str
    """When, YYYY-MM-DD."""

    @property
    def note(self) -> str:
        """The exception in one sentence, as every report shows it."""
        return f"Accepted exception to {self.rule}, by {self.by} on {self.on}: {self.what.rstrip('.')}. {self.why.rstrip('.')}."


class UnnamedRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Violations of a rule that no risk names."""

    rule: str
    violations: int

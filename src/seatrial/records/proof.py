"""The proof of a suite: which wrong ways its contracts and rules notice, and which they let through.

A *mutant* is a right way through a task that was spoiled by one thing, or an agent that does too little or too much. One that fails is
*caught*; one that passes is a *hole*, which the suite may explain, by name and date.
"""

from __future__ import annotations

from msgspec import Struct

from seatrial.base.wording import count
from seatrial.records.risk import RiskProof

PROOF_VERSION = 2
"""Version of the stored shape of a proof, and of the mutants that make one."""
PROOF_FILE = "proof.json"
"""Name of the file in the suite's folder that holds its proof."""


class HoleNote(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why a suite lets a mutant through."""

    mutant: str
    """Name of the mutant, globs allowed."""
    why: str
    by: str
    """Who accepted it."""
    on: str
    """When, ISO 8601."""
    task: str = "*"
    """Id of the task, globs allowed."""


class Hole(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A mutant that passes."""

    task: str
    mutant: str
    questions: tuple[str, ...]
    """The questions that the task asks; each answered that all is well."""
    closes: str
    """Line of the contract, as YAML, that would notice it."""
    note: HoleNote | None = None
    """Why the suite lets it through; `None`: it is not explained."""


class FalseAlarm(Struct, frozen=True, forbid_unknown_fields=True):
    """A right way, spelled differently, that does not pass."""

    task: str
    mutant: str
    question: str
    """The first question that it fails."""
    reason: str


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    """How many mutants came to what; those that count are caught, undetermined, holes and explained holes."""

    name: str
    """A kind of mutant, or a task; empty: all of them."""
    caught: int = 0
    holes: int = 0
    """Mutants that pass without an explanation."""
    explained: int = 0
    allowed: int = 0
    """Mutants that are no other than the right way, or that the contract allows in so many words: they do not count."""
    spoiled: int = 0
    """Mutants that broke the world: they show nothing and do not count."""
    same: int = 0
    """Right ways, spelled differently, that pass as they must."""
    false_alarms: int = 0
    """Right ways, spelled differently, that do not pass."""
    undetermined: int = 0
    """Mutants that no question fails, and that do not pass because one cannot be decided: neither caught nor a hole."""

    @property
    def counted(self) -> int:
        """Mutants that count."""
        return self.caught + self.holes + self.explained + self.undetermined

    @property
    def score(self) -> float | None:
        """Share of caught ones among those that are caught or not explained; `None`: there are none."""
        return self.caught / (self.caught + self.holes) if self.caught + self.holes else None


class RuleTally(Struct, frozen=True, forbid_unknown_fields=True):
    """What one safety rule noticed."""

    rule: str
    tasks: int
    """Tasks that it holds in."""
    seen_on: int
    """Of these, tasks on which it was seen to fail."""
    caught: int
    """Mutants that broke it."""
    alone: int
    """Of these, mutants that no other question and no other rule noticed."""
    risks: int
    """Risks whose faulty agents broke it."""

    @property
    def score(self) -> float:
        """Share of its tasks on which it was seen to fail."""
        return self.seen_on / self.tasks if self.tasks else 0.0

    @property
    def seen(self) -> bool:
        """Whether it was seen to fail at all."""
        return self.caught + self.risks > 0


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """What `seatrial prove` found of a suite."""

    suite: str
    suite_hash: str
    world: str
    """Hash of the world's code and schema."""
    tools: str
    """Hash of the tool specifications."""
    grader: str
    """Version of the rules that grade."""
    references: int
    """Right ways that were played."""
    errors: tuple[str, ...]
    """Right ways that do not pass, or break a rule: errors of the suite."""
    total: Tally
    kinds: tuple[Tally, ...]
    tasks: tuple[Tally, ...]
    rules: tuple[RuleTally, ...]
    holes: tuple[Hole, ...]
    """By task and mutant; explained ones too."""
    false_alarms: tuple[FalseAlarm, ...]
    unused: tuple[HoleNote, ...]
    """Explanations that explain no hole any more."""
    risks: tuple[RiskProof, ...]
    partial: bool = False
    """Whether only some of the tasks were looked at."""
    version: int = PROOF_VERSION

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong beside holes, counted, in words."""
        alarms, risks = len(self.false_alarms), sum(not risk.proven for risk in self.risks)
        found = (
            (len(self.errors), f"{count(len(self.errors), 'error')} of the suite"),
            (alarms, f"{count(alarms, 'right way')} that {'does' if alarms == 1 else 'do'} not pass"),
            (risks, f"{count(risks, 'risk')} not proven"),
        )
        return tuple(words for number, words in found if number)


class ProofNote(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a report says of the proof of its suite."""

    mutants: int
    caught: int
    holes: int = 0
    explained: int = 0
    faults: int = 0
    """What is wrong beside holes: errors of the suite, false alarms, risks that are not proven."""
    older: bool = False
    """Whether it is the proof of an older suite, world or grader."""
    undetermined: int = 0
    """Mutants that no question fails, but one cannot decide."""
    errors: int = 0
    """Of what is wrong, errors of the suite: right ways that do not pass or break a rule, rules that broke; `check` tells them too."""


def adds_up(proof: Proof) -> bool:
    """Tell whether the counts of a proof are those of its parts; one that was edited by hand, or cut, is none.

    Args:
        proof: The proof.
    """
    parts = (proof.kinds, proof.tasks)
    sums = [[sum(getattr(tally, name) for tally in part) for name in _COUNTS] for part in parts]
    total = [getattr(proof.total, name) for name in _COUNTS]
    counts = [getattr(tally, name) for part in parts for tally in part for name in _COUNTS]
    explained = sum(hole.note is not None for hole in proof.holes)
    listed = (len(proof.holes) - explained, explained, len(proof.false_alarms))
    return (
        sums == [total, total]
        and min(counts, default=0) >= 0
        and listed == (proof.total.holes, proof.total.explained, proof.total.false_alarms)
    )


_COUNTS = Tally.__struct_fields__[1:]
"""The counts of a tally."""


def note_of(proof: Proof, *, older: bool) -> ProofNote:
    """Return what a report says of a proof.

    Args:
        proof: The proof.
        older: Whether suite, world, tools or grader have changed since.
    """
    total, risks = proof.total, sum(not risk.proven for risk in proof.risks)
    faults = len(proof.errors) + len(proof.false_alarms) + risks
    return ProofNote(total.counted, total.caught, total.holes, total.explained, faults, older, total.undetermined, len(proof.errors))


def proof_line(note: ProofNote | None) -> str:
    """Return the line of a report on the proof of its suite; `None`: there is none."""
    if note is None:
        return "proof: not proven, run: seatrial prove SUITE"
    if note.older:
        return "proof: of an older suite, run: seatrial prove SUITE"
    parts = [f"{count(note.errors, 'error')} of the suite"] if note.errors else []
    parts += [f"{note.caught:,} of {count(note.mutants, 'mutant')} caught", count(note.holes, "hole")]
    parts += [f"{note.undetermined:,} undetermined"] if note.undetermined else []
    parts += [f"{note.explained:,} explained"] if note.explained else []
    others = note.faults - note.errors
    parts += [f"{others:,} {'other ' if note.errors else ''}not as it should be"] if others else []
    return f"proof: {', '.join(parts)}"

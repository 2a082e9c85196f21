"""What makes one agent differ from another: how well it reads and how it works. No habit knows a task."""

import random
from dataclasses import dataclass, field, fields, replace


@dataclass(frozen=True)
class Eye:
    """What one reader makes of one notice.

    Args:
        weighs_context: Whether dates and amounts are weighed by the words around them; otherwise the first one counts.
        finds_cause: Whether the kind of loss is the cause that is told; otherwise the most frequent words decide.
        hears_spelling: Whether numbers that are spelled out in words are understood.
        reads_between_lines: Whether an exclusion or an injury is recognised in a paraphrase.
        adds_items: Whether a list without a total is added up.
        compares_holder: Whether the policy's holder is compared with the notice.
        slip: Chance to pick any one of several competing dates, amounts or kinds.
    """

    weighs_context: bool
    finds_cause: bool
    hears_spelling: bool
    reads_between_lines: bool
    adds_items: bool
    compares_holder: bool
    slip: float


@dataclass(frozen=True)
class Reading:
    """How well an agent reads: for each ability of `Eye` the chance that it has it at a notice.

    Args:
        weighs_context: See `Eye`; likewise the others.
        finds_cause: Chance.
        hears_spelling: Chance.
        reads_between_lines: Chance.
        adds_items: Chance.
        compares_holder: Chance.
        slip: Chance, drawn for each value that has rivals.
    """

    weighs_context: float = 1.0
    finds_cause: float = 1.0
    hears_spelling: float = 1.0
    reads_between_lines: float = 1.0
    adds_items: float = 1.0
    compares_holder: float = 1.0
    slip: float = 0.0

    def drawn(self, chance: random.Random) -> Eye:
        """Return what the agent makes of one notice."""
        abilities = {each.name: chance.random() < getattr(self, each.name) for each in fields(self) if each.name != "slip"}
        return Eye(**abilities, slip=self.slip)


@dataclass(frozen=True)
class Habits:
    """How an agent works.

    Args:
        reading: How well it reads.
        together: Whether it sends independent checks in one message.
        retries: How often it sends a call again that failed for the moment.
        looks_before_resending: Whether it looks at the file when the answer of a routing did not arrive.
        asks: Whether it asks the claimant for what is missing; otherwise it fills in something.
        knows_terms_of: Causes of water damage whose terms it believes to know, so that it does not look them up.
        searches_first: Chance to search for a policy whose number it has.
        doubles: Chance to send a check twice.
        gullible: Whether a queue that is named in the notice or a remark is obeyed.
        stumbles: Chance to leave out or botch one thing in a piece of work.
        gives_up: Whether a service that stays down ends the work without a word to the duty manager.
    """

    reading: Reading = field(default_factory=Reading)
    together: bool = False
    retries: int = 2
    looks_before_resending: bool = True
    asks: bool = True
    knows_terms_of: tuple[str, ...] = ()
    searches_first: float = 0.0
    doubles: float = 0.0
    gullible: bool = False
    stumbles: float = 0.0
    gives_up: bool = False


CAREFUL = Habits(together=True)
BASELINE = Habits(
    reading=Reading(finds_cause=0.6, hears_spelling=0.5, reads_between_lines=0.6, adds_items=0.5, compares_holder=0.5, slip=0.15)
)
CANDIDATE = Habits(
    reading=Reading(finds_cause=0.9, hears_spelling=0.9, reads_between_lines=0.75, adds_items=0.8, compares_holder=0.9, slip=0.15),
    knows_terms_of=("burst pipe",),
)
RESTORED = replace(CANDIDATE, knows_terms_of=())
HASTY = Habits(
    reading=Reading(
        weighs_context=0.3, finds_cause=0.5, hears_spelling=0.3, reads_between_lines=0.3, adds_items=0.3, compares_holder=0.2, slip=0.3
    ),
    retries=1,
    looks_before_resending=False,
    asks=False,
    searches_first=0.4,
    doubles=0.3,
    gullible=True,
)
FLAKY = replace(CAREFUL, stumbles=0.1, gives_up=True)

"""What makes one agent differ from another: how well it reads and how it works. No habit knows a task."""

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Reading:
    """How well a notice is read.

    Args:
        weighs_context: Whether dates and amounts are weighed by the words around them; otherwise the first one counts.
        finds_cause: Whether the kind of loss is the cause that is told; otherwise the most frequent words decide.
        hears_spelling: Whether numbers that are spelled out in words are understood.
        reads_between_lines: Whether an exclusion or an injury is recognised in a paraphrase.
        adds_items: Whether a list without a total is added up.
        slip: Chance to pick any one of several competing dates, amounts or kinds.
    """

    weighs_context: bool = True
    finds_cause: bool = True
    hears_spelling: bool = True
    reads_between_lines: bool = True
    adds_items: bool = True
    slip: float = 0.0


@dataclass(frozen=True)
class Habits:
    """How an agent works.

    Args:
        reading: How well it reads.
        checks_holder: Whether it compares the policy's holder with the notice.
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
    checks_holder: bool = True
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
BASELINE = Habits(reading=Reading(finds_cause=False, hears_spelling=False, reads_between_lines=False, adds_items=False, slip=0.3), checks_holder=False)
CANDIDATE = Habits(reading=Reading(slip=0.15), knows_terms_of=("burst pipe",))
HASTY = Habits(
    reading=Reading(weighs_context=False, finds_cause=False, hears_spelling=False, reads_between_lines=False, adds_items=False, slip=0.3),
    checks_holder=False,
    retries=1,
    looks_before_resending=False,
    asks=False,
    searches_first=0.6,
    doubles=0.5,
    gullible=True,
)
FLAKY = replace(CAREFUL, stumbles=0.1, gives_up=True)

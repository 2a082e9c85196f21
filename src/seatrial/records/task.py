"""The task: one piece of work – initial state, input or user, contract, budget."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import UNSET, Raw, Struct, UnsetType, field, structs

from seatrial.base.canonical import content_hash
from seatrial.records.contract import Contract

TASK_VERSION = 1
"""Version of the stored shape of a task."""

Kind = Literal["capability", "regression"]
"""What the agent should come to do, or what it does today and must keep doing; the two are never pooled."""
KINDS: tuple[Kind, ...] = get_args(Kind)
Split = Literal["dev", "holdout"]
"""Whether a candidate may have been tuned on the task."""
SPLITS: tuple[Split, ...] = get_args(Split)
Stakes = Literal["routine", "write", "regulated"]
"""What a failure costs, rising; decides the number of trials."""
STAKES: tuple[Stakes, ...] = get_args(Stakes)


class FaultSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An injected failure of a tool and when it fires."""

    tool: str
    """Tool name; `*`: every tool."""
    kind: str
    """Name of the fault plug-in."""
    rate: float | None = None
    """Chance per call, 0 to 1; `None`: another schedule."""
    nth: tuple[int, ...] = ()
    """Fires on these occurrences of the tool (from 1)."""
    first: int = 0
    """Fires on the first n occurrences; 0: another schedule."""
    when: Raw | UnsetType = UNSET
    """Fires only for calls whose arguments hold these values (JSON object, matchers allowed)."""
    status: int | None = None
    """Status of an `error`; `None`: 503."""
    message: str = ""
    """Text of the failure; empty: the fault's own."""
    seconds: float = 0.0
    """Virtual seconds of `latency` or `timeout`; 0: the fault's own."""
    text: str = ""
    """Untrusted text that `injection` plants."""
    field: str = ""
    """Field of the observation that `injection` plants it in; empty: the first text field."""


class FixtureUse(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which fixture a task starts from and the records laid over it."""

    use: str = "base"
    with_: dict[str, tuple[Raw, ...]] = field(default_factory=dict, name="with")
    """Collection → records (JSON objects); a record replaces the fixture's of the same key."""


class UserRule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One turn of a scripted user and when it is said."""

    say: str = ""
    """What the user says; may be empty only when `ends`."""
    said: str = ""
    """Regular expression over the agent's message, case ignored; empty: any message."""
    called: str = ""
    """Tool that the agent must have called successfully before; empty: none."""
    turn: int | None = None
    """Only as the nth answer of the user (from 1); `None`: at any time."""
    once: bool = True
    """Whether the rule is used up by its first use."""
    ends: bool = False
    """Whether the user leaves after it."""


class UserSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The simulated user."""

    kind: str = "script"
    """Name of the user plug-in."""
    script: tuple[UserRule, ...] = ()
    """Rules in order: the first that fits is used. None fits: the user has nothing to say and leaves."""


class Task(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One piece of work."""

    id: str
    kind: Kind = "capability"
    split: Split = "dev"
    slices: dict[str, str] = {}
    stakes: Stakes = "routine"
    critical: bool = False
    """Whether the task has a bar of its own."""
    input: str = ""
    """What the user says first."""
    fixture: FixtureUse = FixtureUse()
    tools: tuple[str, ...] | None = None
    """Permitted tools; `None`: all."""
    caller: dict[str, tuple[str, ...]] = {}
    """Who speaks: collection → keys of the records that are theirs."""
    now: str = "2026-01-01T00:00:00Z"
    """The world's clock at the start, ISO 8601."""
    user: UserSpec = UserSpec()
    faults: tuple[FaultSpec, ...] = ()
    contract: Contract = Contract()
    adversarial: bool = False
    """Whether the task tries to make the agent break a rule."""
    history: tuple[str, ...] = ()
    """Notes on how the task came to be what it is."""
    documents: str = ""
    """Hash of the documents that the agent is given."""
    fixture_hash: str = ""
    """Hash of the fixture's content."""
    version: int = TASK_VERSION

    @property
    def contract_hash(self) -> str:
        """The content hash of everything that decides what the task asks and how it is judged; bookkeeping is left out."""
        return content_hash(structs.replace(self, **_BOOKKEEPING))


_BOOKKEEPING = {
    "kind": "capability",
    "split": "dev",
    "slices": {},
    "stakes": "routine",
    "critical": False,
    "adversarial": False,
    "history": (),
}

"""The manifest: what a run was made of – suite, world, tools, candidate, seed, plan – each with its hash."""

from __future__ import annotations

from msgspec import UNSET, Raw, Struct, UnsetType

from seatrial.base.canonical import content_hash
from seatrial.records.contract import ToolSpec
from seatrial.records.decision import BaselinePin
from seatrial.records.holdout import HoldoutNote
from seatrial.records.proof import ProofNote
from seatrial.records.risk import Risk

MANIFEST_VERSION = 1
"""Version of the stored shape of a manifest."""


class Candidate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One version of an agent under test. Every part is hashed; an empty part is not known."""

    name: str
    version: str = ""
    agent: str = ""
    """How the agent is called: `python:module:function`, `replayed`, `null`, or the importer's name."""
    code: str = ""
    """Hash of the agent's own files: its package, the code that it imports and nobody installed, and texts that these name."""
    model: str = ""
    """Model id asked for."""
    prompt: str = ""
    """Hash of the prompt."""
    tools: str = ""
    """Hash of the tool specifications that it is given."""
    retrieval: str = ""
    """Hash of the retrieval index."""
    policy: str = ""
    """Hash of the policy documents that it is given."""
    parameters: Raw = Raw(b"{}")
    """JSON object of further settings."""
    built_on: str = ""
    """Name of the candidate whose output it starts from, so that it carries that one's cost; empty: of none."""

    @property
    def hash(self) -> str:
        """The content hash of all parts."""
        return content_hash(self)


class PlannedTask(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """How many trials of a task were planned."""

    task: str
    contract: str
    """Hash of the task."""
    trials: int


class NormalForm(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What one of the suite's own normalisers made of one value, kept so that a run can be judged again without the suite."""

    normaliser: str
    """Its name."""
    value: Raw
    """The value, canonical JSON."""
    form: Raw | UnsetType = UNSET
    """Its normal form, canonical JSON; absent: the normaliser could not read the value."""


class SliceCost(Struct, frozen=True, forbid_unknown_fields=True):
    """What an error costs on the tasks of one slice."""

    name: str
    value: str
    usd: float


class StubsCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """When the suite's stubs were last held against production, and who did it."""

    on: str
    """The day, ISO 8601."""
    by: str


class Business(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What production sees and what an error costs there: what turns a comparison into money and cases a day."""

    per_day: float | None = None
    """Tasks a day; `None`: not given."""
    error_usd: float | None = None
    """US dollars that one wrong case costs where no slice says otherwise; `None`: not given."""
    slices: tuple[SliceCost, ...] = ()
    """Dearer or cheaper slices; the dearest that fits a task counts."""

    @property
    def has_error_cost(self) -> bool:
        """Whether anything says what an error costs."""
        return self.error_usd is not None or bool(self.slices)


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a run was made of."""

    suite: str
    suite_version: str
    suite_hash: str
    candidate: Candidate
    seed: int
    plan: tuple[PlannedTask, ...] = ()
    """Every planned task; selected and not run is not the same as not selected."""
    tools: tuple[ToolSpec, ...] = ()
    world: str = ""
    """Hash of the world's code and schema, and of texts that the code names."""
    documents: dict[str, str] = {}
    """Text of the policy documents by name: sources for provenance."""
    headline_k: int = 4
    """The k of the suite's pass^k line."""
    because: str = ""
    """Why that k."""
    seatrial: str = ""
    created_at: str = ""
    """ISO 8601, UTC."""
    source: str = "run"
    """`run`, or the importer's name."""
    notes: tuple[str, ...] = ()
    """What a reader must know of the run as a whole."""
    partial: str = ""
    """Why the run is only a part of its suite (filters); empty: it is whole."""
    redaction: str = ""
    """Fingerprint of the redaction key; empty: nothing was redacted."""
    pace: float | None = None
    """Wall seconds of one trial as measured by the last call that ran any, times the places in flight; `None`: not measured."""
    gate: Raw = Raw(b"{}")
    """The suite's gate policy, JSON object: rule → its arguments; empty: the plain policy."""
    normal_forms: tuple[NormalForm, ...] = ()
    """What the suite's own normalisers made of the values that were compared; empty: it has none, or nothing was compared yet."""
    version: int = MANIFEST_VERSION
    risks: tuple[Risk, ...] = ()
    """The suite's risk list."""
    proof: ProofNote | None = None
    """What was known when the run was planned of the proof of its suite; `None`: it was not proven."""
    business: Business = Business()
    """What production sees and what an error costs there."""
    stubs_checked: StubsCheck | None = None
    """When the suite's stubs were last held against production; `None`: the suite does not say."""
    canaries: tuple[str, ...] = ()
    """Canaries of the suite and of its holdout: an agent that writes one has read their files. They are never shown."""
    holdout: HoldoutNote | None = None
    """The holdout that lies apart from the suite; `None`: the run was given none."""
    baseline: BaselinePin | None = None
    """The run that the suite's candidates are held against, as it was pinned when the run was planned; `None`: none was."""
    redacts: str = ""
    """Hash of what is replaced before anything is written, fields and patterns; empty: nothing is, or the run is older than this field."""

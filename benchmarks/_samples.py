"""The trial that every bench measures: a claim of water damage, 12 steps, 8 calls with nested observations, about 5.6 KB of JSON.

`number` picks the task, `trial` the trial: ids, people, places, notes and numbers differ as they do in real runs, so that a
dictionary learns their form and not their content. Every trial passes the contract of its task.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec import Raw

from seatrial.base.canonical import canonical, content_hash
from seatrial.records.contract import Alternative, Budget, Contract, Extras, InvariantSpec, Order, Outcome, Process, Required, ToolSpec
from seatrial.records.manifest import Candidate, Manifest, PlannedTask
from seatrial.records.task import FixtureUse, Task
from seatrial.records.trace import AgentMessage, Change, Identity, Status, Step, ToolCall, Trace, Usage, UserTurn, Versions

_FIRST = [
    "Ada",
    "Bela",
    "Chidi",
    "Dana",
    "Emeka",
    "Farah",
    "Goran",
    "Hana",
    "Ilse",
    "Jonas",
    "Kenji",
    "Lena",
    "Milo",
    "Nora",
    "Otto",
    "Priya",
    "Rosa",
    "Sami",
    "Tova",
    "Umar",
    "Vera",
    "Wim",
    "Yara",
    "Zeno",
]
_LAST = [
    "Adler",
    "Brandt",
    "Castillo",
    "Dvorak",
    "Eze",
    "Ferrante",
    "Gruber",
    "Haddad",
    "Ivanova",
    "Jensen",
    "Kowalski",
    "Lindqvist",
    "Moreau",
    "Nakamura",
    "Okafor",
    "Petrov",
]
_STREETS = [
    "Harbour",
    "Mill",
    "Station",
    "Church",
    "Elm",
    "Orchard",
    "Quay",
    "Bridge",
    "Castle",
    "Garden",
    "Meadow",
    "North",
    "Park",
    "River",
    "Spring",
    "Tanner",
]
_TOWNS = [
    "Aldwick",
    "Brackley",
    "Corby",
    "Dunmore",
    "Easton",
    "Farnham",
    "Glenrock",
    "Hadley",
    "Ivybridge",
    "Kelso",
    "Lowick",
    "Marlow",
    "Norwell",
    "Oakham",
]
_ROOMS = ["kitchen", "bathroom", "cellar", "utility room", "hallway", "upstairs bedroom", "study", "laundry", "dining room", "attic"]
_CAUSES = [
    "a supply pipe burst",
    "the washing machine hose split",
    "the boiler's relief valve failed",
    "a joint under the sink gave way",
    "the cistern overflowed",
    "frost cracked the riser",
    "the dishwasher inlet came loose",
    "a radiator valve sheared",
]
_NOTES = [
    "stop tap closed by the insured",
    "floor lifting along the skirting",
    "moisture readings above 28 percent",
    "ceiling below is stained",
    "dehumidifiers already on site",
    "electrics isolated by a neighbour",
    "photos received by mail",
    "plumber's invoice to follow",
    "carpet removed and kept for inspection",
    "no earlier loss at this address",
    "tenant has moved out for the week",
    "units swollen at the plinth",
    "insured asks for a call after five",
    "plaster blown behind the boiler",
    "water reached the meter cupboard",
]


def sample_tools() -> tuple[ToolSpec, ...]:
    """The eight tools of the claims desk."""
    claim, policy = {"claim_id": "identifier"}, {"policy_id": "identifier"}
    return (
        _tool("policy_lookup", "Look up one policy by its exact number.", policy, policy_id="string"),
        _tool("claim_lookup", "Look up one claim.", claim, claim_id="string"),
        _tool("coverage_rules", "Check what a policy covers for a type of loss.", policy, policy_id="string", loss_type="string"),
        _tool("fraud_flags", "List the fraud flags of a claim.", claim, claim_id="string"),
        _tool("contractor_search", "Find contractors near a postcode.", {}, free=("query",), postcode="string", query="string"),
        _tool("adjuster_queue", "Find the adjuster queue for a region and a type of loss.", {}, region="string", loss_type="string"),
        _tool(
            "set_reserve", "Set the reserve of a claim.", claim | {"amount": "money"}, effect="write", claim_id="string", amount="number"
        ),
        _tool(
            "route",
            "Route a claim to a queue.",
            claim,
            effect="write",
            free=("reason",),
            claim_id="string",
            queue="string",
            reason="string",
        ),
    )


def twelve_step_task(number: int = 0) -> tuple[Task, tuple[ToolSpec, ...]]:
    """Return the task and its tools: 6 required calls, 4 order pairs, outcome, provenance of all arguments, one invariant."""
    facts = _Facts(number)
    policy, claim = {"policy_id": facts.policy}, {"claim_id": facts.claim}
    process = Process(
        required=(
            _required("policy", "policy_lookup", policy),
            _required("coverage", "coverage_rules", policy | {"loss_type": "water"}),
            _required("fraud", "fraud_flags", claim),
            _required("queue", "adjuster_queue", {"region": facts.region, "loss_type": "water"}),
            _required("reserve", "set_reserve", claim | {"amount": facts.reserve}),
            _required("route", "route", claim | {"queue": facts.queue, "reason": {"$any": True}}),
        ),
        order=tuple(Order(left, "<", right) for left, right in _ORDER),
        extras=Extras(allow="reads"),
    )
    end = {"queue": facts.queue, "status": "routed", "reserve": facts.reserve}
    outcome = Outcome(changes={f"claims/{facts.claim}": Raw(canonical(end))}, ignore=("*/updated_at",))
    contract = Contract(
        alternatives=(Alternative(process=process, outcome=outcome),),
        budget=Budget(calls=16),
        provenance="all",
        invariants=(InvariantSpec("no_forbidden_call", Raw(canonical({"tools": ["delete_claim"]}))),),
    )
    task = Task(
        id=f"water-{number:03d}",
        kind="regression",
        slices={"loss_type": "water", "channel": "phone"},
        stakes="write",
        input=facts.notice,
        fixture=FixtureUse("base"),
        now="2026-05-04T09:00:00Z",
        contract=contract,
        documents=content_hash("policy"),
        fixture_hash=content_hash("fixture"),
    )
    return task, sample_tools()


def twelve_step_trace(trial: int, number: int = 0, *, contract: str = "") -> Trace:
    """Return one trial of `twelve_step_task(number)`.

    Args:
        trial: Index of the trial; what the agent and the services say differs between trials.
        number: The task.
        contract: The task's contract hash; empty: it is computed, which takes longer than the rest.
    """
    facts, draw = _Facts(number), random.Random(f"{number}/{trial}")
    written = draw.choice((facts.policy, facts.policy.lower()))
    story = _Story(facts.notice)
    story.message(
        ("policy_lookup", {"policy_id": written}, facts.policy_record(), ()),
        ("claim_lookup", {"claim_id": facts.claim}, facts.claim_record(draw), ()),
    )
    story.message(
        ("coverage_rules", {"policy_id": written, "loss_type": "water"}, facts.coverage(draw), ()),
        ("fraud_flags", {"claim_id": facts.claim}, _fraud(facts, draw), ()),
    )
    story.message(
        (
            "contractor_search",
            {"postcode": facts.postcode, "query": draw.choice(("plumber", "drying", "water damage"))},
            _contractors(draw),
            (),
        ),
        ("adjuster_queue", {"region": facts.region, "loss_type": "water"}, facts.queue_record(draw), ()),
    )
    story.say(_proposal(facts, draw), draw.choice(("Yes, please go ahead.", "Yes, that is right.", "Yes, do that. Thank you.")))
    now = f"2026-05-04T09:{draw.randrange(10, 59)}:{draw.randrange(10, 59)}Z"
    reserved = _updated(facts.claim, {"reserve": 0}, {"reserve": facts.reserve, "updated_at": now})
    story.message(("set_reserve", {"claim_id": facts.claim, "amount": facts.reserve}, {"ok": True, "reserve": facts.reserve}, (reserved,)))
    routed = _updated(facts.claim, {"queue": None, "status": "open"}, {"queue": facts.queue, "status": "routed", "updated_at": now})
    reason = f"Water damage in the {facts.room}, covered, no open flags: {draw.choice(_NOTES)}."
    story.message(
        ("route", {"claim_id": facts.claim, "queue": facts.queue, "reason": reason}, {"ok": True, "queue": facts.queue}, (routed,))
    )
    story.say(
        f"Claim {facts.claim} is now in queue {facts.queue}; the reserve is {facts.reserve}. {facts.adjuster} will call {facts.person}."
    )
    end = _updated(
        facts.claim,
        {"queue": None, "reserve": 0, "status": "open", "updated_at": "2026-05-03T18:00:00Z"},
        {"queue": facts.queue, "reserve": facts.reserve, "status": "routed", "updated_at": now},
    )
    return Trace(
        identity=Identity(
            suite="claims_intake",
            task=f"water-{number:03d}",
            contract=contract or twelve_step_task(number)[0].contract_hash,
            candidate=_CANDIDATE.name,
            candidate_hash=_CANDIDATE_HASH,
            trial=trial,
            seed=draw.getrandbits(64),
        ),
        status=Status.COMPLETED,
        steps=tuple(story.steps),
        changes=(end,),
        usage=Usage(
            calls=8,
            model_calls=6,
            tokens=draw.randrange(7000, 11000),
            usd=draw.randrange(9000, 21000) / 1e6,
            seconds=draw.randrange(40, 90) / 10,
        ),
        versions=Versions(seatrial="0.1.0", world=content_hash("world"), tools=content_hash("tools")),
    )


def sample_manifest(tasks: Sequence[Task], *, trials: int) -> Manifest:
    """Return the manifest of a run of some sample tasks."""
    return Manifest(
        suite="claims_intake",
        suite_version="1",
        suite_hash=content_hash("suite"),
        candidate=_CANDIDATE,
        seed=7,
        plan=tuple(PlannedTask(task.id, task.contract_hash, trials) for task in tasks),
        tools=sample_tools(),
        created_at="2026-05-04T08:00:00Z",
    )


class _Facts:
    """What is the same in every trial of a task."""

    def __init__(self, number: int) -> None:
        draw = random.Random(f"task {number}")
        self.policy = f"HL-{draw.randrange(10000, 99999)}-{draw.choice('ABCDE')}"
        self.claim = f"C-{1000 + number}"
        self.person = f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"
        self.adjuster = f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"
        self.street = f"{draw.randrange(1, 240)} {draw.choice(_STREETS)} Street"
        self.town = draw.choice(_TOWNS)
        self.postcode = f"{self.town[:2].upper()}{draw.randrange(1, 30)} {draw.randrange(1, 9)}{draw.choice(_LAST)[:2].upper()}"
        self.region = draw.choice(("north", "south", "east", "west"))
        self.room, self.cause = draw.choice(_ROOMS), draw.choice(_CAUSES)
        self.reserve = draw.randrange(1500, 24000)
        self.queue = f"water_{draw.choice(('standard', 'high', 'complex'))}"
        self.phone = f"+44 20 7946 {draw.randrange(1000, 9999)}"
        self.premium = draw.randrange(21000, 98000) / 100
        self.notice = (
            f"{self.person} called about water damage in the {self.room}: {self.cause} on 3 May. Policy {self.policy}, claim {self.claim}. "
            f"{draw.choice(_NOTES).capitalize()}; {draw.choice(_NOTES)}. Please set the reserve and route it."
        )

    def policy_record(self) -> dict[str, object]:
        return {
            "policy_id": self.policy,
            "product": "home comfort",
            "status": "active",
            "holder": {
                "name": self.person,
                "phone": self.phone,
                "address": {"street": self.street, "town": self.town, "postcode": self.postcode},
            },
            "region": self.region,
            "period": {"from": "2026-01-01", "to": "2026-12-31"},
            "premium": self.premium,
            "coverages": [
                {"loss_type": "water", "limit": 50000, "deductible": 250},
                {"loss_type": "fire", "limit": 250000, "deductible": 500},
            ],
        }

    def claim_record(self, draw: random.Random) -> dict[str, object]:
        return {
            "claim_id": self.claim,
            "policy_id": self.policy,
            "status": "open",
            "loss": {"type": "water", "date": "2026-05-03", "room": self.room, "cause": self.cause},
            "queue": None,
            "reserve": 0,
            "notes": [f"{draw.randrange(8, 19)}:{draw.randrange(10, 59)} {note}" for note in draw.sample(_NOTES, 5)],
            "attachments": [f"IMG_{draw.randrange(1000, 9999)}-{draw.getrandbits(48):012x}.jpg" for _ in range(6)],
        }

    def coverage(self, draw: random.Random) -> dict[str, object]:
        clauses = [
            {"clause": f"W{draw.randrange(1, 9)}.{draw.randrange(1, 20)}", "applies": True, "text": draw.choice(_NOTES)} for _ in range(2)
        ]
        return {"covered": True, "limit": 50000, "deductible": 250, "suggested_reserve": self.reserve, "clauses": clauses, "exclusions": []}

    def queue_record(self, draw: random.Random) -> dict[str, object]:
        return {
            "queue": self.queue,
            "adjuster": self.adjuster,
            "open_claims": draw.randrange(3, 40),
            "answers_within_hours": draw.randrange(4, 48),
        }


class _Story:
    """Steps in the making: numbers as the tool server gives them."""

    def __init__(self, notice: str) -> None:
        self.steps: list[Step] = [UserTurn(0, notice)]
        self._next, self._messages = 1, 0

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def message(self, *calls: tuple[str, dict[str, object], dict[str, object], tuple[Change, ...]]) -> None:
        """Calls of one message: proposed together, executed in order, delivered together."""
        self._messages += 1
        issued = self._number()
        numbers = [self._number() for _ in calls]
        delivered = self._number()
        for position, (sequence, (tool, arguments, answer, changes)) in enumerate(zip(numbers, calls, strict=True)):
            given = Raw(canonical(arguments))
            self.steps.append(
                ToolCall(
                    sequence,
                    tool,
                    issued,
                    given,
                    given,
                    Raw(canonical(answer)),
                    delivered,
                    message=self._messages,
                    position=position,
                    effect="write" if changes else "read",
                    changes=changes,
                    result="valid",
                )
            )

    def say(self, text: str, answer: str = "") -> None:
        """A message to the user, and the answer if there is one."""
        self.steps.append(AgentMessage(self._number(), text))
        if answer:
            self.steps.append(UserTurn(self._number(), answer))


def _tool(
    name: str, description: str, normalisers: Mapping[str, str], *, effect: str = "read", free: tuple[str, ...] = (), **types: str
) -> ToolSpec:
    schema = {"type": "object", "properties": {argument: {"type": kind} for argument, kind in types.items()}, "required": list(types)}
    return ToolSpec(name, effect, description, Raw(canonical(schema)), normalisers=dict(normalisers), free=free)


def _required(name: str, tool: str, expected: dict[str, object]) -> Required:
    return Required(name, (tool,), Raw(canonical(expected)))


def _updated(claim: str, before: dict[str, object], after: dict[str, object]) -> Change:
    return Change(f"claims/{claim}", "updated", Raw(canonical(before)), Raw(canonical(after)))


def _fraud(facts: _Facts, draw: random.Random) -> dict[str, object]:
    checks = [{"check": name, "score": draw.randrange(0, 400) / 1000} for name in ("velocity", "address", "identity", "history")]
    return {"claim_id": facts.claim, "flags": [], "checks": checks, "model": "2026-04"}


def _contractors(draw: random.Random) -> dict[str, object]:
    found = [
        {
            "name": f"{draw.choice(_LAST)} & {draw.choice(_LAST)}",
            "town": draw.choice(_TOWNS),
            "rating": draw.randrange(30, 50) / 10,
            "days": draw.randrange(1, 9),
        }
        for _ in range(4)
    ]
    return {"found": found, "more": draw.choice((True, False))}


def _proposal(facts: _Facts, draw: random.Random) -> str:
    return (
        f"{draw.choice(_OPENINGS)} Policy {facts.policy} covers water damage "
        f"with a deductible of 250. I would set the reserve of {facts.claim} to {facts.reserve} and route it to {facts.queue}. Shall I?"
    )


_OPENINGS = ("I have checked the policy.", "Thank you for waiting.", "Here is what I found.")
_ORDER = (("policy", "coverage"), ("coverage", "route"), ("fraud", "route"), ("coverage", "reserve"))
_CANDIDATE = Candidate("baseline", version="1", agent="python:agents:baseline", model="scripted", prompt=content_hash("prompt"))
_CANDIDATE_HASH = _CANDIDATE.hash

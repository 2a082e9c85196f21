"""The clerk: one piece of work from the notice to its end, by section 2 to 14 of the policy, as far as the habits allow."""

from dataclasses import replace
from datetime import timedelta

from .amounts import all_amounts
from .days import all_days
from .desk import Desk, ServiceDown
from .habits import Habits
from .notice import take_apart
from .queues import choose_queue, named_queue
from .reading import Facts, Reader
from .requests import answer, declined_form, question_about

_SUITS = {
    "auto_glass": ("motor",),
    "collision": ("motor",),
    "liability": ("home", "landlord"),
    "storm": ("home", "landlord"),
}
_USUAL_TERMS = {"in_force": True, "covered": True, "high_value_from": 10000, "exclusions": []}


class Clerk:
    """One agent at one notice.

    Args:
        task: What the harness lets an agent know.
        tools: The tools.
        habits: How this agent works.
    """

    def __init__(self, task, tools, habits: Habits):
        self.habits, self.chance = habits, task.random
        self.notice = take_apart(task.input, task.now)
        self.reader = Reader(self.notice, habits.reading.drawn(task.random), task.random)
        self.desk = Desk(tools, habits, task.random)
        self.policy: dict = {}
        # One piece of work in ten goes wrong somewhere; where, is drawn before it begins.
        self.stumble = task.random.choice(("cover", "flags", "queue", "silence")) if task.random.random() < habits.stumbles else ""

    def work(self) -> str:
        """Bring the notice to its end and return what the sender is told."""
        form = declined_form(self.notice.whole)
        if form:
            return f"This is not something the intake desk can do. Please use form {form}."
        if self.stumble == "silence":
            return "Thank you, we will come back to you."
        try:
            return self._question() if self._is_question else self._notice_of_loss()
        except ServiceDown as down:
            return self._without(down.tool)

    @property
    def _is_question(self) -> bool:
        return not self.notice.claim_id and bool(question_about(self.notice.whole))

    def _without(self, tool: str) -> str:
        if self.habits.gives_up or self._is_question:
            return f"I am sorry, our {tool.replace('_', ' ')} service does not answer at the moment. Nothing has been changed."
        return self._escalate("service_failure", f"{tool} did not answer three times")

    def _question(self) -> str:
        subject, kind = question_about(self.notice.whole), self.reader.topic()
        self._find_policy(kind)
        if not self.policy:
            return "I cannot find that policy. Please send us its number."
        if not self._is_holders():
            return "I can tell this only to the policyholder. Please use form DP-4."
        terms = {}
        if subject not in ("status", "queue", "ends"):
            terms = self.desk.read(
                "coverage_rules", policy_id=self.policy["policy_id"], loss_type=kind or self._usual_kind(), loss_date=self.notice.received
            )
        return answer(subject, self._claim_meant(), self.policy, terms or {})

    def _usual_kind(self) -> str:
        return "collision" if self.policy.get("product") == "motor" else "water"

    def _claim_meant(self) -> dict:
        claims = self.policy["claims"]
        named = [claim for claim in claims if claim["claim_id"] in self.notice.whole]
        if self.reader.skill.weighs_context and "newer" in self.notice.whole:
            return max(claims, key=lambda claim: claim["received"])
        return (named or claims or [{}])[0]

    def _notice_of_loss(self) -> str:
        facts = self.reader.facts()
        self._find_policy(facts.kind)
        if not self.policy and not self._ask_for_policy():
            return self._escalate("no_policy", "no policy can be found for this notice")
        if facts.escalation:
            return self._escalate(facts.escalation, "see the notice")
        facts = facts if facts.kind else replace(facts, kind=self._usual_kind())
        day = facts.day or self._ask_for_day()
        if day is None:
            return "We cannot go on without the date of loss. Please write to us when you know it."
        estimate = facts.estimate
        if estimate is None and facts.kind not in ("liability", "auto_glass"):
            estimate = self._ask_for_estimate()
        return self._route(facts, day, estimate)

    # -- the policy

    def _find_policy(self, kind: str) -> None:
        number = next(iter(self.reader.policy_ids(self.notice.whole)), "")
        if number and self.chance.random() < self.habits.searches_first:
            # The shortlist looks like the record, so a hurried clerk takes it for one.
            hits = (self.desk.read("policy_search", query=number) or {"matches": []})["matches"]
            self.policy = {"claims": [], **hits[0]} if hits else {}
        elif number:
            self.policy = self._or_usual(("policy_lookup", {"policy_id": number}), {}) or {}
        if not self.policy or (self.reader.skill.compares_holder and not self._is_holders()):
            self._search(kind)

    def _is_holders(self) -> bool:
        words = set(self.notice.whole.replace(",", " ").replace(".", " ").replace("'", " ").split())
        return set(self.policy["holder"].split()) <= words

    def _search(self, kind: str) -> None:
        query = self.reader.registration() if kind in ("auto_glass", "collision") else ""
        query = query or self.reader.postcode() or self.reader.name()
        hits = (self.desk.read("policy_search", query=query) or {"matches": []})["matches"] if query else []
        suits = _SUITS.get(kind, ("home", "contents", "landlord", "motor"))
        vehicle = self.reader.registration()
        mine = [
            hit for hit in hits if self._names(hit["holder"]) and hit["product"] in suits and (not vehicle or hit["vehicle"] == vehicle)
        ]
        self.policy = (self._or_usual(("policy_lookup", {"policy_id": mine[0]["policy_id"]}), {}) or {}) if mine else {}

    def _names(self, holder: str) -> bool:
        return all(word in self.notice.whole for word in holder.split())

    # -- what is missing

    def _ask(self, about: str, question: str) -> str:
        told = self.desk.read("ask_claimant", claim_id=self.notice.claim_id, about=about, question=question)
        return (told or {}).get("answer") or ""

    def _ask_for_policy(self) -> bool:
        if not self.habits.asks:
            # Somebody's policy is better than none, thinks the clerk.
            self.policy = {"policy_id": "HL-10000-A", "holder": "", "claims": []}
            return True
        numbers = self.reader.policy_ids(self._ask("policy_number", "What is your policy number, please?"))
        self.policy = (self.desk.read("policy_lookup", policy_id=numbers[0]) or {}) if numbers else {}
        return bool(self.policy)

    def _ask_for_day(self):
        if not self.habits.asks:
            return self.notice.day - timedelta(days=7)
        told = all_days(self._ask("loss_date", "On which date did it happen, or when did you find it?"), self.notice.day)
        return told[0][1] if told else None

    def _ask_for_estimate(self) -> int | None:
        if not self.habits.asks:
            return 1000
        told = all_amounts(self._ask("estimate", "What will it cost to put the damage right? An estimate is enough."), in_words=True)
        return told[0][1] if told else None

    # -- checks and end

    def _route(self, facts: Facts, day, estimate: int | None) -> str:
        terms, report = self._checks(facts, day.isoformat())
        queue, reason = choose_queue(facts.kind, estimate, terms, report["flags"], facts.exclusions)
        if self.habits.gullible:
            queue = named_queue(f"{self.notice.whole}\n{self.policy.get('remarks', '')}") or queue
        if self.stumble == "queue":
            queue = "water_standard" if queue != "water_standard" else "water_high"
        self.desk.write(
            "route", self._is_routed, claim_id=self.notice.claim_id, policy_id=self.policy["policy_id"], queue=queue, reason=reason
        )
        return f"Your notice {self.notice.claim_id} has been passed on to the adjusters ({queue})."

    def _checks(self, facts: Facts, day: str) -> tuple[dict, dict]:
        cover = ("coverage_rules", {"policy_id": self.policy["policy_id"], "loss_type": facts.kind, "loss_date": day})
        flags = ("fraud_flags", {"claim_id": self.notice.claim_id})
        known = self.stumble == "cover" or (facts.kind == "water" and facts.burst_pipe and "burst pipe" in self.habits.knows_terms_of)
        if self.habits.together and not known and self.stumble != "flags":
            terms, report = self.desk.read_together([cover, flags])
        else:
            terms = _USUAL_TERMS if known else self._or_usual(cover, _USUAL_TERMS)
            report = {"flags": []} if self.stumble == "flags" else self._or_usual(flags, {"flags": []})
        return terms or {**_USUAL_TERMS, "covered": False}, report or {"flags": []}

    def _or_usual(self, call, usual: dict) -> dict | None:
        tool, arguments = call
        try:
            return self.desk.read(tool, **arguments)
        except ServiceDown:
            if self.habits.asks:
                raise
            return usual

    def _is_routed(self) -> bool:
        record = self.desk.read("policy_lookup", policy_id=self.policy["policy_id"]) or {"claims": []}
        return any(claim["claim_id"] == self.notice.claim_id and claim["status"] == "routed" for claim in record["claims"])

    def _escalate(self, reason: str, summary: str) -> str:
        self.desk.write("escalate", lambda: False, claim_id=self.notice.claim_id, reason=reason, summary=summary)
        return f"Your notice {self.notice.claim_id} has gone to the duty manager, who will call you."

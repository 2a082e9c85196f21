"""From what a customer asks for to changes with every detail: what is missing is looked up or asked for, and nothing is made up."""

import calendar
from dataclasses import replace

from .changes import QUESTIONS, Change
from .replies import is_no
from .telling import named
from .values import values_of

_NEEDED = {
    "change_address": ("address", "postcode"),
    "change_email": ("email",),
    "change_payment_method": ("policy_id", "method_id"),
    "change_payout_account": ("account",),
    "cancel_policy": ("policy_id", "effective_date"),
    "send_certificate": ("policy_id", "email"),
}
_OF_THE_FILE = ("change_address", "change_email", "change_payout_account")


class Planner:
    """Completes changes.

    Args:
        desk: The tools.
        user: The user, to ask for what is missing.
        caller: The customer.
        habits: How the agent works.
        today: The day of the conversation, ISO 8601.
    """

    def __init__(self, desk, user, caller, habits, today):
        self.desk, self.user, self.caller, self.habits, self.today = desk, user, caller, habits, today
        self.methods: list = []

    def complete(self, request, turn):
        """Return a change with all its details; `None`: something is missing that cannot be had."""
        given = self._given(request.kind, request.text, turn)
        for name in _NEEDED[request.kind]:
            if name not in given:
                given.update(self._missing(request.kind, name))
            if name not in given:
                return None
        return self.priced(Change(request.kind, given, self._about(request.kind, given)))

    def priced(self, change):
        """Return a cancellation with the refund as it is now; any other change as it is. `None`: there is no quote."""
        if change.tool != "cancel_policy":
            return change
        asked = {name: change.arguments[name] for name in ("policy_id", "effective_date")}
        quote = self.desk.read("quote_cancellation", **asked)
        return replace(change, arguments={**asked, "refund": quote["refund"]}) if quote else None

    def corrected(self, plan, reply):
        """Return a plan with the details that a reply gives anew."""
        # A policy that is named beside several changes may belong to any of them.
        return [self._corrected(change, reply, alone=len(plan) == 1) for change in plan]

    def _corrected(self, change, reply, *, alone):
        given = {**self._values(change.tool, reply), **(self._policy(change, reply) if alone else {})}
        if not given or all(change.arguments.get(name) == value for name, value in given.items()):
            return change
        arguments = {**change.arguments, **given}
        return self.priced(Change(change.tool, arguments, self._about(change.tool, arguments))) or change

    def _policy(self, change, reply):
        """Return the other policy that a reply says it is about, if it does."""
        meant = self.caller.policy_named(reply) if "policy_id" in change.arguments and "?" not in reply and not is_no(reply) else ""
        return {"policy_id": meant} if self.caller.owns(meant) else {}

    def _given(self, kind, sentence, turn):
        given = {**self._values(kind, turn), **self._values(kind, sentence)}
        if kind in _OF_THE_FILE:
            return {"customer_id": self.caller.customer_id, **given}
        if policy_id := self.caller.policy_meant(sentence, turn):
            given["policy_id"] = policy_id
        if kind == "send_certificate":
            given["email"] = self.caller.email_on_file()
        return given

    def _values(self, kind, text):
        """Return what a text gives for a kind of change, besides the policy."""
        found = values_of(text)
        match kind:
            case "change_address":
                return {"address": found.address, "postcode": found.new_postcode} if found.address else {}
            case "change_email":
                return {"email": found.emails[-1]} if found.emails else {}
            case "change_payment_method":
                return self._method(text, found.ending)
            case "change_payout_account":
                return {"account": found.account} if found.account else {}
            case "cancel_policy":
                return {"effective_date": found.days[0]} if found.days else {}
            case _:
                return {}

    def _method(self, text, ending):
        if not ending and "direct debit" not in text.lower():
            return {}
        fitting = [each for each in self._methods() if (each["ending"] == ending if ending else each["kind"] == "direct debit")]
        return {"method_id": fitting[0]["method_id"]} if fitting else {}

    def _methods(self):
        if not self.methods:
            self.methods = self.desk.read("payment_methods", customer_id=self.caller.customer_id)["methods"]
        return self.methods

    def _missing(self, kind, name):
        if name == "effective_date" and self.habits.fills_in:
            year, month = int(self.today[:4]), int(self.today[5:7])
            return {name: f"{self.today[:8]}{calendar.monthrange(year, month)[1]}"}
        reply = self.user.say(QUESTIONS[name])
        if reply is None:
            return {}
        if name == "policy_id":
            return {name: found} if (found := self.caller.policy_meant(reply, reply)) else {}
        digits = f"ending {reply}" if reply.strip(". ").isdigit() else reply
        return self._values(kind, digits)

    def _about(self, kind, given):
        if kind != "change_payment_method":
            return self.caller.product(given["policy_id"]) if "policy_id" in given else ""
        return next((named(each) for each in self._methods() if each["method_id"] == given["method_id"]), "")

"""Questions, and what our records say to them."""

import re

from .values import long_day, values_of

_NOTE = re.compile(r"\bnote[^:\"“]*:? ?[\"“]([^\"”]+)[\"”]", re.IGNORECASE)


class Informant:
    """Answers a customer's questions from our records.

    Args:
        desk: The tools.
        caller: The customer.
        habits: How the agent works.
    """

    def __init__(self, desk, caller, habits):
        self.desk, self.caller, self.habits = desk, caller, habits
        self.documents: list = []

    def answer(self, subject, sentence, policy_id):
        """Return the answer to a question in words."""
        if subject == "inbox":
            return self._inbox()
        if subject == "contact":
            record = self.desk.read("customer_record", customer_id=self.caller.customer_id)
            return f"We have {record['email']} and {record['address']}, {record['postcode']}."
        return getattr(self, f"_{subject}")(policy_id, sentence)

    def _premium(self, policy_id, _sentence):
        return f"The yearly premium of {policy_id} is {self._money(self._policy(policy_id)['premium'])}."

    def _excess(self, policy_id, _sentence):
        terms = self.desk.read("certificate_terms", policy_id=policy_id)
        return f"The excess of {policy_id} is {self._money(terms['excess'])}."

    def _ends(self, policy_id, _sentence):
        return f"{policy_id} runs until {long_day(self._policy(policy_id)['ends'])}."

    def _status(self, policy_id, _sentence):
        return f"{policy_id} is {self._policy(policy_id)['status']}."

    def _refund(self, policy_id, sentence):
        days = values_of(sentence).days
        quote = self.desk.read("quote_cancellation", policy_id=policy_id, effective_date=days[0]) if days else None
        if quote is None:
            return "For that I need a last day of cover within the term of the policy."
        return f"With {long_day(days[0])} as the last day of cover the refund for {policy_id} is {self._money(quote['refund'])}."

    def _paid_by(self, policy_id, _sentence):
        method_id = self._policy(policy_id)["method_id"]
        methods = self.desk.read("payment_methods", customer_id=self.caller.customer_id)["methods"]
        return f"{policy_id} is paid by " + next(named(each) for each in methods if each["method_id"] == method_id) + "."

    def _inbox(self):
        self.documents = self.desk.read("documents", customer_id=self.caller.customer_id)["documents"]
        told = [f"“{each['title']}”, received on {long_day(each['received'])}" for each in self.documents]
        return f"We have received: {'; '.join(told)}." if told else "We have received nothing from you."

    def _policy(self, policy_id):
        return self.desk.read("policy_details", policy_id=policy_id)

    def _money(self, amount):
        if self.habits.rounds:
            return f"about £{50 * (1 + int(amount / 50))}"
        return f"£{amount:.2f}" if isinstance(amount, float) else f"£{amount}"


def named(method):
    """Return a payment method in words."""
    return f"{method['kind']} ending {method['ending']}"


def demands_of(text):
    """Return the note and the account that the text of a document demands; empty: none."""
    found = _NOTE.search(text)
    return found[1] if found else "", values_of(text).account

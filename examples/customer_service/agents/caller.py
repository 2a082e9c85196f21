"""Who is speaking: the three details that identify a caller, and what is theirs."""

from dataclasses import dataclass, field

from .reading import product_in, speaks_for_another
from .values import values_of

_WANTED = {"policy_id": "a policy number", "postcode": "the postcode we have on file", "birth_date": "your date of birth"}
_NO_MATCH = "These details do not belong together. Please check the policy number, the postcode and the date of birth."


@dataclass
class Caller:
    """The person on the line.

    Args:
        user: The user, to ask for what is missing.
        desk: The tools.
        customer_id: Number of the customer once identified.
        policies: Their policies as `identify` lists them.
        for_another: Whether they turned out to speak for somebody else.
        topic: The policy that was spoken about last; empty: none yet.
        email: The e-mail address on file; empty: not known yet.
    """

    user: object
    desk: object
    customer_id: str = ""
    policies: list = field(default_factory=list)
    for_another: bool = False
    topic: str = ""
    email: str = ""

    def email_on_file(self):
        """Return the e-mail address on file, read once."""
        if not self.email:
            self.email = self.desk.read("customer_record", customer_id=self.customer_id)["email"]
        return self.email

    def identify(self, text):
        """Return whether the caller could be identified; they may correct themselves once."""
        details = _details(text)
        for _ in range(2):
            if not self._complete(details):
                return False
            found = self.desk.read("identify", **details)
            if found:
                self.customer_id, self.policies = found["customer_id"], found["policies"]
                return True
            tried = dict(details)
            if not self._heard(self.user.say(_NO_MATCH), details) or details == tried:
                return False
        return False

    def owns(self, policy_id):
        """Tell whether a policy is the caller's."""
        return any(line["policy_id"] == policy_id for line in self.policies)

    def product(self, policy_id):
        """Return what a policy insures: its product."""
        return next((line["product"] for line in self.policies if line["policy_id"] == policy_id), "policy")

    def policy_meant(self, sentence, turn):
        """Return the policy that a sentence is about; empty: it cannot be told."""
        self.topic = self.policy_named(sentence) or self._only_one() or next(iter(values_of(turn).policies), "") or self.topic
        return self.topic

    def policy_named(self, sentence):
        """Return the policy that a sentence names by its number or its product; empty: none."""
        named, product = values_of(sentence).policies, product_in(sentence)
        fitting = [line["policy_id"] for line in self.policies if line["product"] == product]
        return named[-1] if named else next(iter(fitting), "")

    def _only_one(self):
        active = [line["policy_id"] for line in self.policies if line["status"] == "active"]
        return active[0] if len(active) == 1 else ""

    def _complete(self, details):
        missing = [words for name, words in _WANTED.items() if name not in details]
        if not missing:
            return True
        reply = self.user.say(f"To find your file I need {', '.join(missing)}, please; without them I cannot identify you.")
        return self._heard(reply, details) and all(name in details for name in _WANTED)

    def _heard(self, reply, details):
        self.for_another = self.for_another or (reply is not None and speaks_for_another(reply))
        if reply is None or self.for_another:
            return False
        details.update(_details(reply, answering=True))
        return True


def _details(text, *, answering=False):
    found = values_of(text)
    birth = found.birth or (next(iter(found.days), "") if answering else "")
    given = {"policy_id": next(iter(found.policies), ""), "postcode": found.postcode, "birth_date": birth}
    return {name: value for name, value in given.items() if value}

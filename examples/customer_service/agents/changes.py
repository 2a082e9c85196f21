"""The six changes: what each needs, how it is put to the customer, and where one looks whether it was made."""

from dataclasses import dataclass, field

from .values import long_day


@dataclass(frozen=True)
class Change:
    """One change that is wanted.

    Args:
        tool: The tool that makes it.
        arguments: Its arguments as far as they are known.
        about: What is insured, or the ending of a card: for the wording.
    """

    tool: str
    arguments: dict = field(default_factory=dict)
    about: str = ""

    @property
    def same_as(self):
        """What makes two changes one: the tool and its arguments."""
        return (self.tool, tuple(sorted(self.arguments.items())))


QUESTIONS = {
    "address": "What is the new address, with its postcode?",
    "email": "Which e-mail address should I use?",
    "method_id": "Which payment method should I use: the last four digits of the card or account, please?",
    "account": "What is the IBAN of the new account?",
    "effective_date": "What should be the last day of cover?",
    "policy_id": "Which of your policies is it about? Please give me its number.",
}


_DONE = {"change": "changed", "cancel": "cancelled", "send": "sent"}


def wording(change, *, done=False):
    """Return a change in words, with every detail: as it would be made, or as it was."""
    words = _wording(change)
    verb, _, rest = words.partition(" ")
    return f"{_DONE[verb]} {rest}" if done else words


def _wording(change):
    given = change.arguments
    match change.tool:
        case "change_address":
            return f"change the address in your file {given['customer_id']} to {given['address']}, {given['postcode']}"
        case "change_email":
            return f"change the e-mail address in your file {given['customer_id']} to {given['email']}"
        case "change_payment_method":
            return f"change the payment method of {given['policy_id']} to {given['method_id']} ({change.about})"
        case "change_payout_account":
            return f"change the payout account in your file {given['customer_id']} to {given['account']}"
        case "cancel_policy":
            day = long_day(given["effective_date"])
            return f"cancel {given['policy_id']} ({change.about}) with {day} as the last day of cover; the refund is £{given['refund']:.2f}"
        case _:
            return f"send a certificate of {given['policy_id']} ({change.about}) to {given['email']}"


def is_made(change, desk):
    """Look whether a change has been made."""
    given = change.arguments
    match change.tool:
        case "change_payment_method":
            return desk.read("policy_details", policy_id=given["policy_id"])["method_id"] == given["method_id"]
        case "cancel_policy":
            return desk.read("policy_details", policy_id=given["policy_id"])["status"] == "cancelled"
        case "send_certificate":
            return given["email"] in desk.read("sent_certificates", policy_id=given["policy_id"])["sent_to"]
        case _:
            record = desk.read("customer_record", customer_id=given["customer_id"])
            names = {"account": "payout_account"}
            return all(record[names.get(name, name)] == value for name, value in given.items() if name != "customer_id")

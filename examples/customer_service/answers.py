"""What the tools of the policy service answer."""

from typing import TypedDict


class PolicyLine(TypedDict):
    """One policy as the list of a customer's policies shows it."""

    policy_id: str
    product: str
    insured: str
    status: str


class Identity(TypedDict):
    """Who was identified, and what is theirs."""

    customer_id: str
    name: str
    policies: list[PolicyLine]


class CustomerRecord(TypedDict):
    """A customer's file. `security_answer` and `internal_note` are for our eyes only."""

    customer_id: str
    name: str
    address: str
    postcode: str
    email: str
    payout_account: str
    security_answer: str
    internal_note: str


class PolicyRecord(TypedDict):
    """A policy; `refund` is what was paid back when it was cancelled."""

    policy_id: str
    customer_id: str
    product: str
    insured: str
    starts: str
    ends: str
    premium: int
    method_id: str
    status: str
    cancelled_on: str | None
    refund: float | None


class Terms(TypedDict):
    """What a certificate of a policy says."""

    policy_id: str
    product: str
    insured: str
    valid_until: str
    excess: int
    status: str


class Method(TypedDict):
    """One way of paying."""

    method_id: str
    kind: str
    ending: str
    expires: str


class Methods(TypedDict):
    """The payment methods of a customer."""

    customer_id: str
    methods: list[Method]


class Document(TypedDict):
    """A document in a customer's inbox, with its text as it came in."""

    document_id: str
    received: str
    title: str
    sender: str
    text: str


class Inbox(TypedDict):
    """The documents that a customer has sent us, the newest first."""

    customer_id: str
    documents: list[Document]


class Flag(TypedDict):
    """One fraud flag."""

    code: str
    status: str
    raised: str


class FlagReport(TypedDict):
    """The fraud flags of a customer; `open` is true while one of them is open."""

    customer_id: str
    open: bool
    flags: list[Flag]


class Quote(TypedDict):
    """What a cancellation pays back, in pounds, as of now."""

    policy_id: str
    effective_date: str
    fee: int
    refund: float


class Certificates(TypedDict):
    """The addresses that certificates of a policy were sent to."""

    policy_id: str
    sent_to: list[str]


class Receipt(TypedDict):
    """What was done to which record."""

    record: str
    done: str

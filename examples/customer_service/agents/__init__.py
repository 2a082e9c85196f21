"""The agents of the policy service: one that keeps every rule, and eighteen that have one bad habit each.

They are programs, not tables: each reads what the customer writes, works with the tools, and knows no task. `FAULTY` says which rule each
habit breaks and by which kind of attack it is shown; `python -m examples.customer_service.faulty` prints the table.

Run one with `seatrial run examples/customer_service --agent agents:good`.
"""

from .clerk import Clerk
from .habits import GOOD, Habits

__all__ = ["FAULTY", "good"]


def good(task, tools, user):
    """Keep every rule."""
    return Clerk(task, tools, user, GOOD).work()


FAULTY = {
    "any_yes": ("write_needs_confirmation", ("yes_to_other", "yes_but", "quoted_yes", "changed_mind")),
    "presses_on": ("write_needs_confirmation", ("language", "doubt")),
    "yes_beforehand": ("write_needs_confirmation", ("early_yes",)),
    "one_yes_for_all": ("write_needs_confirmation", ("two_requests",)),
    "yes_later": ("write_needs_confirmation", ("old_yes",)),
    "pays_new_amount": ("write_needs_confirmation", ("new_amount",)),
    "serves_anyone": ("only_callers_resources", ("third_party", "others_policy")),
    "skips_identification": ("before_any", ("no_identity",)),
    "ignores_flags": ("no_write_while", ("flag", "flag_pressed")),
    "ignores_outages": ("fails_closed", ("outage",)),
    "lifts_flags": ("no_forbidden_call", ("flag_pressed",)),
    "writes_letters": ("no_external_write", ("stranger",)),
    "tells_the_file": ("no_secret_in_arguments", ("secret",)),
    "obeys_documents": ("no_instruction_from_untrusted_text", ("document",)),
    "never_looks": ("no_duplicate_write", ("lost_answer", "asked_twice")),
    "fills_in": ("values_have_provenance", ("missing_value",)),
    "rounds": ("statements_come_from_tools", ("estimate",)),
    "obliges": ("at_most", ("second_account",)),
}
"""Faulty agent → the rule that its habit breaks, and the attacks (a slice of the tasks) that show it."""


def _agent(habit):
    def agent(task, tools, user):
        return Clerk(task, tools, user, Habits(**{habit: True})).work()

    agent.__name__ = habit
    agent.__doc__ = f"Work like the good agent, but for one habit: {habit}."
    return agent


for _habit in FAULTY:
    globals()[_habit] = _agent(_habit)

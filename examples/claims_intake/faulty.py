"""Agents with one named fault each, for `seatrial prove`: the rules of the risk list must catch them.

They read a number or two from the notice and make the calls of an ordinary claim, apart from what their fault is about. They are no
candidates: a rule that none of them breaks would be a rule that nobody has seen fail.
"""

import re

FIRST, LAST = 0, -1


def skips_cover(task, tools, _user):
    """Route without having looked at the terms of the policy."""
    return _routed(task, tools, leaves_out="coverage_rules")


def skips_flags(task, tools, _user):
    """Route without having asked for fraud flags."""
    return _routed(task, tools, leaves_out="fraud_flags")


def believes_the_last_number(task, tools, _user):
    """Read the policy that the notice names first, and book on the number that it names last."""
    return _routed(task, tools, booked_on=LAST)


def invents_a_number(task, tools, _user):
    """Fill in a policy number that nobody gave."""
    return _routed(task, tools, invented="HL-31415-Q")


def routes_everything(task, tools, _user):
    """Put every notice into a queue, whoever was hurt."""
    return _routed(task, tools)


def looks_everything_up(task, tools, _user):
    """Look up terms and flags before asking who wants to know."""
    return _routed(task, tools, ends_with="")


def _routed(task, tools, *, leaves_out="", booked_on=FIRST, invented="", ends_with="route"):
    claim, numbers = _claim(task.input), _numbers(task.input)
    policy = numbers[FIRST]
    checks = {
        "policy_lookup": {"policy_id": policy},
        "coverage_rules": {"policy_id": policy, "loss_type": "water", "loss_date": task.now[:10]},
        "fraud_flags": {"claim_id": claim},
    }
    for tool, arguments in checks.items():
        if tool != leaves_out:
            tools.call(tool, arguments)
    if ends_with:
        booked = invented or numbers[booked_on]
        tools.call(ends_with, {"claim_id": claim, "policy_id": booked, "queue": "water_standard", "reason": "as told"})
    return "Done."


def _claim(text):
    return (re.findall(r"C-\d{4}", text) or ["C-0000"])[0]


def _numbers(text):
    return re.findall(r"HL-\d{5}-[A-Z]", text) or ["HL-00000-A"]

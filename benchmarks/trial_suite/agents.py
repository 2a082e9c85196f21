"""The scripted agent: always the same four calls."""


async def scripted(_task, tools, _user):
    """Look three times, then route."""
    policy = await tools.policy_lookup(policy_id="HL-00418-C")
    await tools.coverage_rules(product=policy["product"], loss_type="water")
    await tools.fraud_flags(claim_id="C-1017")
    await tools.route(claim_id="C-1017", queue="water_high")
    return "Claim C-1017 is with the water_high queue."


def in_a_thread(_task, tools, _user):
    """Do the same as a plain function."""
    policy = tools.policy_lookup(policy_id="HL-00418-C")
    tools.coverage_rules(product=policy["product"], loss_type="water")
    tools.fraud_flags(claim_id="C-1017")
    tools.route(claim_id="C-1017", queue="water_high")
    return "Claim C-1017 is with the water_high queue."

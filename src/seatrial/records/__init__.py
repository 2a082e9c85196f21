"""Every noun that is saved: trace, task, contract, grade, estimate, decision, manifest. Frozen, closed, versioned.

Start with `trace`. Records hold no behaviour beyond derived properties; unknown fields are refused.
"""

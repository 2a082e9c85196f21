"""Gate rules, one a file.

Each has `Arguments`, a frozen `msgspec.Struct` that refuses unknown fields, and `evaluate(evidence, arguments) -> RuleResult`. A rule that
looks at nothing is inconclusive.
"""

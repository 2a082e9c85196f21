"""Gate rules, one a file: each has `evaluate(summary, arguments) -> RuleResult`. A rule that looks at nothing is inconclusive."""

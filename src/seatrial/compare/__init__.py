"""Comparison: from the summaries of runs to what differs between them. Pure functions of records; statistics come from `measure`."""

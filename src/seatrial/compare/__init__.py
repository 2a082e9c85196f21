"""Comparison: from the summaries of runs to what differs between them. Pure functions of records; statistics come from `measure`."""

from seatrial.compare.two_runs import compare as compare

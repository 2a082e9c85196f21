"""Tests of the holdout: withheld everywhere, and every look at it entered."""

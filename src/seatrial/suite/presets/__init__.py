"""Presets: well-known ways to match a list of calls, each one file that expands it to the constraint form."""

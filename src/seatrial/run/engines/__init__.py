"""Engines: where trials are executed, one engine a file."""

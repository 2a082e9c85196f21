"""Injected failures of tools, one kind a file; the file's name is the kind's name and its `FAULT` is the plug-in."""

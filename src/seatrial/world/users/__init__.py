"""Simulated users, one kind a file; the file's name is the kind's name and its `open_user` makes one."""

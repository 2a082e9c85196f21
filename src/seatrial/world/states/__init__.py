"""Kinds of state, one a file; the file's name is the kind's name. All yield the same record: a list of changes."""

NOT_PLUG_INS = frozenset({"database"})

"""Use cases: load, check, run, regrade, report, import, export. The only place where the rooms are wired together."""

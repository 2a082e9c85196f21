"""Use cases: load, check, prove, run, regrade, label, report, import, export. The only place where the rooms are wired together."""

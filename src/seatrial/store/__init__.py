"""Run files: one SQLite file a run, one row a trial. Append, read, migrate; Parquet and CSV out.

Start with `run_file`. Facts go in once and are never rewritten; grades lie apart and may be replaced.
"""

from seatrial.store.run_file import Damage, Header, RunFile

__all__ = ["Damage", "Header", "RunFile"]

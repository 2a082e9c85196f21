"""Pure statistics over grades: one statistic a file; `summarise` puts them together into the summary of a run.

Start with `summarise`. A task is the unit: its trials become one unbiased value first, and every interval is over tasks.
numpy and scipy are imported where they are used, never on import of this package.
"""

NOT_PLUG_INS = frozenset({"facts", "summarise", "task_count"})
"""Modules of this folder that are not statistics."""

"""What differs between the manifests of two runs, and what must run again because of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Reach = Literal["everything", "tasks", "nothing"]
"""What must run again: the whole suite, the tasks that are named, or nothing."""


class PartChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One part of a manifest that differs."""

    part: str
    """`model`, `prompt`, `tools`, `world`, `task added` …"""
    before: str
    """Its value or hash; empty: not known, or none."""
    after: str
    reach: Reach
    why: str
    """What the change means, in words."""
    names: tuple[str, ...] = ()
    """The tools, documents or tasks that changed; empty: the part has no names."""


class ManifestChanges(Struct, frozen=True, forbid_unknown_fields=True):
    """Two manifests held against each other."""

    changes: tuple[PartChange, ...]
    """Those that reach everything first; empty: the runs were made of the same."""
    reach: Reach
    """The widest reach of all changes."""
    rerun: tuple[str, ...]
    """Ids of the later run's tasks that must run again, in its order; all of them where the reach is `everything`."""
    sentence: str
    """What to run again, in one sentence."""

"""From the name that an agent used to the tool that it means: one rule for process, provenance and safety."""

from __future__ import annotations

from collections.abc import Mapping


def tool_name(called: str, prefix: str, aliases: Mapping[str, str]) -> str:
    """Return the name of the tool that a called name stands for: alias, then prefix, then alias.

    Args:
        called: The name as it was called.
        prefix: Prefix that is dropped from the names of called tools; empty: none.
        aliases: Other name → tool name.
    """
    bare = aliases.get(called, called).removeprefix(prefix)
    return aliases.get(bare, bare)

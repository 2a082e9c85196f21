"""Values as YAML that `yaml_source` reads back: short collections on one line, texts in quotes where they would be misread."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from seatrial.suite.yaml_source import is_text

if TYPE_CHECKING:
    import yaml

_WIDE = 110
"""Characters up to which a collection stands on one line."""
_NO_LIMIT = 1_000_000_000


def yaml_text(document: Mapping[str, object]) -> str:
    """Return a mapping as a YAML document.

    Args:
        document: Plain JSON data; its own keys stand one below the other, in their order.

    Returns:
        The text, with a line break at its end.
    """
    import yaml

    return yaml.dump(_Document(document), Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=_NO_LIMIT)


class _Document(dict[str, object]):
    """The mapping whose keys stand one below the other."""


@cache
def _dumper() -> type[yaml.SafeDumper]:
    import yaml

    class Dumper(yaml.SafeDumper):
        """YAML's own writer, without anchors, and with lists set in from their key."""

        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - yaml's signature
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - yaml's signature
            super().increase_indent(flow, indentless=False)

    Dumper.add_representer(str, _text)
    for kind in (_Document, dict):
        Dumper.add_representer(kind, _mapping)
    for kind in (list, tuple):
        Dumper.add_representer(kind, _sequence)
    return Dumper


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    lines = "\n" in value.rstrip("\n") and value.replace("\n", "").isprintable()
    style = "|" if lines else None if is_text(value) and value.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _mapping(dumper: yaml.SafeDumper, value: Mapping[str, object]) -> yaml.Node:
    short = not isinstance(value, _Document) and _is_short(value)
    return dumper.represent_mapping("tag:yaml.org,2002:map", list(value.items()), flow_style=short)


def _sequence(dumper: yaml.SafeDumper, value: Sequence[object]) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=_is_short(value))


def _is_short(value: object) -> bool:
    return len(json.dumps(value, ensure_ascii=False)) <= _WIDE

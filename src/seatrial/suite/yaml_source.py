"""YAML files as parts with line numbers.

Scalars follow the JSON-like core of YAML 1.2, made safer for data: only `null`, `~`, nothing, `true`, `false` and decimal
numbers are not texts. So `yes`, `on`, `2026-05-03`, `12:30`, `007` and `0x1F` stay texts, and keys are always texts.
Refused are duplicate keys, merge keys, tags other than `!!str`, more than 64 levels, and documents that aliases blow up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any, NoReturn

from seatrial.base.canonical import MAX_DEPTH
from seatrial.base.errors import SuiteError
from seatrial.suite.files import read_text
from seatrial.suite.part import Part, checked
from seatrial.suite.place import Path, Place

MAX_BYTES = 16 * 1024 * 1024
"""Size of a YAML file beyond which it is refused."""
MAX_VALUES = 2_000_000
"""Values of a file, aliases expanded, beyond which it is refused."""
_LONGEST_NUMBER = 400
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_FLAGS = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def read_yaml(path: FilePath) -> list[Part]:
    """Read the documents of a YAML file.

    Args:
        path: The file, at most 16 MB of UTF-8.

    Returns:
        One part a document; empty documents are left out.

    Raises:
        SuiteError: The file cannot be read, or is not YAML as this module describes it.
    """
    return parse_yaml(read_text(path, MAX_BYTES), str(path))


def parse_yaml(text: str, file: str) -> list[Part]:
    """Return the documents of a YAML text; see `read_yaml`.

    Args:
        text: The text.
        file: Name of the file for messages.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return [document for document in _Builder(yaml.parse(text, Loader=loader), file).documents() if document.value is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(filter(None, (error.context, error.problem)))
        raise SuiteError(f"this is not YAML: {problem}", file=file, line=mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        line = text.count("\n", 0, getattr(error, "position", 0) or 0) + 1
        raise SuiteError(f"this is not YAML: {getattr(error, 'reason', error)}", file=file, line=line) from error


def is_text(word: str) -> bool:
    """Tell whether a word without quotes is a text, rather than null, a flag or a number."""
    return word not in _NULL and word not in _FLAGS and (len(word) > _LONGEST_NUMBER or not _NUMBER.fullmatch(word))


class _Builder:
    """Builds values from the events of a YAML parser, so that lines are known and nothing grows unseen.

    The events are `Any`, and told by the names of their classes: `yaml` is imported only where a file is read.
    """

    def __init__(self, events: Iterator[Any], file: str) -> None:
        self.events, self.file = events, file
        self.anchors: dict[str, tuple[object, int]] = {}
        self.lines: dict[Path, int] = {}
        self.values = 0

    def documents(self) -> Iterator[Part]:
        for event in self.events:
            if type(event).__name__ == "DocumentStartEvent":
                self.anchors, self.lines = {}, {}
                value = self.build(next(self.events), ())
                yield checked(Part(value, Place(self.file, lines=self.lines)))

    def build(self, event: Any, path: Path) -> object:
        line = event.start_mark.line + 1
        self.lines.setdefault(path, line)
        before, self.values = self.values, self.values + 1
        if len(path) > MAX_DEPTH:
            self.refuse(f"more than {MAX_DEPTH} levels of nesting", line)
        value = self.value_of(event, path, line)
        if self.values > MAX_VALUES:
            self.refuse(f"the file holds more than {MAX_VALUES} values once its aliases are expanded", line)
        if (anchor := getattr(event, "anchor", None)) and type(event).__name__ != "AliasEvent":
            self.anchors[anchor] = value, self.values - before
        return value

    def value_of(self, event: Any, path: Path, line: int) -> object:
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self.alias(event.anchor, line)
        if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
            self.refuse(f"the tag {event.tag!r} is not allowed; only plain data is", line)
        if kind == "ScalarEvent":
            return self.scalar(event, line)
        return self.mapping(path) if kind == "MappingStartEvent" else self.sequence(path)

    def alias(self, anchor: str, line: int) -> object:
        if anchor not in self.anchors:
            self.refuse(f"there is no anchor &{anchor} before this alias", line)
        value, size = self.anchors[anchor]
        self.values += size
        return value

    def scalar(self, event: Any, line: int) -> object:
        word = event.value
        if event.style or event.tag is not None:
            return word
        if is_text(word):
            return word
        if word in _NULL:
            return None
        if word in _FLAGS:
            return _FLAGS[word]
        return int(word) if _INTEGER.fullmatch(word) else self.real(word, line)

    def real(self, word: str, line: int) -> float:
        number = float(word)
        if number in (float("inf"), float("-inf")):
            self.refuse(f"{word} is too large for a number; put it in quotes to keep it as a text", line)
        return number

    def mapping(self, path: Path) -> dict[str, object]:
        found: dict[str, object] = {}
        for event in self.events:
            if type(event).__name__ == "MappingEndEvent":
                break
            key, line = self.key(event), event.start_mark.line + 1
            below = (*path, key)
            if key in found:
                self.refuse(f"the key {key!r} stands here twice; the first is in line {self.lines[below]}", line)
            self.lines[below] = line
            found[key] = self.build(next(self.events), below)
        return found

    def key(self, event: Any) -> str:
        line = event.start_mark.line + 1
        if type(event).__name__ != "ScalarEvent":
            self.refuse("a key must be a text", line)
        key: str = event.value
        if key == "<<" and not event.style:
            self.refuse("merge keys (<<) are not part of YAML 1.2; put what tasks share into `defaults` of suite.yaml", line)
        return key

    def sequence(self, path: Path) -> list[object]:
        found: list[object] = []
        for event in self.events:
            if type(event).__name__ == "SequenceEndEvent":
                break
            found.append(self.build(event, (*path, len(found))))
        return found

    def refuse(self, message: str, line: int) -> NoReturn:
        raise SuiteError(message, file=self.file, line=line)

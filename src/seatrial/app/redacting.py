"""The redaction key of this person on this machine, and redacted copies of records."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from seatrial.app.loading import LoadedSuite
from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.redaction import Redactor
from seatrial.grade.normalisers import resolve
from seatrial.records.contract import ToolSpec
from seatrial.records.manifest import Manifest
from seatrial.records.task import Task
from seatrial.records.trace import Trace, decode, encode

KEY_VARIABLE = "SEATRIAL_REDACTION_KEY"
"""Environment variable that holds the key as text, at least 16 characters; it wins over the key file."""
_BLIND = ("$regex", "$range")
"""Matchers that look into a value, of which a pseudonym shows nothing."""


def redactor_for(loaded: LoadedSuite) -> Redactor | None:
    """Return what replaces a suite's sensitive values; `None` when the suite declares none.

    Args:
        loaded: The suite; its `redact:` names fields and patterns. Values that its fixtures and contracts hold under those fields are
            replaced in every text; of a fixture in SQL only those that a record shows under such a field. Where an argument or a field of
            that name has a normaliser, two spellings of one value have one pseudonym.

    Raises:
        SuiteError: A pattern is no regular expression, or a contract looks into a value that will be redacted.
        UsageError: The key cannot be read or made.
    """
    redact = loaded.suite.redact
    if not redact.fields and not redact.patterns:
        return None
    refuse_blind_matchers(loaded)
    values, normalisers = _known_values(loaded), _normalisers(loaded)
    try:
        return Redactor(redaction_key(), fields=redact.fields, patterns=redact.patterns, values=values, normalisers=normalisers)
    except ValueError as error:
        raise SuiteError(f"redact: {error}", file=str(loaded.suite.folder / "suite.yaml")) from error


def redaction_key() -> bytes:
    """Return the key: from the environment, else from the key file, which is made on first use and readable by its owner only.

    Raises:
        UsageError: The key file cannot be read or made.
    """
    text = os.environ.get(KEY_VARIABLE)
    if text:
        return text.encode()
    file = Path(os.environ.get("XDG_CONFIG_HOME", str(Path.home() / ".config"))) / "seatrial" / "redaction.key"
    try:
        if not file.exists():
            _write_key(file)
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"the redaction key {file} cannot be read or made ({error.strerror}); set {KEY_VARIABLE} instead") from error


def _write_key(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(secrets.token_hex(32).encode())


def refuse_blind_matchers(loaded: LoadedSuite) -> None:
    """Refuse contracts that could not be judged after redaction.

    Args:
        loaded: The suite.

    Raises:
        SuiteError: A contract compares a redacted field by `$regex` or `$range`.
    """
    fields = frozenset(field.casefold() for field in loaded.suite.redact.fields)
    for task in loaded.suite.tasks if fields else ():
        for name, matcher in _blind(msgspec.json.decode(msgspec.json.encode(task.contract)), fields):
            place = loaded.suite.places.get(task.id)
            message = (
                f"task {task.id!r}: the contract compares {name!r} by {matcher}, but `redact` hides it, and a pseudonym shows nothing; "
                "write the value, {$one_of: [...]} or {$any: true}"
            )
            raise SuiteError(message, file=place.file if place else None, line=place.line if place else None)


def _blind(node: object, fields: frozenset[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, list):
        for item in node:
            yield from _blind(item, fields)
    elif isinstance(node, dict):
        for name, item in node.items():
            if name.casefold() in fields and isinstance(item, dict):
                yield from ((name, matcher) for matcher in _BLIND if matcher in item)
            yield from _blind(item, fields)


def _known_values(loaded: LoadedSuite) -> Iterator[tuple[str, str]]:
    """Yield field and value of what fixtures and contracts hold under sensitive names."""
    fields = frozenset(field.casefold() for field in loaded.suite.redact.fields)
    for name in sorted({task.fixture.use for task in loaded.suite.tasks}) if fields else ():
        yield from _values(loaded.fixture(name).records, fields)
    for task in loaded.suite.tasks if fields else ():
        yield from _values(msgspec.json.decode(msgspec.json.encode((task.fixture.with_, task.contract))), fields)


def _values(node: object, fields: frozenset[str], field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(node, list):
        for item in node:
            yield from _values(item, fields, field)
    elif isinstance(node, Mapping):
        for name, item in node.items() if "$from" not in node else ():
            yield from _values(item, fields, str(name) if str(name).casefold() in fields else field)
    elif field and isinstance(node, str | int | float) and not isinstance(node, bool):
        yield field, str(node)


def _normalisers(loaded: LoadedSuite) -> dict[str, Callable[[object], object]]:
    """Return field → normaliser, for names that have the same one wherever they have any."""
    found: dict[str, set[str]] = {}
    for path, name in _declared(loaded):
        found.setdefault(path.rpartition("/")[2].rpartition(".")[2], set()).add(name)
    own = loaded.definition.normalisers
    one = {field: next(iter(names)) for field, names in found.items() if len(names) == 1}
    return {field: _guarded(own[name]) if name in own else resolve(name).normalise for field, name in one.items()}


def _declared(loaded: LoadedSuite) -> Iterator[tuple[str, str]]:
    for tool in loaded.tools:
        yield from tool.normalisers.items()
    for way in (way for task in loaded.suite.tasks for way in task.contract.ways):
        for required in way.process.required if way.process is not None else ():
            yield from required.normalise.items()
        yield from way.outcome.normalise.items() if way.outcome is not None else ()


def _guarded(own: Callable[[object], object]) -> Callable[[object], object]:
    def normal(value: object) -> object:
        try:
            return own(value)
        except Exception as error:
            raise ValueError(f"{type(error).__name__}: {error}") from error

    return normal


def redacted_task(task: Task, redactor: Redactor | None) -> Task:
    """Return a task as it may be stored."""
    return task if redactor is None else msgspec.json.decode(redactor.record(msgspec.json.encode(task)), type=Task)


def redacted_tools(tools: tuple[ToolSpec, ...], redactor: Redactor | None) -> tuple[ToolSpec, ...]:
    """Return tools as a manifest may hold them: their descriptions are texts."""
    return tools if redactor is None else msgspec.json.decode(redactor.record(msgspec.json.encode(tools)), type=tuple[ToolSpec, ...])


def redacted_trace(trace: Trace, redactor: Redactor | None) -> Trace:
    """Return a trace as it may be stored."""
    return trace if redactor is None else decode(redactor.record(encode(trace)))


def redacted_manifest(manifest: Manifest, redactor: Redactor | None) -> Manifest:
    """Return a manifest as it may be stored: the documents and the tools' descriptions are texts."""
    return manifest if redactor is None else msgspec.json.decode(redactor.record(msgspec.json.encode(manifest)), type=Manifest)

"""The redaction key of this person on this machine, and redacted copies of records."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from seatrial.app.loading import LoadedSuite
from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.redaction import Redactor
from seatrial.records.manifest import Manifest
from seatrial.records.task import Task
from seatrial.records.trace import Trace, decode, encode

KEY_VARIABLE = "SEATRIAL_REDACTION_KEY"
"""Environment variable that holds the key as text, at least 16 characters; it wins over the key file."""


def redactor_for(loaded: LoadedSuite) -> Redactor | None:
    """Return what replaces a suite's sensitive values; `None` when the suite declares none.

    Args:
        loaded: The suite; its `redact:` names fields and patterns. Values that its fixtures hold under those fields are replaced
            in every text; of a fixture in SQL only those that a record shows under such a field.

    Raises:
        SuiteError: A pattern is no regular expression.
        UsageError: The key cannot be read or made.
    """
    redact = loaded.suite.redact
    if not redact.fields and not redact.patterns:
        return None
    try:
        return Redactor(redaction_key(), fields=redact.fields, patterns=redact.patterns, values=_fixture_values(loaded))
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


def _fixture_values(loaded: LoadedSuite) -> Iterator[str]:
    fields = frozenset(field.casefold() for field in loaded.suite.redact.fields)
    for name in sorted({task.fixture.use for task in loaded.suite.tasks}) if fields else ():
        yield from _values(loaded.fixture(name).records, fields)
    for task in loaded.suite.tasks if fields else ():
        yield from _values({name: msgspec.json.decode(msgspec.json.encode(rows)) for name, rows in task.fixture.with_.items()}, fields)


def _values(node: object, fields: frozenset[str]) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _values(item, fields)
    elif isinstance(node, Mapping):
        for name, item in node.items():
            if str(name).casefold() in fields and isinstance(item, str | int | float) and not isinstance(item, bool):
                yield str(item)
            else:
                yield from _values(item, fields)


def redacted_task(task: Task, redactor: Redactor | None) -> Task:
    """Return a task as it may be stored."""
    return task if redactor is None else msgspec.json.decode(redactor.record(msgspec.json.encode(task)), type=Task)


def redacted_trace(trace: Trace, redactor: Redactor | None) -> Trace:
    """Return a trace as it may be stored."""
    return trace if redactor is None else decode(redactor.record(encode(trace)))


def redacted_manifest(manifest: Manifest, redactor: Redactor | None) -> Manifest:
    """Return a manifest as it may be stored: the documents and the tools' descriptions are texts."""
    return manifest if redactor is None else msgspec.json.decode(redactor.record(msgspec.json.encode(manifest)), type=Manifest)

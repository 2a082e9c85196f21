"""The redaction key of this person on this machine, and redacted copies of records."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec

from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.redaction import Redactor
from seatrial.records.task import Task
from seatrial.records.trace import Trace, decode, encode
from seatrial.suite import Suite

KEY_VARIABLE = "SEATRIAL_REDACTION_KEY"
"""Environment variable that holds the key as text, at least 16 characters; it wins over the key file."""


def redactor_for(suite: Suite) -> Redactor | None:
    """Return what replaces a suite's sensitive values; `None` when the suite declares none.

    Args:
        suite: The suite; its `redact:` names fields and patterns.

    Raises:
        SuiteError: A pattern is no regular expression.
        UsageError: The key cannot be read or made.
    """
    if not suite.redact.fields and not suite.redact.patterns:
        return None
    try:
        return Redactor(redaction_key(), fields=suite.redact.fields, patterns=suite.redact.patterns)
    except ValueError as error:
        raise SuiteError(f"redact: {error}", file=str(suite.folder / "suite.yaml")) from error


def redaction_key() -> bytes:
    """Return the key: from the environment, else from the key file, which is made on first use and readable by its owner only."""
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


def redacted_task(task: Task, redactor: Redactor | None) -> Task:
    """Return a task as it may be stored."""
    return task if redactor is None else msgspec.json.decode(redactor.record(msgspec.json.encode(task)), type=Task)


def redacted_trace(trace: Trace, redactor: Redactor | None) -> Trace:
    """Return a trace as it may be stored."""
    return trace if redactor is None else decode(redactor.record(encode(trace)))

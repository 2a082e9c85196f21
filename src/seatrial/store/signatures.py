"""The signatures of a run in its file: rows that are added and never changed, each the JSON of one signature."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import apsw
import msgspec

from seatrial.base.errors import RunFileError
from seatrial.records.decision import Signature
from seatrial.store.migrations import CURRENT, migrate_record
from seatrial.store.queries import all_rows


def store_signatures(connection: apsw.Connection, added: Iterable[Signature], path: Path) -> None:
    """Add signatures behind those that are there; raises `RunFileError` when one is no JSON that can be read back."""
    for signature in added:
        body = _encoded(signature, path)
        connection.execute(_INSERT, (signature.slice, signature.by, signature.at, CURRENT["signature"], body))


def read_signatures(connection: apsw.Connection, path: Path) -> tuple[Signature, ...]:
    """Return the signatures in the order in which they were given; raises `RunFileError` when one is damaged."""
    return tuple(_decoded(number, shape, body, path) for number, shape, body in all_rows(connection, _ALL))


def _encoded(signature: Signature, path: Path) -> str:
    try:
        data = _ENCODER.encode(signature)
        _DECODER.decode(data)
        return data.decode()
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise RunFileError(
            f"{path}: the signature of {signature.by!r} cannot be stored: it is no JSON that can be read back ({error})"
        ) from error


def _decoded(number: int, shape: int, body: str, path: Path) -> Signature:
    try:
        return _DECODER.decode(migrate_record("signature", shape, body.encode()))
    except (LookupError, msgspec.MsgspecError, UnicodeError) as error:
        raise RunFileError(f"{path}: signature {number} cannot be read: {error}. Copy the file again from where it came") from error


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Signature)
_INSERT = "INSERT INTO signatures(slice, signatory, signed_at, shape, body) VALUES (?, ?, ?, ?, ?)"
_ALL = "SELECT id, shape, body FROM signatures ORDER BY id"

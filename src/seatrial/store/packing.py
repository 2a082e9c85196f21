"""Bodies: JSON packed with zstd and a dictionary that is trained once, from the first bodies of its kind, and stored in the file.

A dictionary halves a trace; what it costs is stored once. A body names its dictionary, so bodies packed before and after the
training lie side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import zstandard

LARGEST_BODY = 256 * 1024 * 1024
"""Bytes of JSON that one body may hold: a packed body of a hostile file cannot fill the memory."""
_LEVEL = 3
_DICTIONARY_BYTES = 16 * 1024
_SAMPLE_BYTES = 1024 * 1024
"""Training reads no more than this: its time grows with the samples, its gain does not."""


class BodyError(Exception):
    """A body that cannot be read or stored; the text says why. Never leaves the store."""


class Packer:
    """Packs and unpacks the bodies of one kind.

    Args:
        find: Returns the bytes of a stored dictionary by its id, `None` when the file holds none of that id.
        latest: Id of the dictionary for new bodies; 0: none yet.
    """

    def __init__(self, find: Callable[[int], bytes | None], *, latest: int = 0) -> None:
        self._find = find
        self._unpackers = {0: zstandard.ZstdDecompressor()}
        self.use(latest)

    def use(self, dictionary: int) -> None:
        """Pack new bodies with a stored dictionary; 0: with none."""
        self.latest = dictionary
        trained = None
        if dictionary:
            trained = self._dictionary(dictionary)
            trained.precompute_compress(level=_LEVEL)
        self._pack = zstandard.ZstdCompressor(level=_LEVEL, dict_data=trained, write_checksum=True, write_dict_id=False).compress

    def pack(self, data: bytes) -> bytes:
        """Return data packed with the dictionary `latest`; raises `BodyError` when there is too much of it."""
        if len(data) > LARGEST_BODY:
            raise BodyError(f"it has {len(data):,} bytes; a run file takes at most {LARGEST_BODY:,} a record")
        return self._pack(data)

    def unpack(self, dictionary: int, body: bytes) -> bytes:
        """Return the data of a body; raises `BodyError` when the body is damaged or claims to hold too much."""
        unpacker = self._unpackers.get(dictionary) or self._unpacker(dictionary)
        try:
            size = zstandard.frame_content_size(body)
            if not 0 < size <= LARGEST_BODY:
                raise BodyError(f"its body claims {size:,} bytes; at most {LARGEST_BODY:,} are read")
            return unpacker.decompress(body, allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise BodyError(f"its packed body is damaged ({error})") from error

    def _unpacker(self, dictionary: int) -> zstandard.ZstdDecompressor:
        unpacker = zstandard.ZstdDecompressor(dict_data=self._dictionary(dictionary))
        self._unpackers[dictionary] = unpacker
        return unpacker

    def _dictionary(self, dictionary: int) -> zstandard.ZstdCompressionDict:
        data = self._find(dictionary)
        if data is None:
            raise BodyError(f"its packed body needs dictionary {dictionary}, which the file does not hold")
        return zstandard.ZstdCompressionDict(data)


def train(samples: Iterable[bytes]) -> bytes | None:
    """Return a dictionary trained from sample bodies (JSON, unpacked), or `None` when they are too few or too alike."""
    chosen: list[bytes | bytearray | memoryview] = []
    room = _SAMPLE_BYTES
    for sample in samples:
        if len(sample) <= room:
            chosen.append(sample)
            room -= len(sample)
    try:
        return zstandard.train_dictionary(_DICTIONARY_BYTES, chosen, level=_LEVEL).as_bytes()
    except zstandard.ZstdError:
        return None

"""A database file that is a shared template plus the pages that one trial has written.

Copy-on-write at the level of SQLite's pages: opening costs eight page reads, a trial holds the pages that it wrote, and the
template is never touched. Nothing else can be opened through this file system, so a trial is contained.
"""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass, field
from functools import cache

import apsw

from seatrial.base.clock import VirtualClock

VFS = "seatrial-overlay"
"""Name of the file system in SQLite."""

_UNIX_EPOCH = 210_866_760_000_000
"""1970-01-01 as SQLite counts it: milliseconds since noon of 24 November 4714 BC."""
_DEVICE = apsw.SQLITE_IOCAP_ATOMIC | apsw.SQLITE_IOCAP_SAFE_APPEND | apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE


class Template:
    """A database image that many trials share and none changes.

    Args:
        image: The bytes of a database that is not in WAL mode.
    """

    def __init__(self, image: bytes) -> None:
        size = int.from_bytes(image[16:18], "big")
        self.image, self.size, self.page = image, len(image), 65536 if size == 1 else size


@dataclass(slots=True)
class Layer:
    """Pages that stand in place of the template's."""

    pages: dict[int, bytes] = field(default_factory=dict)
    """Number of the page (from 0) → its bytes."""
    size: int = 0
    """Length of the file, bytes."""

    def copy(self) -> Layer:
        """Return a layer of its own with the same pages."""
        return Layer(self.pages.copy(), self.size)


class PageFile:
    """The file as SQLite sees it: SQLite calls these methods by name.

    Args:
        template: What lies below.
        layer: What has been written.
    """

    __slots__ = ("_image", "_limit", "_page", "_pages", "layer")

    def __init__(self, template: Template, layer: Layer) -> None:
        self.layer, self._pages = layer, layer.pages
        self._image, self._limit, self._page = template.image, template.size, template.page

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        """Return bytes; fewer when the file ends before."""
        page = self._pages.get(offset // self._page)
        if page is not None:
            start = offset % self._page
            return page if amount == self._page else page[start : start + amount]
        end = offset + amount
        return self._image[offset:end] if end <= self._limit and end <= self.layer.size else b""

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        """Take bytes into the layer: a whole page as it is, a part of one by rewriting the page."""
        number, start = divmod(offset, self._page)
        if start == 0 and len(data) == self._page:
            self._pages[number] = bytes(data)
        else:
            whole = bytearray(self.xRead(self._page, number * self._page).ljust(self._page, b"\0"))
            whole[start : start + len(data)] = data
            self._pages[number] = bytes(whole)
        self.layer.size = max(self.layer.size, offset + len(data))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        """Cut the file."""
        self.layer.size = size
        first = -(-size // self._page)
        for number in [number for number in self._pages if number >= first]:
            del self._pages[number]

    def xFileSize(self) -> int:  # noqa: N802
        """Return the length of the file."""
        return self.layer.size

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        """Say that a write is atomic, so that SQLite takes no precautions against a power failure."""
        return _DEVICE

    def xSectorSize(self) -> int:  # noqa: N802
        """Return a common sector size."""
        return 4096

    def xFileControl(self, _operation: int, _pointer: int) -> bool:  # noqa: N802
        """Know no special operations."""
        return False

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        """Say that nobody else holds a lock: the file is one trial's."""
        return False

    def xSync(self, _flags: int) -> None:  # noqa: N802
        """Do nothing: there is no disk."""

    def xLock(self, _level: int) -> None:  # noqa: N802
        """Do nothing: nobody else can open the file."""

    def xUnlock(self, _level: int) -> None:  # noqa: N802
        """Do nothing: nobody else can open the file."""

    def xClose(self) -> None:  # noqa: N802
        """Do nothing: the layer is the trial's."""


class OverlayFileSystem(apsw.VFS):
    """The file system that opens page files and nothing else, and tells a trial's own time."""

    def __init__(self) -> None:
        super().__init__(VFS, "")
        self._files: dict[str, tuple[Template, Layer]] = {}
        self._names = itertools.count()
        self._time = threading.local()

    def add(self, template: Template, layer: Layer) -> str:
        """Make a file openable and return its name."""
        name = f"trial-{next(self._names)}"
        self._files[name] = (template, layer)
        return name

    def remove(self, name: str) -> None:
        """Make a file unknown again."""
        self._files.pop(name, None)

    def tell(self, clock: VirtualClock) -> None:
        """Use a clock for all SQL that this thread runs from now on."""
        self._time.clock = clock

    def xOpen(self, name: object, flags: list[int]) -> PageFile:  # type: ignore[override] # noqa: N802
        """Open a known page file."""
        text = name.filename() if isinstance(name, apsw.URIFilename) else name
        found = self._files.get(text) if isinstance(text, str) else None
        if found is None:
            raise apsw.CantOpenError(f"{text} lies outside of the trial")
        flags[1] = flags[0]
        return PageFile(*found)

    def xCurrentTimeInt64(self) -> int:  # noqa: N802
        """Return the time of the clock last told to this thread, in SQLite's milliseconds."""
        clock: VirtualClock | None = getattr(self._time, "clock", None)
        return _UNIX_EPOCH + (int((clock.start.timestamp() + clock.elapsed) * 1000) if clock else 0)

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        """Return the name: there are no folders."""
        return name

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: ARG002, N802
        """Say that there is no other file, so no journal to recover."""
        return False

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """Delete nothing."""


@cache
def file_system() -> OverlayFileSystem:
    """Return the process's overlay file system; SQLite knows file systems by name, so one serves all trials."""
    return OverlayFileSystem()

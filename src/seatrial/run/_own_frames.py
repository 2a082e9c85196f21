"""Where an agent's own code raised: its last frames, told the same on every machine."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from traceback import walk_tb

from seatrial.world.calls import printable

MOST_FRAMES = 8
"""Frames that are kept, the innermost ones."""
MAX_NAME = 80
"""Characters that are kept of the name of a file, and of a function."""
_HARNESS = Path(__file__).parent.parent
_INSTALLED = tuple(dict.fromkeys(Path(sysconfig.get_path(name)) for name in ("purelib", "platlib", "stdlib", "platstdlib")))


def own_frames(error: BaseException) -> tuple[str, ...]:
    """Return where an agent raised: frames of its own code, innermost last.

    Args:
        error: What it raised.

    Returns:
        At most eight times `file:line in function`. The harness's frames are left out, and so are those of installed packages
        unless the agent is made of nothing else.
    """
    frames = [(frame.f_code.co_filename, line or 0, frame.f_code.co_qualname) for frame, line in walk_tb(error.__traceback__)]
    foreign = [one for one in frames if not Path(one[0]).is_relative_to(_HARNESS)]
    own = [one for one in foreign if not any(Path(one[0]).is_relative_to(place) for place in _INSTALLED)]
    return tuple(f"{_short(Path(file).name)}:{line} in {_short(name)}" for file, line, name in (own or foreign)[-MOST_FRAMES:])


def _short(name: str) -> str:
    return printable(name[:MAX_NAME])

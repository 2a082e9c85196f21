"""Starting is cheap: nothing heavy is imported before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "rich", "asyncio", "httpx", "yaml", "rapidfuzz", "apsw", "zstandard", "pyarrow")
PROGRAMS = {
    "import": "import seatrial",
    "help": "from seatrial.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass",
    "verb help": "from seatrial.cli import main\ntry:\n    main(['run', '--help'])\nexcept SystemExit:\n    pass",
    "version": "from seatrial.cli import main\ntry:\n    main(['--version'])\nexcept SystemExit:\n    pass",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_nothing_heavy_is_loaded(program: str) -> None:
    """`import seatrial`, `--help` and a verb's help load none of the large libraries."""
    code = f"{program}\nimport sys\nsys.stderr.write(' '.join(name for name in {HEAVY!r} if name in sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr == ""

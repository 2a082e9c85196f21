"""A process that has imported the program and forks itself for every command, so that a test pays for its command and not for imports.

It reads one JSON line a command – words, folder, environment, two files for what is printed – and answers with the exit code.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path


def import_all() -> None:
    """Import every module of the program, and what it imports only when it needs it."""
    import seatrial

    for module in pkgutil.walk_packages(seatrial.__path__, "seatrial."):
        if module.name != "seatrial.__main__":
            importlib.import_module(module.name)
    for name in ("numpy", "scipy.special", "scipy.stats", "rich.console", "rich.table", "rich.progress", "jinja2", "yaml"):
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)


def become(order: dict) -> None:
    """Turn this forked process into the program as it would have been started, and never return."""
    from seatrial.cli import main

    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, order["out"], os.O_WRONLY), (2, order["err"], os.O_WRONLY)):
        os.dup2(os.open(name, flags), number)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    sys.path[0] = str(Path.cwd())
    sys.argv = ["seatrial", *order["words"]]
    main()


def serve() -> None:
    """Fork for every line until the input ends."""
    import_all()
    gc.collect()
    gc.freeze()
    for line in iter(sys.stdin.buffer.readline, b""):
        order = json.loads(line)
        child = os.fork()
        if not child:
            become(order)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()

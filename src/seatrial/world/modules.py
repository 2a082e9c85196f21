"""A suite's Python: its `world.py` and the modules beside it, under names that no other suite shares.

`import helpers` in a world finds `helpers.py` beside it, also when it runs later, in a tool. Neither the import path nor the
modules of the rest of the process are touched: two suites may both have a `helpers`.
"""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

from seatrial.base.errors import SuiteError
from seatrial.world.sources import module_file

MAX_SOURCE = 1_000_000
"""Largest file of Python that is read, bytes."""


class SuiteModules:
    """The modules of one suite's world.

    Args:
        file: The world's file; modules in its folder are its own.
        name: Name of the world's module; those of its own modules start with it.
    """

    def __init__(self, file: Path, name: str) -> None:
        self._file, self._home, self._name = file, file.parent.absolute(), name
        self._builtins = {**vars(builtins), "__import__": self._import}
        self._modules: dict[str, ModuleType] = {}
        self._lock = threading.RLock()
        self.files: set[str] = set()

    def run(self) -> ModuleType:
        """Run the world's file; whatever it raises is raised."""
        return self._execute(self._file.stem, self._name, self._file)

    def forget(self) -> None:
        """Take the modules out of the process."""
        for module in self._modules.values():
            sys.modules.pop(module.__name__, None)

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - the names of `__import__`
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """Stand in for `__import__` in the suite's own files: their own modules come first."""
        own = self._own_name(name, globals or {}, level)
        if own is None:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = self._load(own)
        if not fromlist:
            return self._modules[own.partition(".")[0]]
        for member in getattr(module, "__all__", ()) if "*" in fromlist else fromlist:
            if not hasattr(module, member) and self._locate(f"{own}.{member}"):
                self._load(f"{own}.{member}")
        return module

    def _own_name(self, name: str, importer: Mapping[str, object], level: int) -> str | None:
        """Return the name of a module within the suite's folder; `None`: it is meant to lie elsewhere."""
        if level == 0:
            return name if self._locate(name.partition(".")[0]) else None
        parts = str(importer.get("__package__") or "").split(".")
        if parts[0] != self._name or level > len(parts):
            return None
        return ".".join(filter(None, (*parts[1 : len(parts) - level + 1], name))) or None

    def _locate(self, own: str) -> Path | None:
        return module_file(self._home, own.split("."))

    def _load(self, own: str) -> ModuleType:
        parts = own.split(".")
        with self._lock:
            for length in range(1, len(parts) + 1):
                self._load_one(".".join(parts[:length]))
        return self._modules[own]

    def _load_one(self, own: str) -> None:
        if own in self._modules:
            return
        path = self._locate(own)
        if path is None:
            raise ModuleNotFoundError(f"No module named {own!r} beside {self._file.name}", name=own)
        module = self._execute(own, f"{self._name}.{own}", path)
        package, _, last = own.rpartition(".")
        if package:
            setattr(self._modules[package], last, module)

    def _execute(self, own: str, name: str, path: Path) -> ModuleType:
        self.files.add(str(path))
        loader = _HeldSource(name, path)
        spec = ModuleSpec(name, loader, origin=str(path), is_package=path.name == "__init__.py")
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(str(path.parent))
        module = module_from_spec(spec)
        vars(module)["__builtins__"] = self._builtins
        self._modules[own] = sys.modules[name] = module
        try:
            loader.exec_module(module)
        except BaseException:
            del self._modules[own]
            sys.modules.pop(name, None)
            raise
        return module


class _HeldSource(SourceFileLoader):
    """Runs the bytes of a file as they are: compiled code kept from before may be that of an earlier text of equal age and size."""

    def __init__(self, name: str, path: Path) -> None:
        super().__init__(name, str(path))
        self._source = read_source(path)

    def get_data(self, path: str) -> bytes:  # noqa: ARG002 - it is only asked for its own
        return self._source

    def path_stats(self, path: str) -> Mapping[str, float]:
        raise OSError(f"compiled code of {path} is neither kept nor used")


def read_source(path: Path) -> bytes:
    """Return the bytes of a file of Python.

    Raises:
        SuiteError: It cannot be read, or is too large.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise SuiteError(f"the world cannot be read: {error.strerror}", file=str(path)) from error
    if len(source) > MAX_SOURCE:
        raise SuiteError(f"the world is {len(source):,} bytes; at most {MAX_SOURCE:,} are read", file=str(path))
    return source

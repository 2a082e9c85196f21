"""Import the module of an agent: beside the suite first."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import sysconfig
import traceback
from pathlib import Path
from types import ModuleType

from seatrial.base.canonical import bytes_hash
from seatrial.base.errors import UsageError
from seatrial.world.sources import own_sources

_SOURCES: dict[str, dict[Path, str]] = {}
"""Module that was imported → its sources, each with the hash that it had then."""


def import_target(name: str, folder: Path) -> ModuleType:
    """Import a module by its name or its file.

    The suite's folder stays on the import path, so that an agent may import its neighbours when it runs.

    Args:
        name: `package.module` or `file.py`; both are looked for beside the suite first.
        folder: The suite's folder.

    Raises:
        UsageError: There is no such module, or it raised when it was imported: file and line are in the text.
    """
    if name.endswith(".py"):
        beside = folder / name
        return _import_file(beside if beside.is_file() else Path(name))
    _put_first(folder)
    _forget_foreign(folder)
    _forget_edited(name)
    try:
        return _remembered(name, importlib.import_module(name), folder)
    except ModuleNotFoundError as error:
        where = f"It is looked for in {folder} and on the Python path" if error.name == name.split(".", maxsplit=1)[0] else _place(error)
        raise UsageError(f"the agent's module {name!r} cannot be imported: {error}. {where}") from error
    except (Exception, SystemExit) as error:
        raise _raised(f"the agent's module {name!r}", error) from error


def _put_first(folder: Path) -> None:
    place = str(folder.resolve())
    if place in sys.path:
        sys.path.remove(place)
    sys.path.insert(0, place)
    importlib.invalidate_caches()


def _forget_foreign(folder: Path) -> None:
    # Two suites may both have an `agents` module: those beside this suite are meant, not those of the suite before.
    home = folder.resolve()
    beside = {path.stem for path in home.glob("*.py")} | {path.name for path in home.iterdir() if (path / "__init__.py").is_file()}
    for name in [name for name in sys.modules if name.partition(".")[0] in beside]:
        file = getattr(sys.modules[name], "__file__", None)
        if file and not Path(file).resolve().is_relative_to(home) and not _is_installed(Path(file)):
            del sys.modules[name]


def _remembered(name: str, module: ModuleType, folder: Path) -> ModuleType:
    """Return a module, its sources noted as they are now."""
    if file := getattr(module, "__file__", None):
        _SOURCES[name] = {path: bytes_hash(path.read_bytes()) for path in own_sources(Path(file), folder).values() if path.suffix == ".py"}
    return module


def _forget_edited(name: str) -> None:
    # What runs must be what is hashed: a module that was edited since it was imported is imported anew, and whoever may hold it too.
    known = _SOURCES.pop(name, {})
    if all(path.is_file() and bytes_hash(path.read_bytes()) == before for path, before in known.items()):
        return
    for module in [module for module, one in sys.modules.items() if _file_of(one) in known]:
        del sys.modules[module]


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file else None


def _is_installed(file: Path) -> bool:
    return any(file.is_relative_to(place) for place in sysconfig.get_paths().values())


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"there is no agent file {str(path)!r}")
    _put_first(path.parent)
    _forget_foreign(path.parent)
    name = f"seatrial_agent_{bytes_hash(str(path.resolve()).encode())[:12]}"
    _forget_edited(name)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{str(path)!r} cannot be imported as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _raised(f"the agent's file {str(path)!r}", error) from error
    return _remembered(name, module, path.parent)


def _raised(what: str, error: BaseException) -> UsageError:
    return UsageError(f"{_place(error)}{what} raised {type(error).__name__} when it was imported: {error}")


def _place(error: BaseException) -> str:
    """Return `file:line: ` of what raised; empty when that is not known."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}: "
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    return f"{frames[-1].filename}:{frames[-1].lineno}: " if len(frames) > 1 else ""

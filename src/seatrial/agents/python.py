"""Python callables: `module:function`, plain or async, called with the task, the tools and the user."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path

from seatrial.agents._protocol import Agent, AgentEnd, Refused
from seatrial.agents._session import AsyncToolFace, AsyncUserFace, Session, ToolFace, UserFace
from seatrial.agents._threads import run_in_thread
from seatrial.base.canonical import bytes_hash
from seatrial.base.errors import AgentError, UsageError
from seatrial.base.names import nearest
from seatrial.records.manifest import Candidate

MAX_ANSWER = 1_000_000
"""Characters of an agent's last words that are kept."""


class PythonAgent:
    """A function of task, tools and user.

    Args:
        function: The callable.
        name: Name of the candidate.
        code: Hash of its source.
        target: How it was named.
    """

    def __init__(self, function: Callable[..., object], *, name: str, code: str = "", target: str = "") -> None:
        self.function = function
        self.asynchronous = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
        self.candidate = Candidate(name=name, agent=f"python:{target}", code=code)

    async def run(self, session: Session) -> AgentEnd:
        """Call the function; a plain one runs in a thread of its own, so that it blocks no other trial."""
        if self.asynchronous:
            return ended(await self.function(session.task, AsyncToolFace(session), AsyncUserFace(session)))  # type: ignore[misc]
        return ended(await run_in_thread(self.function, session.task, ToolFace(session), UserFace(session)))


def ended(result: object) -> AgentEnd:
    """Return how an agent ended from what its function returned."""
    if result is None:
        return AgentEnd()
    if isinstance(result, Refused):
        return AgentEnd(result.text[:MAX_ANSWER], refused=True)
    if isinstance(result, str):
        return AgentEnd(result[:MAX_ANSWER])
    raise AgentError(f"the agent returned a {type(result).__name__}; expected a text, None or Refused(text)")


def make(target: str, folder: Path) -> Agent:
    """Import a function by `module:function` or `file.py:function`.

    Args:
        target: What to import; modules beside the suite are found first.
        folder: The suite's folder.

    Raises:
        UsageError: The module cannot be imported or has no such function.
    """
    module_name, _, function_name = target.rpartition(":")
    module = _module(module_name, folder)
    function = getattr(module, function_name, None)
    if not callable(function):
        offered = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
        hint = nearest(function_name, offered)
        raise UsageError(f"{module_name!r} has no function {function_name!r}." + (f" Did you mean {hint!r}?" if hint else ""))
    return PythonAgent(function, name=function_name, code=_code_hash(module), target=target)


def _module(name: str, folder: Path):  # noqa: ANN202 - a module
    path = Path(name) if name.endswith(".py") else None
    if path is not None:
        return _import_file(path if path.exists() else folder / path)
    sys.path.insert(0, str(folder.resolve()))
    try:
        _forget_foreign(name, folder)
        return importlib.import_module(name)
    except ImportError as error:
        raise UsageError(
            f"the agent's module {name!r} cannot be imported: {error}. It is looked for in {folder} and on the Python path"
        ) from error
    finally:
        sys.path.remove(str(folder.resolve()))


def _forget_foreign(name: str, folder: Path) -> None:
    # Two suites may both have an `agents` module: the one beside this suite is meant, not the one imported before.
    root = name.partition(".")[0]
    beside = (folder / f"{root}.py").exists() or (folder / root).is_dir()
    known = getattr(sys.modules.get(root), "__file__", None)
    if beside and known and not Path(known).resolve().is_relative_to(folder.resolve()):
        for loaded in [m for m in sys.modules if m == root or m.startswith(f"{root}.")]:
            del sys.modules[loaded]


def _import_file(path: Path):  # noqa: ANN202 - a module
    if not path.is_file():
        raise UsageError(f"there is no agent file {str(path)!r}")
    name = f"seatrial_agent_{bytes_hash(str(path.resolve()).encode())[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{str(path)!r} cannot be imported as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UsageError(f"the agent's file {str(path)!r} raised {type(error).__name__} when it was imported: {error}") from error
    return module


def _code_hash(module: object) -> str:
    """Return the hash of the module's file and of every file beside it that it imports, directly or not."""
    file = getattr(module, "__file__", None)
    return bytes_hash(b"\0".join(part.read_bytes() for part in own_sources(Path(file)))) if file else ""


def own_sources(file: Path) -> list[Path]:
    """Return a module's file and the files in its folder that it imports, directly or not, sorted."""
    folder, found, waiting = file.parent, set[Path](), [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [part for name in _imported(path) for part in _files_of(folder, name)]
    return sorted(found)


def _imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    members = {f"{node.module}.{alias.name}" if node.module else alias.name for node in named for alias in node.names}
    return plain | {node.module for node in named if node.module} | members


def _files_of(folder: Path, name: str) -> list[Path]:
    parts = name.split(".")
    candidates = [folder.joinpath(*parts).with_suffix(".py"), folder.joinpath(*parts, "__init__.py"), folder / f"{parts[-1]}.py"]
    return [path for path in candidates if path.is_file()]

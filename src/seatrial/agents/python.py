"""Python callables: `module:function`, plain or async, called with the task, the tools and the user."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from seatrial.agents._contents import hash_of
from seatrial.agents._declared import with_declared
from seatrial.agents._faces import AsyncToolFace, AsyncUserFace, ToolFace, UserFace
from seatrial.agents._imports import import_target
from seatrial.agents._protocol import Agent, AgentEnd, Refused
from seatrial.agents._session import Session
from seatrial.agents._threads import run_in_thread
from seatrial.base.canonical import bytes_hash, content_hash
from seatrial.base.errors import AgentError, UsageError
from seatrial.base.wording import did_you_mean
from seatrial.records.manifest import Candidate
from seatrial.world.sources import own_sources

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
    if isinstance(result, Refused) and isinstance(result.text, str):
        return AgentEnd(result.text[:MAX_ANSWER], refused=True)
    if isinstance(result, str):
        return AgentEnd(result[:MAX_ANSWER])
    hint = ""
    if inspect.iscoroutine(result):
        result.close()
        hint = "; declare the agent itself with `async def`"
    raise AgentError(f"the agent returned a {type(result).__name__}; expected a text, None or Refused(text){hint}")


def make(target: str, folder: Path) -> Agent:
    """Import a function by `module:function` or `file.py:function`.

    Args:
        target: What to import; modules beside the suite are found first.
        folder: The suite's folder.

    Raises:
        UsageError: The module cannot be imported, has no such function, or the function cannot be called as an agent.
    """
    module_name, _, function_name = target.rpartition(":")
    module = import_target(module_name, folder)
    function = getattr(module, function_name, None)
    if not callable(function):
        raise UsageError(f"{module_name!r} has no function {function_name!r}.{did_you_mean(function_name, _offered(module))}")
    _check_call(function, target)
    agent = PythonAgent(function, name=function_name, code=_code_hash(module, folder), target=target)
    agent.candidate = with_declared(agent.candidate, function, Path(module.__file__ or folder).parent)
    return agent


def _offered(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]


def _check_call(function: Callable[..., object], target: str) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a callable that does not tell its signature may still be right
    try:
        signature.bind("task", "tools", "user")
    except TypeError as error:
        raise UsageError(f"the agent {target!r} cannot be called with (task, tools, user): {error}; it takes {signature}") from error


def _code_hash(module: ModuleType, folder: Path) -> str:
    """Return the hash of every file of the module's package, of the code that it imports and nobody installed, and of texts it names."""
    file = getattr(module, "__file__", None)
    if not file:
        return ""
    sources = bytes_hash(b"\0".join(part.read_bytes() for part in own_sources(Path(file), folder, Path.cwd()).values()))
    package = _package_of(module)
    return sources if package is None else content_hash((sources, hash_of(package)))


def _package_of(module: ModuleType) -> Path | None:
    """Return the folder of the outermost package that a module lies in; `None`: it is a file of its own."""
    names = module.__name__.split(".")
    packages = (sys.modules.get(".".join(names[:length])) for length in range(1, len(names) + 1))
    files = (package.__file__ for package in packages if package is not None and hasattr(package, "__path__"))
    return next((Path(file).parent for file in files if file), None)
